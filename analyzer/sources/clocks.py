"""The clock behind a source's stamps, and its stamps as UTC.

Nothing is invented: where year, zone or boot time cannot be told, the time stays unknown or the assumption is named.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from analyzer.model.stamps import RawStamp, StampKind
from analyzer.sources.shared_messages import Walls, boot_from_shared
from analyzer.sources.statements import Statement, read_statement
from analyzer.sources.summer_time import Changes, changes, in_doubt_s, offsets, stated_changes
from analyzer.sources.zones import offset_at

Seconds = npt.NDArray[np.float64]

DAY_S = 86_400.0
HALF_YEAR_S = 183 * DAY_S
LEAP_DAY = 59

ASSUMED_ZONE_S = 14 * 3600.0
"""How far a node's zone can lie from UTC: the true error of a clock whose ``zone_assumed`` is set."""

_QUARTER_S = 900.0
_NEAR_QUARTER_S = 300.0
_STEP_S = 5.0
_EARLIEST_FILE_S = dt.datetime(2005, 1, 1, tzinfo=dt.UTC).timestamp()
_FRESH_S = 2 * DAY_S
_YEAR_S = 366 * DAY_S
WEAK_YEAR = "year guessed from the file's modification time; --year states it"


class Anchor(msgspec.Struct, frozen=True):
    """A line whose own stamp stands beside a statement of the true time or of the zone.

    Attributes:
        raw_s: Seconds of the line's own stamp (``RawStamp.seconds``), NaN for a line without one.
        statement: What the line states.
    """

    raw_s: float
    statement: Statement


def anchor(name: str, captures: Sequence[bytes | None], stamp: RawStamp | None) -> Anchor | None:
    """Make an anchor of a hit of a statement's pattern (``statements.line_patterns``); None if it states no date."""
    statement = read_statement(name, captures)
    if statement is None:
        return None
    return Anchor(math.nan if stamp is None else stamp.seconds, statement)


class ClockSamples(msgspec.Struct, frozen=True):
    """What one segment says about its own clock.

    Attributes:
        kind: Kind of its stamps.
        raw_s: ``RawStamp.seconds`` in file order; at least the first and the last.
        anchors: Its lines that state the true time or the zone.
        walls: Texts of its messages by raw seconds, for ``UPTIME``; used only against another log of the same node.
        resolution_s: Granularity of its stamps.
    """

    kind: StampKind
    raw_s: Sequence[float] | Seconds = ()
    anchors: Sequence[Anchor] = ()
    walls: Walls = {}
    resolution_s: float = 1.0


class StatedBoot(msgspec.Struct, frozen=True):
    """When a node booted, as another source states it."""

    boot_s: float
    uncertainty_s: float
    why: str


class ClockHints(msgspec.Struct, frozen=True):
    """What options and the rest of the bundle say.

    Attributes:
        zone: Zone of local times by option.
        year: Year of yearless times by option (of the first line).
        stated_zone_offset_s: Offset that another source states, of this node if there is one.
        zone_why: Where it is stated.
        dated_s: UTC seconds of dated stamps elsewhere in the bundle (a few, or first and last per source).
        modified_s: Modification time of the file.
        walls: Messages of another kernel log of the same node by UTC seconds.
        boot: When the node last booted, as another of its sources states it.
    """

    zone: dt.tzinfo | None = None
    year: int | None = None
    stated_zone_offset_s: float | None = None
    zone_why: str = ""
    dated_s: Sequence[float] | Seconds = ()
    modified_s: float | None = None
    walls: Walls = {}
    boot: StatedBoot | None = None


class Clock(msgspec.Struct, frozen=True):
    """How raw stamps of one segment become UTC.

    Attributes:
        kind: Kind of the stamps.
        boot_s: UTC seconds at uptime 0, None if unknown (``UPTIME``).
        year: Year of the first stamp, None if unknown (``YEARLESS``).
        first_s: That first stamp's raw seconds; a stamp more than half a year before it lies in the next year.
        zone_offset_s: Seconds of local time east of UTC, at the last stamp.
        changes: Changes of that offset within the segment, empty without any.
        uncertainty_s: Half-width of the interval around each time, the assumed zone not counted.
        why: How all that is known, for coverage.
        zone_assumed: True when UTC was assumed for want of any statement: such times are right among each other, and
            off by up to ``ASSUMED_ZONE_S`` against others.
    """

    kind: StampKind
    boot_s: float | None = None
    year: int | None = None
    first_s: float | None = None
    zone_offset_s: float = 0.0
    changes: Changes = ()
    uncertainty_s: float = 0.5
    why: str = ""
    zone_assumed: bool = False

    @property
    def known(self) -> bool:
        """True when stamps have a UTC time."""
        if self.kind is StampKind.UPTIME:
            return self.boot_s is not None
        return self.kind is not StampKind.YEARLESS or self.year is not None


