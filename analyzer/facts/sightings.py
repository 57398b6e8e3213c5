"""Events that two machines logged, and what each of them says about the difference of their clocks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations, islice
from statistics import median
from typing import NamedTuple

import polars as pl

from analyzer.facts.machines import Machines
from analyzer.sources.clock_knowledge import Pair, Shared, Side, clock_knowledge

CONSENSUS = ""
"""Stands for the middle of the machines that saw one event."""

FEW = 3
"""Machines up to which each is compared with each other one; more are compared with their middle."""

_MOST_ROWS = 20_000
_SAME_S = 10.0


class Sighting(NamedTuple):
    """One event that two machines logged.

    Attributes:
        one: A machine.
        two: The other.
        low_s: Least that the clock of ``two`` can be ahead of that of ``one``.
        high_s: Most.
        name: Name of the event's kind.
    """

    one: str
    two: str
    low_s: float
    high_s: float
    name: str


class _Row(NamedTuple):
    machine: str
    key: tuple[object, ...]
    peer: str | None
    time_s: float
    uncertainty_s: float


def sightings(frames: Mapping[str, pl.DataFrame], machines: Machines) -> list[Sighting]:
    """All events that two machines logged (``rules/clocks.toml``).

    Args:
        frames: The events.
        machines: Names the machine of a row.
    """
    known = clock_knowledge()
    found: list[Sighting] = []
    for pair in known.pair:
        if pair.one.event in frames and pair.two.event in frames:
            found.extend(_paired(pair, frames, machines))
    for shared in known.shared:
        if shared.event in frames:
            found.extend(_together(shared, frames[shared.event], machines))
    return found


def _paired(pair: Pair, frames: Mapping[str, pl.DataFrame], machines: Machines) -> Iterator[Sighting]:
    second: dict[tuple[object, ...], list[_Row]] = defaultdict(list)
    for row in _rows(frames[pair.two.event], pair.two, machines):
        second[row.key].append(row)
    first: dict[tuple[object, ...], list[_Row]] = defaultdict(list)
    for row in _rows(frames[pair.one.event], pair.one, machines):
        first[(*row.key, row.peer)].append(row)
    low, high = pair.lag_s
    for (*key, peer), ones in first.items():
        twos = [row for row in second.get(tuple(key), ()) if peer is None or row.machine.rstrip("~") == peer]
        one, two = _only(ones), _only(twos)
        if one is not None and two is not None and one.machine != two.machine:
            slack = one.uncertainty_s + two.uncertainty_s
            ahead = two.time_s - one.time_s
            yield Sighting(one.machine, two.machine, ahead - high - slack, ahead - low + slack, pair.name)


def _only(rows: list[_Row]) -> _Row | None:
    """The one line of an event that one machine logged, perhaps in several files; None if it logged several."""
    if not rows:
        return None
    first = min(rows, key=lambda row: row.time_s)
    same = all(row.machine == first.machine and row.time_s - first.time_s <= _SAME_S for row in rows)
    return first if same else None


def _together(shared: Shared, frame: pl.DataFrame, machines: Machines) -> Iterator[Sighting]:
    side = Side(shared.event, shared.key)
    seen: dict[tuple[object, ...], dict[str, list[_Row]]] = defaultdict(lambda: defaultdict(list))
    for row in _rows(frame, side, machines):
        seen[row.key][row.machine].append(row)
    for by_machine in seen.values():
        firsts = [min(rows, key=lambda row: row.time_s) for rows in by_machine.values() if _brief(rows, shared)]
        yield from _compared(firsts, shared)


def _brief(rows: list[_Row], shared: Shared) -> bool:
    times = [row.time_s for row in rows]
    return max(times) - min(times) <= shared.apart_s


def _compared(rows: list[_Row], shared: Shared) -> Iterator[Sighting]:
    if len(rows) > FEW:
        middle_s = median(row.time_s for row in rows)
        rest = _Row(CONSENSUS, (), None, middle_s, 0.0)
        pairs: Iterable[tuple[_Row, _Row]] = ((rest, row) for row in rows)
    else:
        pairs = combinations(sorted(rows, key=lambda row: row.machine), 2)
    for one, two in pairs:
        slack = shared.apart_s + one.uncertainty_s + two.uncertainty_s
        ahead = two.time_s - one.time_s
        yield Sighting(one.machine, two.machine, ahead - slack, ahead + slack, shared.name)


def _rows(frame: pl.DataFrame, side: Side, machines: Machines) -> Iterator[_Row]:
    """Rows with a time and all their key columns."""
    wanted = ["source", "node", "time", "uncertainty_s", *side.key, *([side.peer] if side.peer else [])]
    timed = frame.filter(pl.col("time").is_not_null() & pl.col("clock").is_not_null())
    if side.where:
        timed = timed.filter(pl.sql_expr(side.where).fill_null(value=False))
    chosen = timed.select(wanted).with_columns(pl.col("time").dt.epoch("us").cast(pl.Float64) / 1e6)
    keys = len(side.key)
    for source, node, time_s, uncertainty_s, *rest in islice(chosen.iter_rows(), _MOST_ROWS):
        key, peer = tuple(rest[:keys]), rest[keys] if side.peer else None
        if None not in key and (peer is not None or not side.peer):
            yield _Row(machines.of(source, node), key, peer, time_s, uncertainty_s or 0.0)
