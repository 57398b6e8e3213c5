"""Lines that state the true time or the zone beside their own time stamp (``rules/clocks.toml``)."""

from __future__ import annotations

import datetime as dt
import functools
import re
from collections.abc import Mapping, Sequence

import msgspec

from analyzer.model.patterns import LinePattern
from analyzer.sources.clock_knowledge import StatementPattern, clock_knowledge
from analyzer.sources.zones import parse_offset

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_QUARTER_S = 900.0
_ANY_ZONE_S = 14 * 3600.0


class Statement(msgspec.Struct, frozen=True):
    """What such a line states.

    Attributes:
        utc_s: True epoch seconds; None if only the zone is stated.
        zone_offset_s: Offset of local time from UTC, None if not stated.
        uncertainty_s: Half-width of ``utc_s``.
        name: Name of the pattern.
        step_s: Seconds by which the clock was set forward just before the line, None if it was not set.
        uptime_s: How long the node had been up at the line's own stamp, None if not stated.
        boot: True when ``utc_s`` is when the node booted, not when the line was written; without a zone it is local.
    """

    utc_s: float | None
    zone_offset_s: float | None
    uncertainty_s: float
    name: str
    step_s: float | None = None
    uptime_s: float | None = None
    boot: bool = False


@functools.cache
def statement_patterns() -> Mapping[str, StatementPattern]:
    """All patterns by name."""
    return {pattern.name: pattern for pattern in clock_knowledge().statement}


def line_patterns(first_index: int) -> tuple[LinePattern, ...]:
    """The patterns as the scan takes them, numbered from ``first_index``; their events are the statements' names."""
    return tuple(
        LinePattern(index=index, event=pattern.name, regex=pattern.regex, families=pattern.families)
        for index, pattern in enumerate(statement_patterns().values(), start=first_index)
    )


def read_statement(name: str, captures: Sequence[bytes | None]) -> Statement | None:
    """Read a hit of a statement's pattern.

    Args:
        name: Name of the pattern, the event of the hit.
        captures: Its captures in the order of the groups.

    Returns:
        The statement; None if the captures are no possible date.
    """
    pattern = statement_patterns()[name]
    groups = re.compile(pattern.regex).groupindex
    texts = {
        group: raw.decode("ascii", "replace")
        for group, place in groups.items()
        if place <= len(captures) and (raw := captures[place - 1]) is not None
    }
    try:
        return _read(pattern, texts)
    except (KeyError, ValueError, OverflowError):
        return None


def statement_in(line: str, families: frozenset[str] | None = None) -> Statement | None:
    """Find a statement in one line of text."""
    for name, compiled in _compiled():
        pattern = statement_patterns()[name]
        if families is not None and not families & pattern.families:
            continue
        if match := compiled.search(line):
            return read_statement(name, [None if text is None else text.encode() for text in match.groups()])
    return None


def may_state(text: str, families: frozenset[str]) -> bool:
    """Whether any line of a text may hold a statement: a quick look at all of them together."""
    return any(
        families & statement_patterns()[name].families and anywhere.search(text) for name, anywhere in _anywhere()
    )


@functools.cache
def _anywhere() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((name, re.compile(line.pattern, re.ASCII | re.MULTILINE)) for name, line in _compiled())


@functools.cache
def _compiled() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((name, re.compile(pattern.regex, re.ASCII)) for name, pattern in statement_patterns().items())


def _read(pattern: StatementPattern, texts: Mapping[str, str]) -> Statement:
    if "step_s" in texts:
        return Statement(None, None, pattern.uncertainty_s, pattern.name, float(texts["step_s"]))
    if "uptime_s" in texts:
        return Statement(None, None, pattern.uncertainty_s, pattern.name, uptime_s=float(texts["uptime_s"]))
    if "boot" in texts:
        return _boot(pattern, texts)
    epoch = float(texts["epoch"]) if "epoch" in texts else None
    shown = _date_s(texts) if "year" in texts else None
    zone = parse_offset(texts["zone"]) if "zone" in texts else None
    if pattern.in_zone == "utc":
        return Statement(shown if epoch is None else epoch, None, pattern.uncertainty_s, pattern.name)
    if zone is None and shown is not None and epoch is not None:
        zone = round((shown - epoch) / _QUARTER_S) * _QUARTER_S
        if abs(zone) > _ANY_ZONE_S:
            return Statement(epoch, None, pattern.uncertainty_s, pattern.name)
    if epoch is None and shown is not None and zone is not None:
        epoch = shown - zone
    if epoch is None and shown is not None:
        return Statement(shown, None, _ANY_ZONE_S, pattern.name)
    return Statement(epoch, zone, pattern.uncertainty_s, pattern.name)


def _boot(pattern: StatementPattern, texts: Mapping[str, str]) -> Statement:
    if "epoch" in texts:
        return Statement(float(texts["epoch"]), 0.0, pattern.uncertainty_s, pattern.name, boot=True)
    zone = parse_offset(texts["zone"]) if "zone" in texts else None
    boot_s = _date_s({"second": "30", **texts})
    return Statement(boot_s - (zone or 0.0), zone, pattern.uncertainty_s, pattern.name, boot=True)


def _date_s(texts: Mapping[str, str]) -> float:
    month = texts["month"]
    number = int(month) if month.isdigit() else _MONTHS.index(month.lower()) + 1
    day, hour, minute, second = (int(texts[name]) for name in ("day", "hour", "minute", "second"))
    return dt.datetime(int(texts["year"]), number, day, hour, minute, second, tzinfo=dt.UTC).timestamp()
