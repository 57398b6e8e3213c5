"""Time zones: as an option, as an offset in text, and as stated by the stamps of a source."""

from __future__ import annotations

import datetime as dt
import re
import zoneinfo
from collections import Counter

from analyzer.errors import UsageError

_OFFSET = re.compile(r"([+-])(\d\d):?(\d\d)")
_STATED = re.compile(rb"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})? ?(Z|[+-]\d\d:?\d\d)(?![\d:])")
_MAX_OFFSET_S = 14 * 3600
MAX_STAMPS = 500


def parse_offset(text: str) -> float | None:
    """Seconds east of UTC of ``+0100``, ``-06:00``, ``Z``, ``UTC``; None for anything else."""
    if text in ("Z", "UTC", "GMT"):
        return 0.0
    match = _OFFSET.fullmatch(text)
    if match is None:
        return None
    seconds = int(match[2]) * 3600 + int(match[3]) * 60
    return None if seconds > _MAX_OFFSET_S else float(-seconds if match[1] == "-" else seconds)


def parse_zone(text: str) -> dt.tzinfo:
    """The zone that an option names: an IANA name, ``UTC``, or an offset.

    Raises:
        UsageError: It is none of them.
    """
    offset = parse_offset(text)
    if offset is not None:
        return dt.timezone(dt.timedelta(seconds=offset))
    try:
        return zoneinfo.ZoneInfo(text)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise UsageError(
            "unknown time zone", where=f"--timezone {text}", remedy="use a name such as Europe/Berlin, or +01:00"
        ) from error


def offset_at(zone: dt.tzinfo, local_s: float) -> float:
    """Seconds east of UTC at a local time (epoch seconds read as if the zone were UTC)."""
    try:
        local = dt.datetime.fromtimestamp(local_s, dt.UTC).replace(tzinfo=zone)
        offset = local.utcoffset()
    except (ValueError, OverflowError, OSError):
        return 0.0
    return 0.0 if offset is None else offset.total_seconds()


def stated_offset(head: bytes) -> float | None:
    """Offset from UTC that most stamps of a source print; ``Z`` says nothing about the node's own zone."""
    seen: Counter[float] = Counter()
    for number, match in enumerate(_STATED.finditer(head)):
        if number >= MAX_STAMPS:
            break
        offset = None if match[1] == b"Z" else parse_offset(match[1].decode("ascii"))
        if offset is not None:
            seen[offset] += 1
    return max(seen, key=lambda offset: (seen[offset], offset)) if seen else None