class _Zone(msgspec.Struct, frozen=True):
    offset_s: float
    why: str
    assumed: bool = False
    changes: Changes = ()
    extra_uncertainty_s: float = 0.0


def estimate(samples: ClockSamples, hints: ClockHints) -> Clock:
    """Estimate the clock of one segment.

    Sources of knowledge in order. Zone: option, the segment's own lines, elsewhere in the bundle, UTC assumed.
    Year: option, own lines, dates elsewhere in the bundle, the file's modification time if plausible. Boot time:
    own lines, the same messages in another kernel log of the node.
    """
    if samples.kind is StampKind.UTC:
        return Clock(StampKind.UTC, uncertainty_s=samples.resolution_s / 2, why="stamps state their zone")
    if samples.kind is StampKind.UPTIME:
        return _uptime(samples, hints)
    if samples.kind is StampKind.YEARLESS:
        return _yearless(samples, hints)
    zone = _zone(samples, hints, _zone_by_anchors(samples.anchors), _last(samples.raw_s))
    if hints.zone is None:
        zones = [(a.raw_s, a.statement.zone_offset_s) for a in _stamped(samples.anchors)]
        zone = msgspec.structs.replace(zone, changes=stated_changes((at, z) for at, z in zones if z is not None))
    return _local(StampKind.LOCAL, samples, zone, None, "")


def to_utc(stamps: Sequence[float] | Seconds, clock: Clock) -> Seconds:
    """Convert raw seconds of one segment, in file order, to UTC seconds.

    Args:
        stamps: Shape (n,), ``RawStamp.seconds``; NaN stays NaN. For ``YEARLESS`` the order tells the years apart.
        clock: The segment's clock.

    Returns:
        Shape (n,), epoch seconds; NaN where the clock does not know the time.
    """
    raw = np.asarray(stamps, dtype=np.float64)
    if not clock.known:
        return np.full(raw.shape, np.nan)
    if clock.kind is StampKind.UTC:
        return raw.copy()
    if clock.kind is StampKind.UPTIME:
        return raw + (clock.boot_s or 0.0)
    if clock.kind is StampKind.LOCAL:
        return _without_zone(raw, clock)
    if clock.first_s is None:
        return _without_zone(_dated(raw, (clock.year or 0) + _years_passed(raw)), clock)
    passed = _years_passed(np.concatenate(([clock.first_s], raw)))[1:]
    return _without_zone(_dated(raw, (clock.year or 0) + passed), clock)


def _without_zone(local: Seconds, clock: Clock) -> Seconds:
    return local - (offsets(local, clock.changes) if clock.changes else clock.zone_offset_s)


def _local(kind: StampKind, samples: ClockSamples, zone: _Zone, year: int | None, year_why: str) -> Clock:
    return Clock(
        kind,
        year=year,
        first_s=_first(samples.raw_s) if year is not None and len(samples.raw_s) else None,
        zone_offset_s=zone.offset_s,
        changes=zone.changes,
        uncertainty_s=samples.resolution_s / 2 + zone.extra_uncertainty_s,
        why="; ".join(part for part in (year_why, zone.why) if part),
        zone_assumed=zone.assumed,
    )


def _zone(samples: ClockSamples, hints: ClockHints, own: float | None, local_s: float) -> _Zone:
    if hints.zone is not None:
        return _by_option(samples, hints.zone, local_s)
    if own is not None:
        return _Zone(own, f"zone UTC{_signed(own)} by the log's own lines")
    if hints.stated_zone_offset_s is not None:
        where = hints.zone_why or "another source"
        return _Zone(hints.stated_zone_offset_s, f"zone UTC{_signed(hints.stated_zone_offset_s)} as in {where}")
    return _Zone(0.0, "zone not stated, UTC assumed; --timezone states it", assumed=True)


