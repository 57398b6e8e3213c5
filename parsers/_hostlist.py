"""Slurm host lists: ``gpu-a[01-03,7],login1`` names four hosts (hostlist grammar of ``scontrol show hostnames``)."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from analyzer.model.formats import Problem

MAX_HOSTS: Final = 10_000
"""Hosts that one list may name; the rest is left out."""

MAX_NAMES: Final = 2_000_000
"""Host names that all lists of one dump may give together."""

_MAX_TEXT: Final = 65_536
_MAX_BRACKETS: Final = 8
_PART: Final = re.compile(r"((?:[^,\[\]]|\[[^\[\]]*\])+)")
_BRACKET: Final = re.compile(r"\[([^\[\]]*)\]")
_RANGE: Final = re.compile(r"(\d{1,9})(?:-(\d{1,9}))?")
_HOST: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


@lru_cache(maxsize=2048)
def expand(text: str) -> tuple[str, ...]:
    """Name the hosts of a list, in its order and without repeats, at most ``MAX_HOSTS`` of them.

    Text that is no host list, such as ``(null)`` or ``None assigned``, or a list cut inside a bracket names no host.
    """
    if text.count("[") != text.count("]"):
        return ()
    hosts: dict[str, None] = {}
    for part in _PART.findall(text[:_MAX_TEXT]):
        for host in _hosts(part.strip(), MAX_HOSTS - len(hosts)):
            if not _HOST.fullmatch(host):
                return ()
            hosts[host] = None
        if len(hosts) >= MAX_HOSTS:
            break
    return tuple(hosts)


class Expander:
    """Expands the host lists of one dump, as many as ``MAX_NAMES`` names allow.

    Attributes:
        left_out: Lists that were not expanded.
    """

    def __init__(self, room: int = MAX_NAMES) -> None:
        self._room = room
        self.left_out = 0

    def expand(self, text: str) -> tuple[str, ...]:
        """The hosts of a list; none once the room is used up."""
        hosts = expand(text)
        if len(hosts) > self._room:
            self.left_out += 1
            return ()
        self._room -= len(hosts)
        return hosts

    def problems(self) -> tuple[Problem, ...]:
        """What to say about the lists left out."""
        return (Problem("node lists left out, too many names", 0, self.left_out),) if self.left_out else ()


def _hosts(part: str, room: int) -> list[str]:
    pieces = _BRACKET.split(part)
    if len(pieces) > 2 * _MAX_BRACKETS + 1:
        return [part]
    names = [pieces[0]]
    for inside, tail in zip(pieces[1::2], pieces[2::2], strict=True):
        numbers = _numbers(inside, room)
        names = [name + number + tail for name in names[:room] for number in numbers][:room]
    return names


def _numbers(inside: str, room: int) -> list[str]:
    numbers: list[str] = []
    for piece in inside.split(","):
        found = _RANGE.fullmatch(piece.strip())
        if found is None:
            return [f"[{inside}]"]
        first, last = found.group(1), found.group(2) or found.group(1)
        stop = min(int(last), int(first) + room - len(numbers) - 1)
        numbers.extend(str(number).zfill(len(first)) for number in range(int(first), stop + 1))
    return numbers
