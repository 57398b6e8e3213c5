"""OTDR trace files: .sor in Bellcore GR-196 (1.x) and Telcordia SR-4731 (2.x)."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Any

import msgspec

from analyzer.model.formats import Dump, Format, Problem, Sniff
from analyzer.model.tables import Row
from parsers import _otdr
from parsers._sor_blocks import Event, Fixed, General, Summary, Supplier, fixed, general, key_events, supplier
from parsers._sor_map import read_map, version_of
from parsers._sor_trace import Trace, checksum, read_trace, step_db

FORMAT = Format("otdr-sor", "table", frozenset({"otdr"}), "OTDR trace file (.sor)")
TABLES = (_otdr.TRACES, _otdr.EVENTS)

_NAME = re.compile(r"\.sor(?:\.gz|\.bz2|\.xz|\.zst)?$", re.IGNORECASE)
_KINDS = {"0": "non-reflective", "1": "reflective", "2": "saturated"}
_UNMEASURED = frozenset({0, -(2**31), -(2**31) + 1})
_MAX_LOSS_DB = 32.0
_MIN_REFLECTANCE_DB = -95.0
_MIN_POSITION_M = -100.0


class _File(msgspec.Struct, frozen=True):
    """All blocks of one file, and where the file lies."""

    path: str
    general: General
    supplier: Supplier
    fixed: Fixed
    events: list[Event]
    summary: Summary | None
    trace: Trace
    checksum: str
    others: tuple[str, ...]
    origin_m: float

    def launch_m(self) -> float:
        """The declared launch fibre."""
        return self.fixed.metres(self.general.user_offset)

    def port_m(self) -> float:
        """Where the instrument's own port lies on the scale of the events."""
        return self.origin_m - self.launch_m()

    def sample_m(self, number: int) -> float | None:
        """Position of a sample on the scale of the events."""
        spacing = self.fixed.spacing_m()
        return (
            None if spacing is None else self.port_m() + self.fixed.metres(self.fixed.first_sample) + spacing * number
        )


def sniff(head: bytes, path: str) -> Sniff | None:
    """Judge by the map at the start; a damaged file is still recognised by its name."""
    version = version_of(head)
    if version == 2:
        return Sniff(100, "begins with the map of an SR-4731 trace file")
    if version == 1:
        return Sniff(90, "begins with the map of a GR-196 trace file")
    return Sniff(30, "file name ends in .sor") if _NAME.search(path) else None


def parse(data: bytes, path: str) -> Dump:
    """Read one trace file as far as it holds.

    Rows of ``otdr_events`` carry the event's place in the file's own order, from 1, in ``Row.event``.
    """
    version = version_of(data)
    if version is None:
        return Dump((_lost_row(path),), (Problem("no map at the start: not a .sor trace, or damaged beyond reading"),))
    layout = read_map(data, version)
    problems = list(layout.problems)
    about = general(data, layout, problems)
    made_by, how = supplier(data, layout, problems), fixed(data, layout, problems)
    events, summary = key_events(data, layout, problems)
    trace = read_trace(data, layout, problems)
    origin_m = _origin_m(about, how, events, summary)
    file = _File(path, about, made_by, how, events, summary, trace, checksum(data, layout), layout.others, origin_m)
    complete = not problems
    rows = _event_rows(file, problems)
    return Dump((_trace_row(file, rows, complete), *rows), tuple(problems))


def _origin_m(about: General, how: Fixed, events: Sequence[Event], summary: Summary | None) -> float:
    """Where the link begins on the scale of the events."""
    positions = [how.metres(event.time) for event in events]
    from_m = how.metres(summary.from_time) if summary else None
    return _otdr.origin_m(how.metres(about.user_offset), positions, from_m, how.near_m())


def _lost_row(path: str) -> Row:
    """The trace that a file without a map should have held."""
    fibre = _otdr.fibre_key(None, None, path)
    values = {"trace": 1, "fibre": fibre, "link": _otdr.link_id(fibre), "wavelength_nm": _otdr.wavelength(path)}
    return Row(_otdr.TRACES.name, values | {"events": 0, "has_end_event": False, "complete": False}, text="no trace")


def _identity(file: _File) -> dict[str, Any]:
    about = file.general
    cable, fibre_id = _otdr.given(about.cable), _otdr.given(about.fibre_id)
    fibre = _otdr.fibre_key(fibre_id, cable, file.path)
    return {
        "trace": 1,
        "fibre": fibre,
        "link": _otdr.link_id(fibre, cable, about.cable_code, about.comment),
        "cable": cable,
        "fibre_id": fibre_id,
        "location_a": _otdr.given(about.location_a),
        "location_b": _otdr.given(about.location_b),
        "wavelength_nm": _wavelength(file),
        "direction": _otdr.direction(_otdr.stem(file.path)),
    }


def _wavelength(file: _File) -> int | None:
    stated = (file.general.wavelength_nm, file.fixed.wavelength_nm)
    known = (nm for nm in (_otdr.nominal_nm(value) for value in stated) if nm)
    return next(known, None) or _otdr.wavelength(_otdr.stem(file.path))


def _event_rows(file: _File, problems: list[Problem]) -> list[Row]:
    identity = _identity(file)
    positions = [_position(file, event, problems) for event in file.events]
    placed = sorted(position for position in positions if position is not None)
    start = _start_index(file, positions)
    rows = []
    for index, event in enumerate(file.events):
        values = identity | _measured(event, positions[index], problems)
        values["is_start"] = index == start or event.code[1:2] == "S"
        values["trace_loss_db"] = None if values["is_end"] else _step(file, placed, positions[index])
        rows.append(Row(_otdr.EVENTS.name, values, event=index + 1, text=_otdr.event_text(index + 1, values)))
    return rows


