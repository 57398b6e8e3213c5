"""Time as a log line states it, before anything is known about the clock behind it."""

from __future__ import annotations

from enum import StrEnum

import msgspec


class StampKind(StrEnum):
    """What a raw time stamp can mean without further knowledge."""

    UTC = "utc"  # absolute: the line states a zone or the format is UTC by definition
    LOCAL = "local"  # date, year and time in an unstated zone
    YEARLESS = "yearless"  # month, day and time in an unstated zone, year unknown
    UPTIME = "uptime"  # seconds since boot of the node


class RawStamp(msgspec.Struct, frozen=True):
    """One time stamp as printed.

    Attributes:
        kind: Which knowledge is still missing.
        seconds: Seconds since the epoch, read as if the zone were UTC (``UTC``: true epoch seconds); seconds
            since boot for ``UPTIME``; seconds since 1 January 00:00 of a leap year (2000) for ``YEARLESS``.
        resolution_s: Granularity of the printed form in seconds, e.g. 1.0 or 1e-6.
    """

    kind: StampKind
    seconds: float
    resolution_s: float = 1.0


class Prefix(msgspec.Struct, frozen=True):
    """What the head of a log line says about the message that follows.

    Attributes:
        stamp: The time stamp, if the line has one.
        host: Host named by the line itself (syslog, journal, launcher prefix).
        program: Program that wrote it (``kernel``, ``slurmd``), without pid.
        level: Severity word as printed, lower case.
        start: Offset in the line where the message begins.
    """

    stamp: RawStamp | None = None
    host: str | None = None
    program: str | None = None
    level: str | None = None
    start: int = 0
