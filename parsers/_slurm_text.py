"""What the outputs of Slurm commands share: lines, shell prompts, durations, sizes and codes as printed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final, NamedTuple

from parsers import _time

ABSENT: Final = frozenset({"", "(null)", "N/A", "n/a", "Unknown", "None", "none", "NONE"})
"""Words for "no value"."""

_HEAD_BYTES: Final = 65_536
_PROMPT: Final = re.compile(r"(?:\[[^\]\n]{1,120}\]|[\w.@-]{1,64}:[^\s#$]{0,120}|)[#$] +(\S.*)$")
_DURATION: Final = re.compile(r"(?:(\d{1,6})-)?(?:(\d{1,6}):)?(\d{1,6})(?::(\d{1,2}))(?:\.\d{1,6})?$")
_SIZE: Final = re.compile(r"(\d{1,18}(?:\.\d{1,6})?)([KMGTPE]?)([cn]?)$")
_CODES: Final = re.compile(r"(\d{1,5}):(\d{1,5})$")
_UNITS: Final = {unit: 1024**power for power, unit in enumerate(("", "K", "M", "G", "T", "P", "E"))}


class Line(NamedTuple):
    """One line of a dump.

    Attributes:
        number: Line number, from 1.
        text: The line without its end.
    """

    number: int
    text: str


class Size(NamedTuple):
    """A memory size.

    Attributes:
        size_bytes: Bytes.
        per: ``cpu`` or ``node`` where the size is per CPU or per node (up to 20.11), else None.
    """

    size_bytes: int
    per: str | None


def lines(data: bytes) -> Iterable[Line]:
    """Number the lines of a dump; bytes that are not UTF-8 become U+FFFD."""
    return _few_lines(data) if len(data) <= _HEAD_BYTES else _numbered(data)


@lru_cache(maxsize=4)
def _few_lines(data: bytes) -> tuple[Line, ...]:
    """Lines of the head of a file, which many parsers judge one after the other."""
    return tuple(_numbered(data))


def _numbered(data: bytes) -> Iterator[Line]:
    raw_lines = data.split(b"\n")
    if raw_lines[-1] == b"":
        raw_lines.pop()
    for number, raw in enumerate(raw_lines, start=1):
        yield Line(number, raw.rstrip(b"\r").decode("utf-8", "replace"))


def command_line(text: str) -> str | None:
    """The command behind a shell prompt (``[root@head01 ~]# sinfo -R``), None if the line has no prompt."""
    found = _PROMPT.match(text)
    return found.group(1) if found else None


def clock_line(text: str) -> bool:
    """True for the line ``Mon Nov 30 19:38:40 2026`` that long listings begin with."""
    return _time.ctime(text.strip().encode("utf-8", "replace")) is not None


def present(value: str | None) -> str | None:
    """The value, or None where Slurm printed a word for "no value"."""
    if value is None:
        return None
    value = value.strip()
    return None if value in ABSENT else value


def duration_s(text: str | None) -> int | None:
    """Seconds of ``2-00:22:41``, ``01:03:10``, ``10:00`` (minutes, seconds); None for ``UNLIMITED`` and its like."""
    found = _DURATION.match(text.strip()) if text else None
    if found is None:
        return None
    days, hours, minutes, seconds = (int(part) if part else 0 for part in found.groups())
    return ((days * 24 + hours) * 60 + minutes) * 60 + seconds


def size(text: str | None) -> Size | None:
    """Read ``300M``, ``62.50G``, ``4Gn`` (per node) or ``500Mc`` (per CPU); units are powers of 1024."""
    found = _SIZE.match(text.strip()) if text else None
    if found is None:
        return None
    number, unit, per = found.groups()
    return Size(int(float(number) * _UNITS[unit]), {"c": "cpu", "n": "node"}.get(per))


def codes(text: str | None) -> tuple[int | None, int | None]:
    """Exit code and signal of ``0:125``; Nones when the text is none."""
    found = _CODES.match(text.strip()) if text else None
    return (int(found.group(1)), int(found.group(2))) if found else (None, None)


def whole(text: str | None) -> int | None:
    """A whole number of at most 18 digits, None for anything else."""
    text = (text or "").strip().rstrip("+")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 18 else None
