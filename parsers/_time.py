"""Time stamps as logs print them, read into raw stamps; what is missing (zone, year, boot) stays missing.

Every reader takes a line and an offset and returns the stamp with the offset behind it, or None when no stamp of
that form stands there. Calendar-impossible dates (31 February) are no stamp.
"""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache
from typing import Final, NamedTuple

from analyzer.model.stamps import RawStamp, StampKind

DAY_S: Final = 86_400
_EPOCH: Final = date(1970, 1, 1).toordinal()
_LEAP_YEAR: Final = 2000

_MONTHS: Final = {
    name: number
    for number, name in enumerate(
        (b"Jan", b"Feb", b"Mar", b"Apr", b"May", b"Jun", b"Jul", b"Aug", b"Sep", b"Oct", b"Nov", b"Dec"), start=1
    )
}
_MONTH: Final = rb"(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
_CLOCK: Final = rb"([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:[.,](\d{1,9}))?"

_ISO: Final = re.compile(rb"(\d{4})([-/])(\d\d)\2(\d\d)[T _]" + _CLOCK + rb"(?: ?(Z|[+-]\d\d:?\d\d)(?![\d:]))?")
_BSD: Final = re.compile(_MONTH + rb" {1,2}(\d{1,2}) " + _CLOCK)
_CTIME: Final = re.compile(
    rb"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) " + _MONTH + rb" {1,2}(\d{1,2}) " + _CLOCK + rb"(?: (?:UTC|GMT))? (\d{4})"
)
_MONTH_FIRST: Final = re.compile(_MONTH + rb" {1,2}(\d{1,2}) (\d{4}) " + _CLOCK)
_GLOG: Final = re.compile(rb"([IWEF])(\d{1,2})(\d\d) " + _CLOCK)
_WEEKDAY: Final = re.compile(
    rb"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (\d{4})-(\d\d)-(\d\d) "
    + _CLOCK
    + rb" (?:(UTC|GMT)|([+-]\d\d:?\d\d)|[A-Z]{2,6})(?= )"
)
_UNIX: Final = re.compile(rb"(\d{9,11})\.(\d{6})(?= )")
_UPTIME_DELTA: Final = re.compile(rb"\[ *(\d{1,10})\.(\d{1,9}) <[ \d.]{1,24}>\]")
_UPTIME: Final = re.compile(rb"\[ *(\d{1,9})(?:\.(\d{1,9}))?\]")


class Read(NamedTuple):
    """A stamp and the offset behind it."""

    stamp: RawStamp
    end: int


def iso(line: bytes, at: int = 0) -> Read | None:
    """Read ``2026-03-09T04:41:27,123456+00:00`` and its relatives.

    Date and time may be joined by ``T``, a blank or ``_``, the date may use ``/``, the fraction a comma; the zone
    may be ``Z``, ``+00:00`` or ``+0000``. With a zone the stamp is ``UTC``, without one ``LOCAL``.
    """
    found = _ISO.match(line, at)
    if found is None:
        return None
    year, _, month, day, hour, minute, second, fraction, zone = found.groups()
    days = days_since_epoch(int(year), int(month), int(day))
    if days is None:
        return None
    seconds = days * DAY_S + _clock_s(hour, minute, second, fraction)
    kind = StampKind.LOCAL if zone is None else StampKind.UTC
    return Read(RawStamp(kind, seconds - zone_s(zone), resolution_s(fraction)), found.end())


def bsd(line: bytes, at: int = 0) -> Read | None:
    """Read ``Mar  9 04:41:27`` or ``Mar 09 04:41:27.123456`` (syslog, journal); the year is unknown."""
    found = _BSD.match(line, at)
    if found is None:
        return None
    month, day, hour, minute, second, fraction = found.groups()
    return _yearless(_MONTHS[month], int(day), _clock_s(hour, minute, second, fraction), fraction, found.end())


def ctime(line: bytes, at: int = 0) -> Read | None:
    """Read ``Mon Nov 30 19:17:52 2026`` (``dmesg -T``, ``date``); ``UTC`` or ``GMT`` before the year is a zone."""
    found = _CTIME.match(line, at)
    if found is None:
        return None
    month, day, hour, minute, second, fraction, year = found.groups()
    days = days_since_epoch(int(year), _MONTHS[month], int(day))
    if days is None:
        return None
    zoned = found.group().find(b"UTC") >= 0 or found.group().find(b"GMT") >= 0
    seconds = days * DAY_S + _clock_s(hour, minute, second, fraction)
    return Read(RawStamp(StampKind.UTC if zoned else StampKind.LOCAL, seconds, resolution_s(fraction)), found.end())


