"""Helpers for parsers of logs: text of a line, the head of a file, and prefixes that launchers put before lines."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from itertools import islice
from typing import Final, NamedTuple

from analyzer.model.stamps import RawStamp
from parsers import _time

ANSI: Final = re.compile(rb"\x1b\[[0-9;?]{0,16}[A-Za-z]")
SNIFF_LINES: Final = 400
MAX_SNIFF_LINE: Final = 2_000

_DOCKER: Final = b'{"log":"'
_DOCKER_TIME: Final = re.compile(rb'"time":"')
_DOCKER_TAIL_BYTES: Final = 80
_CRI: Final = re.compile(rb" (?:stdout|stderr) [FP] ")
_TAG: Final = re.compile(
    rb"\x1b\[[0-9;?]{0,16}[A-Za-z]"
    rb"|\[\d{1,6},(?P<mpi>\d{1,7})\]<std(?:out|err|diag)>: ?"
    rb"|\[rank(?P<rank>\d{1,7})\]: ?"
    rb"|\[default\d{1,5}\]: ?"
    rb"|\((?:[A-Za-z][\w:.-]{0,60} )?pid=\d{1,10}(?:, ip=(?P<ip>[0-9a-fA-F.:]{2,45}))?\) ?"
)
_WEAK_TAG: Final = re.compile(rb" {0,6}(?P<task>\d{1,6}): |\[(?P<task2>\d{1,6})\] |(?P<host>[A-Za-z0-9][\w.-]{0,63}): ")


class Launcher(NamedTuple):
    """What the prefixes of launchers and collectors say about a line.

    Attributes:
        stamp: Time stamp of the collector (CRI), if it wrote one.
        host: Host or address the launcher names.
        rank: Global rank the launcher names.
        end: Offset behind the prefixes.
    """

    stamp: RawStamp | None = None
    host: str | None = None
    rank: int | None = None
    end: int = 0


def text(line: bytes) -> str:
    """A line as text: undecodable bytes replaced, colours and the line end removed."""
    return ANSI.sub(b"", line).decode("utf-8", "replace").rstrip("\r\n")


@lru_cache(maxsize=4)
def head_lines(head: bytes) -> tuple[bytes, ...]:
    """Lines of the head of a file that are worth judging: not blank, without a cut last line, cut in length."""
    whole = head if len(head) < 4096 else head[: head.rfind(b"\n") + 1]
    lines = (line[:MAX_SNIFF_LINE].rstrip(b"\r") for line in whole.split(b"\n", SNIFF_LINES * 2)[: SNIFF_LINES * 2])
    return tuple(islice((line for line in lines if line.strip()), SNIFF_LINES))


def share(head: bytes, matches: Callable[[bytes], object]) -> tuple[int, int]:
    """Count lines of the head that match, and those that could: lines that begin with a blank are neutral."""
    hits = total = 0
    for line in head_lines(head):
        if matches(line):
            hits += 1
            total += 1
        elif not line[:1].isspace():
            total += 1
    return hits, total


def launcher(line: bytes, is_message: Callable[[bytes, int], object]) -> Launcher:
    """Read the prefixes in front of a job's line.

    Args:
        line: The line.
        is_message: Tells whether a log message's own head begins at an offset. Prefixes that look like ordinary text
            (``12: ``, ``worker-1: ``) are taken only in front of such a head.
    """
    stamp, end = _collector(line)
    found = _tags(line, Launcher(stamp, end=end))
    weak = _WEAK_TAG.match(line, found.end)
    if weak is None or is_message(line, found.end) or not is_message(line, weak.end()):
        return found
    task = weak["task"] or weak["task2"]
    host = weak["host"].decode() if weak["host"] else found.host
    rank = int(task) if task else found.rank
    return _tags(line, Launcher(stamp, host, rank, weak.end()))


def _tags(line: bytes, known: Launcher) -> Launcher:
    """Read the unmistakable prefixes that follow, added to what is known."""
    _, host, rank, end = known
    while (tag := _TAG.match(line, end)) is not None:
        number = tag["mpi"] or tag["rank"]
        rank = int(number) if number else rank
        host = tag["ip"].decode() if tag["ip"] else host
        end = tag.end()
    return Launcher(known.stamp, host, rank, end)


def _collector(line: bytes) -> tuple[RawStamp | None, int]:
    """Stamp and end of the prefix of a container runtime's log file: CRI, or Docker's JSON lines."""
    if line.startswith(_DOCKER):
        time = _DOCKER_TIME.search(line, max(len(line) - _DOCKER_TAIL_BYTES, 0))
        read = _time.iso(line, time.end()) if time else None
        return (read.stamp if read else None), len(_DOCKER)
    if not line[:4].isdigit():
        return None, 0
    read = _time.iso(line)
    found = _CRI.match(line, read.end) if read else None
    return (read.stamp, found.end()) if read and found else (None, 0)
