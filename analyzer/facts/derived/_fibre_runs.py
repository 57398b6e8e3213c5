"""Measurements of one fibre, brought to one scale: metres from the A end of the link, launch fibre excluded."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
import polars as pl

PULSE_M_PER_NS = 0.102
"""Length of a pulse in the fibre, one way."""
LEAST_TOLERANCE_M = 0.5
POSITION_SHARE = 0.005
AGREE_M = 2.0
AGREE_SHARE = 0.02
"""Lengths from both ends of a whole fibre agree within these, as design and measured lengths do."""
Values = Mapping[str, Any]


class Point(msgspec.Struct, frozen=True):
    """One measured event.

    Attributes:
        at_m: Metres from the A end of the link; negative inside the launch fibre.
        row: The event's row in ``otdr_events``.
    """

    at_m: float
    row: Values


class Run(msgspec.Struct, frozen=True):
    """One measurement: one wavelength, one direction.

    Attributes:
        trace: Its row in ``otdr_traces``.
        mirrored: True when it was taken from the B end and turned round.
        origin_m: Where the link begins on the scale of its events.
        end_m: The fibre's end on the common scale of distance, from this run's own start.
        points: Events in order of position.
        turn_m: Length of the fibre that a mirrored run was turned round by.
    """

    trace: Values
    mirrored: bool
    origin_m: float
    end_m: float | None
    points: tuple[Point, ...]
    turn_m: float | None = None

    def own_m(self, at_m: float) -> float:
        """Distance of a place from the run's own start."""
        return self.turn_m - at_m if self.mirrored and self.turn_m is not None else at_m

    def from_port_m(self, point: Point) -> float:
        """Distance of an event from the instrument's port, the launch fibre included."""
        at_m: float = point.row["position_m"] - self.origin_m + (self.trace["launch_m"] or 0.0)
        return at_m

    @property
    def wavelength_nm(self) -> int | None:
        """Nominal wavelength."""
        value = self.trace["wavelength_nm"]
        return None if value is None else int(value)

    def tolerance_m(self, at_m: float) -> float:
        """Positions nearer than this are one place: pulse length, 0.5 %, two samples, at least half a metre."""
        pulse_m = (self.trace["pulse_ns"] or 0.0) * PULSE_M_PER_NS
        spacing_m = self.trace["spacing_m"] or 0.0
        return max(LEAST_TOLERANCE_M, pulse_m, POSITION_SHARE * abs(at_m), 2 * spacing_m)

    def covers(self, at_m: float) -> bool:
        """True if the place lies inside the fibre as this run saw it, clear of both ends."""
        if self.end_m is None:
            return False
        own_m = self.own_m(at_m)
        margin = self.tolerance_m(own_m)
        return margin < own_m < self.end_m - margin


class Fibre(msgspec.Struct, frozen=True):
    """All measurements of one fibre that count, and its row of the cable schedule."""

    key: str
    runs: tuple[Run, ...]
    schedule: Values | None

    def length_m(self) -> float | None:
        """The longest fibre that any run saw to its end event; None without an end event."""
        return max(
            (run.end_m for run in self.runs if run.end_m is not None and run.trace["has_end_event"]), default=None
        )

    def first(self, column: str) -> Any:
        """The first value that any of its traces states."""
        return next((run.trace[column] for run in self.runs if run.trace[column] is not None), None)

    def largest(self, column: str) -> float | None:
        """The largest value of its traces."""
        return max((run.trace[column] for run in self.runs if run.trace[column] is not None), default=None)

    def direction_count(self) -> int:
        """1, or 2 when it was measured from both ends."""
        return len({run.mirrored for run in self.runs})


def fibres(frames: Mapping[str, pl.DataFrame]) -> list[Fibre]:
    """All measured fibres in order of their first trace."""
    events: dict[tuple[int, int], list[Values]] = defaultdict(list)
    for row in rows(frames, "otdr_events"):
        events[row["source"], row["trace"]].append(row)
    traces: dict[str, list[Values]] = defaultdict(list)
    for row in rows(frames, "otdr_traces"):
        traces[row["fibre"]].append(row)
    schedule = rows(frames, "cable_schedule")
    return [_fibre(key, found, events, schedule) for key, found in traces.items()]


def rows(frames: Mapping[str, pl.DataFrame], name: str) -> list[dict[str, Any]]:
    """Rows of a frame; none if it is missing."""
    frame = frames.get(name)
    return [] if frame is None else frame.to_dicts()


