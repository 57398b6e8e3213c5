"""Collects what an OTDR report says, line by line, and turns it into rows of the shared tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from analyzer.model.tables import Row
from parsers import _otdr
from parsers import _otdr_words as words

_NUMBERS = {
    "pulse": "pulse_ns",
    "range": "range_m",
    "averaging": "averaging_s",
    "index": "group_index",
    "launch": "launch_m",
    "total_loss": "total_loss_db",
    "orl": "orl_db",
    "length": "stated_length_m",
}
_NEAR_M = 1.0
_NANOSECONDS = {"us": 1000.0, "µs": 1000.0, "μs": 1000.0}


class Event(msgspec.Struct, frozen=True):
    """One event line: its values, line number and text."""

    values: dict[str, Any]
    line: int
    text: str


class Measured(msgspec.Struct):
    """One trace of the report while its lines are read."""

    identity: dict[str, Any]
    about: dict[str, str]
    numbers: dict[str, float]
    line: int
    text: str
    events: list[Event] = msgspec.field(default_factory=list)

    def positions(self) -> list[float]:
        """Positions of the events."""
        return [event.values["position_m"] for event in self.events]

    def origin_m(self) -> float:
        """Where the link begins on the scale of the events."""
        return _otdr.origin_m(self.numbers.get("launch_m", 0.0), self.positions(), None, _NEAR_M)


class Report:
    """State of one report: what was said so far about the fibre and the measurement, and the traces found."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.about: dict[str, str] = {}
        self.numbers: dict[str, float] = {}
        self.wavelengths: list[int] = []
        self.table = 0
        self.traces: dict[tuple[int, str, int | None, str | None], Measured] = {}
        self._slope: float | None = None

    def say(self, field: str, value: str, unit: str = "") -> None:
        """Take a labelled value: it holds for what follows, numbers also for the running measurement."""
        if field == "wavelength":
            self.measure_at(words.wavelengths(value if "nm" in value.lower() else f"{value} nm"))
        elif field in _NUMBERS:
            self._number(field, value, unit)
        elif self.about.get(field) != value:
            self.about = self.about | {field: value}

    def measure_at(self, wavelengths: list[int]) -> None:
        """A line names wavelengths: when they change, another measurement begins."""
        if wavelengths and wavelengths != self.wavelengths:
            self.wavelengths = wavelengths
            self.numbers = {key: value for key, value in self.numbers.items() if key == "launch_m"}

    def begin_table(self) -> None:
        """A header line was read."""
        self.table += 1
        self._slope = None

    def _number(self, field: str, value: str, unit: str) -> None:
        found = words.number(value)
        if found is None:
            return
        unit = found.unit or unit
        scale = _NANOSECONDS.get(unit, 1.0) if field == "pulse" else words.METRES.get(unit, 1.0)
        self.numbers[_NUMBERS[field]] = round(found.value * scale, 6)

    def section(self, slope: str) -> None:
        """A row about the fibre between two events: its attenuation belongs to the next event."""
        found = words.number(slope)
        self._slope = None if found is None else found.value

    def event(
        self, said: Mapping[str, str], position_m: float, wavelength_nm: int | None, line: int, text: str
    ) -> None:
        """Add one event.

        Args:
            said: Cells by field.
            position_m: Where it is.
            wavelength_nm: Wavelength of the row, if it names one.
            line: Line number.
            text: The line.
        """
        trace = self._trace(said, wavelength_nm, line, text)
        kind = words.kind(said.get("kind", "")) or words.kind(said.get("number", "")) or words.Kind()
        loss, reflectance = words.number(said.get("loss", "")), words.number(said.get("reflectance", ""))
        limit = reflectance is not None and (reflectance.mark in (">", "≥") or reflectance.saturated)
        number, slope = words.number(said.get("number", "")), words.number(said.get("slope", ""))
        values = trace.identity | {
            "number": int(number.value) if number else None,
            "kind": _kind(kind, reflectance, limit),
            "position_m": position_m,
            "loss_db": None if loss is None or (kind.is_end and loss.value == 0) else loss.value,
            "reflectance_db": None if reflectance is None or reflectance.value == 0 else -abs(reflectance.value),
            "reflectance_is_limit": limit,
            "slope_db_km": slope.value if slope else self._slope,
            "is_start": kind.is_start,
            "is_end": kind.is_end,
            "is_edited": "*" in text,
            "says_bend": kind.says_bend,
            "verdict": _verdict(said.get("verdict", "")),
            "comment": _otdr.given(said.get("comment")),
        }
        self._slope = None
        trace.events.append(Event(values, line, text))

    def _trace(self, said: Mapping[str, str], wavelength_nm: int | None, line: int, text: str) -> Measured:
        about = self.about | {key: said[key] for key in ("fibre", "cable", "direction") if said.get(key)}
        nm = wavelength_nm or (self.wavelengths[0] if self.wavelengths else None)
        identity = self._identity(about, nm or _otdr.wavelength(_otdr.stem(self.path)))
        key = (self.table, identity["fibre"], identity["wavelength_nm"], identity["direction"])
        if key not in self.traces:
            identity["trace"] = len(self.traces) + 1
            self.traces[key] = Measured(identity, about, self.numbers, line, text)
        return self.traces[key]

    def _identity(self, about: Mapping[str, str], wavelength_nm: int | None) -> dict[str, Any]:
        cable, fibre_id = _otdr.given(about.get("cable")), _otdr.given(about.get("fibre"))
        fibre = _otdr.fibre_key(fibre_id, cable, self.path)
        return {
            "trace": 0,
            "fibre": fibre,
            "link": _otdr.link_id(fibre, cable, about.get("comment"), _otdr.stem(self.path)),
            "cable": cable,
            "fibre_id": fibre_id,
            "location_a": _otdr.given(about.get("location_a")),
            "location_b": _otdr.given(about.get("location_b")),
            "wavelength_nm": wavelength_nm,
            "direction": _otdr.direction(about.get("direction")) or _otdr.direction(_otdr.stem(self.path)),
        }

    def rows(self) -> list[Row]:
        """All rows: each trace, then its events."""
        return [row for trace in self.traces.values() for row in (_trace_row(trace), *_event_rows(trace))]


