"""``opensm.log``: ``Mar 09 04:41:27 123456 [69D1740] 0x01 -> message``; the year and the zone are not stated."""

from __future__ import annotations

import re
from typing import Final

from analyzer.model.formats import Sniff
from analyzer.model.stamps import Prefix, RawStamp
from parsers import _fabric, _time

FORMAT: Final = _fabric.fabric_format("opensm", "subnet manager log (opensm.log)", "lines")

_REST: Final = re.compile(rb" (?:\d{4} )?(\d{1,6}) \[[0-9A-Fa-f]{1,16}\] (?:0x([0-9A-Fa-f]{2}) )?-> ?")
_ERROR, _INFO, _SYSTEM = 0x01, 0x02, 0x80
_MICROSECOND: Final = 1e-6


def sniff(head: bytes, path: str) -> Sniff | None:
    """Recognise lines that begin with the log's own prefix."""
    for number, line in enumerate(head.split(b"\n")[:50], start=1):
        if prefix(line.rstrip(b"\r")) is not None:
            return Sniff(97, f"line {number} has the prefix of opensm")
    return None


def prefix(line: bytes) -> Prefix | None:
    """Read stamp and level; None for the continuation lines of a message."""
    read = _time.bsd(line)
    rest = _REST.match(line, read.end) if read else None
    if read is None or rest is None:
        return None
    seconds = read.stamp.seconds + int(rest[1]) * _MICROSECOND
    stamp = RawStamp(read.stamp.kind, seconds, _MICROSECOND)
    return Prefix(stamp=stamp, program="opensm", level=_level(rest[2]), start=rest.end())


def _level(flags: bytes | None) -> str | None:
    if flags is None:
        return None
    value = int(flags, 16)
    if value & _ERROR and not value & _INFO:
        return "error"
    return "notice" if value & _SYSTEM else "info"