def weekday(line: bytes, at: int = 0) -> Read | None:
    """Read ``Mon 2026-03-09 04:41:27 UTC`` (``journalctl -o short-full``); of zone names only UTC is taken as one."""
    found = _WEEKDAY.match(line, at)
    if found is None:
        return None
    year, month, day, hour, minute, second, fraction, utc, zone = found.groups()
    days = days_since_epoch(int(year), int(month), int(day))
    if days is None:
        return None
    kind = StampKind.UTC if utc or zone else StampKind.LOCAL
    seconds = days * DAY_S + _clock_s(hour, minute, second, fraction) - zone_s(zone)
    return Read(RawStamp(kind, seconds, resolution_s(fraction)), found.end())


def unix(line: bytes, at: int = 0) -> Read | None:
    """Read ``1773031287.123456``: seconds since 1970."""
    found = _UNIX.match(line, at)
    if found is None:
        return None
    seconds = int(found[1]) + fraction_s(found[2])
    return Read(RawStamp(StampKind.UTC, seconds, resolution_s(found[2])), found.end())


def uptime_with_delta(line: bytes, at: int = 0) -> Read | None:
    """Read ``[   12.345678 <    0.000123>]``: seconds since boot and since the line before."""
    found = _UPTIME_DELTA.match(line, at)
    if found is None:
        return None
    seconds = int(found[1]) + fraction_s(found[2])
    return Read(RawStamp(StampKind.UPTIME, seconds, resolution_s(found[2])), found.end())


def month_first(line: bytes, at: int = 0) -> Read | None:
    """Read ``Sep 02 2026 19:05:33`` (fabric manager); the zone is unknown."""
    found = _MONTH_FIRST.match(line, at)
    if found is None:
        return None
    month, day, year, hour, minute, second, fraction = found.groups()
    days = days_since_epoch(int(year), _MONTHS[month], int(day))
    if days is None:
        return None
    seconds = days * DAY_S + _clock_s(hour, minute, second, fraction)
    return Read(RawStamp(StampKind.LOCAL, seconds, resolution_s(fraction)), found.end())


def glog(line: bytes, at: int = 0) -> Read | None:
    """Read ``E1106 07:08:57.123456789`` (glog, PyTorch): level letter, month, day, time; the year is unknown.

    PyTorch prints the month without a leading zero (``E612`` is 12 June).
    """
    found = _GLOG.match(line, at)
    if found is None:
        return None
    _, month, day, hour, minute, second, fraction = found.groups()
    return _yearless(int(month), int(day), _clock_s(hour, minute, second, fraction), fraction, found.end())


def uptime(line: bytes, at: int = 0) -> Read | None:
    """Read ``[   12.345678]``: seconds since boot."""
    found = _UPTIME.match(line, at)
    if found is None:
        return None
    whole, fraction = found.groups()
    seconds = int(whole) + fraction_s(fraction)
    return Read(RawStamp(StampKind.UPTIME, seconds, resolution_s(fraction)), found.end())


@lru_cache(maxsize=4096)
def days_since_epoch(year: int, month: int, day: int) -> int | None:
    """Days from 1 January 1970 to a date; None when there is no such date."""
    try:
        return date(year, month, day).toordinal() - _EPOCH
    except ValueError:
        return None


def zone_s(zone: bytes | None) -> int:
    """Seconds east of Greenwich of ``Z``, ``+hh:mm`` or ``+hhmm``; 0 for None."""
    if zone is None or zone == b"Z":
        return 0
    offset = int(zone[1:3]) * 3600 + int(zone[-2:]) * 60
    return -offset if zone[:1] == b"-" else offset


def fraction_s(digits: bytes | None) -> float:
    """Seconds meant by the digits behind the decimal point."""
    return int(digits) / 10 ** len(digits) if digits else 0.0


def resolution_s(digits: bytes | None) -> float:
    """Granularity of a stamp printed with these digits behind the decimal point."""
    return 1 / 10 ** len(digits) if digits else 1.0


def _clock_s(hour: bytes, minute: bytes, second: bytes, fraction: bytes | None) -> float:
    return int(hour) * 3600 + int(minute) * 60 + int(second) + fraction_s(fraction)


def _yearless(month: int, day: int, clock_s: float, fraction: bytes | None, end: int) -> Read | None:
    days = days_since_epoch(_LEAP_YEAR, month, day)
    first = days_since_epoch(_LEAP_YEAR, 1, 1)
    if days is None or first is None:
        return None
    return Read(RawStamp(StampKind.YEARLESS, (days - first) * DAY_S + clock_s, resolution_s(fraction)), end)