def _position(file: _File, event: Event, problems: list[Problem]) -> float | None:
    """Metres from the instrument; None when the stored time lies far outside the trace."""
    metres = file.fixed.metres(event.time)
    reach = file.sample_m(file.trace.declared)
    beyond = reach is not None and reach > 0 and metres > reach * 1.02
    if beyond or metres < file.port_m() + _MIN_POSITION_M:
        problems.append(Problem(f"event {event.number} at {metres:.0f} m lies outside the trace"))
        return None
    return round(metres, 3)


def _start_index(file: _File, positions: Sequence[float | None]) -> int | None:
    """Index of the event that is the instrument's own port, or lies before the link; None if there is none."""
    placed = [(position, index) for index, position in enumerate(positions) if position is not None]
    if not placed:
        return None
    position, index = min(placed)
    before_link = position < -file.fixed.near_m()
    return index if before_link or abs(position - file.port_m()) <= file.fixed.near_m() else None


def _measured(event: Event, position_m: float | None, problems: list[Problem]) -> dict[str, Any]:
    note = event.code[1:2]
    is_end = note in ("E", "D")
    kind = "out-of-range" if note == "O" else _KINDS.get(event.code[:1], "unknown")
    loss: float | None = None if note == "O" else event.loss_db
    if abs(event.loss_db) > _MAX_LOSS_DB:
        problems.append(Problem(f"event {event.number}: loss {event.loss_db} dB is impossible"))
        loss = None
    return {
        "number": event.number,
        "kind": kind,
        "position_m": position_m,
        "loss_db": None if is_end and loss == 0 else loss,
        "reflectance_db": _reflectance(event, problems),
        "reflectance_is_limit": kind == "saturated",
        "slope_db_km": event.slope_db_km or None,
        "is_end": is_end,
        "is_edited": note in ("A", "M", "D"),
        "says_bend": False,
        "comment": _otdr.given(event.comment),
    }


def _reflectance(event: Event, problems: list[Problem]) -> float | None:
    """Decibels, negative; some writers drop the sign, and three values mean that nothing was measured."""
    if event.reflectance_raw in _UNMEASURED:
        return None
    value = -abs(event.reflectance_raw) / 1000
    if value < _MIN_REFLECTANCE_DB:
        problems.append(Problem(f"event {event.number}: reflectance {value} dB is impossible"))
        return None
    return value


def _step(file: _File, placed: Sequence[float], at_m: float | None) -> float | None:
    """Step in the samples at an event, between its neighbours in ``placed`` (all positions in order)."""
    first, last = file.sample_m(0), file.sample_m(file.trace.level_db.size)
    if at_m is None or first is None or last is None:
        return None
    low, high = bisect_left(placed, at_m), bisect_right(placed, at_m)
    before = placed[low - 1] if low else file.port_m()
    after = placed[high] if high < len(placed) else last
    return step_db(file.trace, file.fixed, at_m - first, at_m - before, after - at_m)


def _trace_row(file: _File, events: Sequence[Row], complete: bool) -> Row:
    how, about = file.fixed, file.general
    end_m = _end_m(events)
    origin_m = round(file.origin_m, 3)
    values = _identity(file) | {
        "port": _otdr.switch_port(about.cable_code, about.comment),
        "pulse_ns": float(max(how.pulses_ns)) if how.pulses_ns else None,
        "range_m": None if how.range_time is None else round(how.metres(how.range_time), 1),
        "group_index": how.group_index,
        "averaging_s": how.averaging_s,
        "launch_m": round(file.launch_m(), 3),
        "origin_m": origin_m,
        "end_m": end_m,
        "length_m": None if end_m is None else round(end_m - origin_m, 3),
        "total_loss_db": file.summary.total_loss_db if file.summary and file.summary.total_loss_db else None,
        "orl_db": file.summary.orl_db if file.summary and file.summary.orl_db else None,
        "events": len(events),
        "has_end_event": any(row.values["is_end"] for row in events),
        "supplier": _otdr.given(file.supplier.supplier),
        "model": _otdr.given(f"{file.supplier.mainframe} {file.supplier.module}"),
        "comment": _otdr.given(about.comment),
        "taken_s": float(how.taken_s),
        "fibre_type": about.fibre_type or None,
        "loss_threshold_db": how.loss_threshold_db,
        "reflectance_threshold_db": how.reflectance_threshold_db,
        "end_threshold_db": how.end_threshold_db,
        "spacing_m": how.spacing_m(),
        "trace_end_m": file.sample_m(file.trace.level_db.size),
        "samples": int(file.trace.level_db.size),
        "trace_digest": file.trace.digest or None,
        "checksum": file.checksum,
        "other_blocks": list(file.others),
        "complete": complete,
    }
    return Row(_otdr.TRACES.name, values, text=_trace_text(values))


def _end_m(events: Sequence[Row]) -> float | None:
    """Position of the end event, of the last event where none is marked."""
    marked = [row for row in events if row.values["is_end"]]
    placed = [row.values["position_m"] for row in marked or events if row.values["position_m"] is not None]
    return max(placed, default=None)


def _trace_text(values: dict[str, Any]) -> str:
    end = "no event" if values["end_m"] is None else f"{values['events']} events up to {values['end_m']:.2f} m"
    return f"{values['fibre']} at {values['wavelength_nm']} nm, pulse {values['pulse_ns']} ns: {end}"