def _by_option(samples: ClockSamples, zone: dt.tzinfo, local_s: float) -> _Zone:
    """In an hour that comes twice and whose lines do not tell which it is, an hour of doubt."""
    raw = np.asarray(samples.raw_s, dtype=np.float64)
    local = raw + (local_s - _last(samples.raw_s))
    span_s = max(local_s - float(np.nanmin(local, initial=local_s)), 0.0)
    known = changes(zone, local_s - min(span_s, _YEAR_S), local_s)
    offset = offset_at(zone, local_s)
    why = f"zone UTC{_signed(offset)} by option"
    if len(known) < 2:
        return _Zone(offset, why)
    why += f", UTC{_signed(known[0][1])} before the clocks changed"
    return _Zone(offset, why, changes=known, extra_uncertainty_s=in_doubt_s(local, known))


def _stamped(anchors: Sequence[Anchor]) -> list[Anchor]:
    return [anchor for anchor in anchors if not math.isnan(anchor.raw_s)]


def _zone_by_anchors(anchors: Sequence[Anchor]) -> float | None:
    """Offset that lines state themselves, or that true times beside local stamps imply."""
    stated = [a.statement.zone_offset_s for a in anchors if a.statement.zone_offset_s is not None]
    if stated:
        return stated[0]
    implied = [a.raw_s - a.statement.utc_s for a in _stamped(anchors) if a.statement.utc_s is not None]
    return _quarter(float(np.median(implied))) if implied else None


def _quarter(difference_s: float) -> float | None:
    """The zone offset that a difference means; None if it is none (a log written long after the fact)."""
    nearest = round(difference_s / _QUARTER_S) * _QUARTER_S
    if abs(nearest) > ASSUMED_ZONE_S or abs(nearest - difference_s) > _NEAR_QUARTER_S:
        return None
    return nearest


def _yearless(samples: ClockSamples, hints: ClockHints) -> Clock:
    raw = np.asarray(samples.raw_s, dtype=np.float64)
    raw = raw[~np.isnan(raw)]
    years = _years_passed(raw)
    anchored = _year_by_anchors(samples.anchors, raw, years)
    first_year, why, offset = anchored if anchored is not None else (None, "", None)
    if hints.year is not None:
        first_year, why = hints.year, "year by option"
    elif first_year is None and len(raw):
        first_year, why = _year_elsewhere(raw, years, hints, samples.anchors)
    if first_year is None:
        return Clock(StampKind.YEARLESS, why="year unknown; --year states it", zone_assumed=True)
    end_s = float(_dated(raw[-1:], np.asarray([first_year + years[-1]]))[0]) if len(raw) else 0.0
    return _local(StampKind.YEARLESS, samples, _zone(samples, hints, offset, end_s), first_year, why)


def _year_by_anchors(
    anchors: Sequence[Anchor], raw: Seconds, years: npt.NDArray[np.int64]
) -> tuple[int, str, float | None] | None:
    """Year of the first stamp and zone offset, by the first line that states the true time."""
    for anchor in _stamped(anchors):
        utc_s = anchor.statement.utc_s
        if utc_s is None or not len(raw):
            continue
        stated = dt.datetime.fromtimestamp(utc_s, dt.UTC).year
        choices = np.arange(stated - 1, stated + 2)
        distances = _dated(np.full(3, anchor.raw_s), choices) - utc_s
        best = int(np.argmin(np.abs(distances)))
        passed = int(years[int(np.argmin(np.abs(raw - anchor.raw_s)))])
        offset = anchor.statement.zone_offset_s
        offset = _quarter(float(distances[best])) if offset is None else offset
        return int(choices[best]) - passed, "year by the log's own lines", offset
    return None


def _year_elsewhere(
    raw: Seconds, years: npt.NDArray[np.int64], hints: ClockHints, anchors: Sequence[Anchor]
) -> tuple[int | None, str]:
    """Year of the first stamp by a header's date, other sources' dates, or the modification time."""
    passed = int(years[-1])
    headers = [a.statement.utc_s for a in anchors if a.statement.utc_s is not None and math.isnan(a.raw_s)]
    if headers:
        return _nearest_year(raw[-1], headers[-1]) - passed, "year by the log's own header"
    dated = np.asarray(hints.dated_s, dtype=np.float64)
    dated = dated[np.isfinite(dated)]
    if len(dated):
        middle = float(np.median(dated))
        year = _nearest_year(raw[-1], middle)
        return year - passed, "year by the dates of other sources"
    modified = hints.modified_s
    if modified is None or modified < _EARLIEST_FILE_S:
        return None, ""
    year = dt.datetime.fromtimestamp(modified, dt.UTC).year
    last = _dated(np.full(2, raw[-1]), np.asarray([year, year - 1]))
    age = modified + DAY_S - last
    year, age_s = (year, float(age[0])) if age[0] >= 0 else (year - 1, float(age[1]))
    if age_s <= _FRESH_S + DAY_S:
        return year - passed, "year by the file's modification time"
    if age_s > _YEAR_S or _normalised(modified):
        return None, ""
    return year - passed, WEAK_YEAR


