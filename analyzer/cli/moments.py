"""Times on the command line: dates, moments and zones."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

from analyzer.errors import UsageError


def zone(name: str) -> tzinfo:
    """Read ``Europe/Berlin``, ``UTC`` or a fixed offset such as ``+02:00``.

    Raises:
        UsageError: No such zone.
    """
    try:
        if name[:1] in {"+", "-"}:
            hours, _, minutes = name[1:].partition(":")
            offset = timedelta(hours=int(hours), minutes=int(minutes or "0"))
            return timezone(-offset if name[0] == "-" else offset)
        return ZoneInfo(name)
    except (ValueError, OSError, LookupError) as error:
        remedy = "give a zone name such as Europe/Berlin, or an offset such as +02:00"
        raise UsageError("no such time zone", where=f"--timezone {name}", remedy=remedy) from error


def moment_s(text: str, option: str, assumed: tzinfo = UTC) -> float:
    """Read a date or a date and time in ISO 8601 as epoch seconds; without an offset it is in the zone ``assumed``.

    Raises:
        UsageError: The text is no such time.
    """
    try:
        moment = datetime.fromisoformat(text)
        return (moment if moment.tzinfo else moment.replace(tzinfo=assumed)).timestamp()
    except (ValueError, OverflowError) as error:
        remedy = "write it as 2026-01-31, 2026-01-31T14:05 or 2026-01-31T14:05:00+01:00"
        raise UsageError("not a date or time", where=f"{option} {text}", remedy=remedy) from error