def _fibre(
    key: str, traces: Sequence[Values], events: Mapping[tuple[int, int], Sequence[Values]], schedule: Sequence[Values]
) -> Fibre:
    planned = planned_row(traces[0], schedule)
    directions = _directions(traces, planned)
    chosen: dict[tuple[int | None, bool], Values] = {}
    for trace, backward in zip(traces, directions, strict=True):
        known = chosen.get((trace["wavelength_nm"], backward))
        if known is None or _worth(trace) > _worth(known):
            chosen[trace["wavelength_nm"], backward] = trace
    turn = len({backward for _, backward in chosen}) == 2
    round_about = _turn(chosen.values(), planned)
    runs = [
        _run(trace, events.get((trace["source"], trace["trace"]), ()), backward and turn, round_about, traces)
        for (_, backward), trace in sorted(chosen.items(), key=lambda item: (item[0][1], item[0][0] or 0))
    ]
    return Fibre(key, tuple(runs), planned)


def planned_row(trace: Values, schedule: Sequence[Values]) -> Values | None:
    """The schedule's row for a trace: by link, by port, by both panels, by a fibre of the cable, by a lone cable."""
    if trace["link"] is not None:
        named = [row for row in schedule if row["link"] == trace["link"]]
        if named:
            return named[0]
    ends = {trace["location_a"], trace["location_b"]}
    same = [row for row in schedule if trace["cable"] is not None and row["cable"] == trace["cable"]]
    number = _fibre_number(trace["fibre_id"])
    choices = (
        [row for row in schedule if trace["port"] is not None and row["port"] == trace["port"]],
        [row for row in schedule if None not in ends and {row["panel_a"], row["panel_b"]} == ends],
        [
            row
            for row in same
            if number is not None and (row["first_fibre"] or 0) <= number <= (row["last_fibre"] or -1)
        ],
        same,
    )
    return next((rows[0] for rows in choices if len(rows) == 1), None)


def _fibre_number(fibre_id: str | None) -> int | None:
    """Number of a fibre in its trunk, for ids that are a number with at most a few letters before it."""
    match = re.fullmatch(r"[A-Za-z]{0,6}[ _#.-]?(\d{1,4})", fibre_id or "")
    return int(match[1]) if match else None


def _directions(traces: Sequence[Values], planned: Values | None) -> list[bool]:
    """Per trace whether it was taken from the B end: as it says, else by its locations."""
    stated = [trace for trace in traces if trace["direction"] == "AB" and trace["location_a"]]
    start = planned["panel_a"] if planned and planned["panel_a"] else None
    if not any(start == trace["location_a"] for trace in traces):
        start = (stated[0] if stated else traces[0])["location_a"]
    return [
        trace["direction"] == "BA" if trace["direction"] else start is not None and trace["location_b"] == start
        for trace in traces
    ]


def _worth(trace: Values) -> tuple[bool, bool, float]:
    """Trace files win over reports, whole tables over cut ones, later measurements over earlier ones."""
    return bool(trace["has_end_event"]), trace["samples"] is not None, trace["taken_s"] or 0.0


class _Turn(msgspec.Struct, frozen=True):
    """Length that turns measurements from the B end round: their own, or one for all when the ends disagree."""

    usual_m: float | None
    is_own: bool


def _turn(traces: Iterable[Values], planned: Values | None) -> _Turn:
    """A fibre that looks shorter from one end than from the other is broken: only the planned length tells where."""
    lengths = [trace["length_m"] for trace in traces if trace["has_end_event"] and trace["length_m"] is not None]
    if not lengths:
        return _Turn(None, is_own=True)
    longest, shortest = max(lengths), min(lengths)
    agree = longest - shortest <= max(AGREE_M, AGREE_SHARE * longest)
    planned_m = None if planned is None else planned["design_length_m"]
    return _Turn(longest if agree or planned_m is None else planned_m, is_own=agree or planned_m is None)


def _run(trace: Values, events: Iterable[Values], mirrored: bool, turn: _Turn, siblings: Sequence[Values]) -> Run:
    origin_m = _origin_m(trace, siblings)
    end_m = None if trace["end_m"] is None else trace["end_m"] - origin_m
    turn_m = end_m if trace["has_end_event"] and turn.is_own else turn.usual_m
    mirrored = mirrored and turn_m is not None
    points = []
    for row in events:
        if row["position_m"] is not None:
            at_m = row["position_m"] - origin_m
            points.append(Point(turn_m - at_m if mirrored and turn_m is not None else at_m, row))
    ordered = tuple(sorted(points, key=lambda point: point.at_m))
    return Run(trace, mirrored, origin_m, end_m, ordered, turn_m)


def _origin_m(trace: Values, siblings: Sequence[Values]) -> float:
    """Where the link begins; a report that states no launch fibre shares that of the trace file with the same end."""
    own: float = trace["origin_m"] or 0.0
    if own or trace["launch_m"] or trace["samples"] is not None or trace["end_m"] is None:
        return own
    for other in siblings:
        same_end = other["end_m"] is not None and abs(other["end_m"] - trace["end_m"]) <= LEAST_TOLERANCE_M
        if other["origin_m"] and same_end:
            return float(other["origin_m"])
    return own