def _normalised(modified_s: float) -> bool:
    """A modification time set by a packer (midnight of a first of January), not by writing."""
    moment = dt.datetime.fromtimestamp(modified_s, dt.UTC)
    return (moment.month, moment.day, moment.hour, moment.minute, moment.second) == (1, 1, 0, 0, 0)


def _nearest_year(raw_s: float, moment_s: float) -> int:
    year = dt.datetime.fromtimestamp(moment_s, dt.UTC).year
    choices = np.arange(year - 1, year + 2)
    return int(choices[int(np.argmin(np.abs(_dated(np.full(3, raw_s), choices) - moment_s)))])


def _years_passed(raw: Seconds) -> npt.NDArray[np.int64]:
    """Years since the first stamp, per stamp: a jump back by more than half a year is a New Year passed."""
    if not len(raw):
        return np.zeros(0, dtype=np.int64)
    known = np.flatnonzero(~np.isnan(raw))
    if not len(known):
        return np.zeros(raw.shape, dtype=np.int64)
    before = np.maximum.accumulate(np.where(np.isnan(raw), 0, np.arange(len(raw))))
    filled = raw[np.maximum(before, known[0])]
    steps = np.diff(filled, prepend=filled[0])
    turns = (steps < -HALF_YEAR_S).astype(np.int64) - (steps > HALF_YEAR_S).astype(np.int64)
    return np.cumsum(turns)


def _dated(raw: Seconds, years: npt.NDArray[np.int64]) -> Seconds:
    """Seconds since the epoch of yearless stamps in given years; 29 February in a common year is 1 March."""
    start = (years - 1970).astype("datetime64[Y]").astype("datetime64[s]").astype(np.int64).astype(np.float64)
    leap = (years % 4 == 0) & ((years % 100 != 0) | (years % 400 == 0))
    shift = np.where(~leap & (raw >= (LEAP_DAY + 1) * DAY_S), DAY_S, 0.0)
    dated: Seconds = start + raw - shift
    return dated


def _uptime(samples: ClockSamples, hints: ClockHints) -> Clock:
    anchored = [a for a in _stamped(samples.anchors) if a.statement.utc_s is not None]
    if anchored:
        return _boot_by_anchors(anchored)
    shared = boot_from_shared(samples.walls, hints.walls)
    if shared is not None:
        why = f"boot time by {shared.messages} messages shared with another log of the node"
        return Clock(StampKind.UPTIME, shared.boot_s, uncertainty_s=shared.uncertainty_s, why=why)
    if hints.boot is not None:
        why = f"boot time by {hints.boot.why}"
        return Clock(StampKind.UPTIME, hints.boot.boot_s, uncertainty_s=hints.boot.uncertainty_s, why=why)
    return Clock(StampKind.UPTIME, why="boot time unknown: no line states the date")


def _boot_by_anchors(anchors: Sequence[Anchor]) -> Clock:
    """Boot time by the most precise statements; where the node's clock was set meanwhile, by the late ones."""
    best = min(anchor.statement.uncertainty_s for anchor in anchors)
    chosen = [anchor for anchor in anchors if anchor.statement.uncertainty_s <= best]
    boots = np.asarray([(anchor.statement.utc_s or 0.0) - anchor.raw_s for anchor in chosen])
    agreeing = boots[np.abs(boots - boots[-1]) <= _STEP_S]
    boot_s = float(np.median(agreeing))
    spread = float(np.percentile(np.abs(agreeing - boot_s), 90))
    why = f"boot time by {len(agreeing)} of the log's own lines ({chosen[-1].statement.name})"
    if len(agreeing) < len(boots):
        why += "; the clock was set meanwhile"
    return Clock(StampKind.UPTIME, boot_s, uncertainty_s=max(best, spread), why=why)


def _first(raw: Sequence[float] | Seconds) -> float:
    return float(raw[0]) if len(raw) else 0.0


def _last(raw: Sequence[float] | Seconds) -> float:
    return float(raw[-1]) if len(raw) else 0.0


def _signed(offset_s: float) -> str:
    minutes = round(abs(offset_s) / 60)
    return f"{'-' if offset_s < 0 else '+'}{minutes // 60:02}:{minutes % 60:02}"