def _unmarked_end(trace: Measured) -> Event | None:
    """The last event, where the report has no word for the end but gives every event a loss except this one."""
    if len(trace.events) < 2 or any(event.values["is_end"] or event.values["kind"] == "echo" for event in trace.events):
        return None
    last = max(trace.events, key=lambda event: float(event.values["position_m"]))
    others = (event.values["loss_db"] is not None for event in trace.events if event is not last)
    return last if last.values["loss_db"] is None and all(others) else None


def _event_rows(trace: Measured) -> list[Row]:
    """Rows of a trace's events; the instrument's own port, and all before the link, are marked as start."""
    port_m = trace.origin_m() - trace.numbers.get("launch_m", 0.0)
    first = min(trace.positions(), default=0.0)
    end = _unmarked_end(trace)
    rows = []
    for event in trace.events:
        at_m = event.values["position_m"]
        starts = at_m < -_NEAR_M or (at_m == first and abs(at_m - port_m) <= _NEAR_M)
        is_end = event is end or event.values["is_end"]
        values = event.values | {"is_start": event.values["is_start"] or starts, "is_end": is_end}
        rows.append(Row(_otdr.EVENTS.name, values, line=event.line, text=event.text))
    return rows


def _kind(kind: words.Kind, reflectance: words.Number | None, limit: bool) -> str:
    if limit:
        return "saturated"
    return kind.kind or ("reflective" if reflectance is not None else "non-reflective")


def _verdict(cell: str) -> str | None:
    word = cell.strip().lower()
    return {"pass": "pass", "p": "pass", "fail": "fail", "f": "fail"}.get(word)


def _trace_row(trace: Measured) -> Row:
    numbers = dict(trace.numbers)
    stated = numbers.pop("stated_length_m", None)
    real = [event for event in trace.events if event.values["kind"] != "echo"]
    end = _unmarked_end(trace)
    marked = [event for event in real if event is end or event.values["is_end"]]
    end_m = max((event.values["position_m"] for event in marked or real), default=None)
    origin_m = trace.origin_m()
    found = {
        "port": _otdr.switch_port(trace.about.get("comment")),
        "launch_m": numbers.get("launch_m", 0.0),
        "origin_m": origin_m,
        "end_m": end_m,
        "length_m": round(end_m - origin_m, 3) if end_m is not None else stated,
        "events": len(real),
        "has_end_event": bool(marked),
        "model": _otdr.given(trace.about.get("model")),
        "comment": _otdr.given(trace.about.get("comment")),
        "complete": True,
    }
    values = trace.identity | numbers | found
    return Row(_otdr.TRACES.name, values, line=trace.line, text=trace.text)
