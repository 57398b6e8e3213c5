"""Rows of one symptom that name the same parts, as one observation."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analyzer.facts.inventory import LEVELS
from analyzer.facts.store import Store

Floats = NDArray[np.float64]
Rows = NDArray[np.uint32]
UNATTRIBUTED = "?"
"""Stands for the node of rows that name none, so that files of one unnamed machine can be joined.

Where all inputs that name a node name the same one, it is taken to be theirs too.
"""


ONE_CLOCK_S = 1.0
"""Lines of one clock are apart by what it says, give or take the whole seconds that it prints."""


class GroupClock(NamedTuple):
    """Times of the rows of one observation, as in ``Group``."""

    times_s: Floats
    name: str | None
    clock_s: Floats
    uncertainty_s: float


class Group:
    """All rows of one symptom with the same parts.

    Attributes:
        symptom: Name of the symptom.
        frame: Name of the event or table.
        rows: Row numbers in that frame, in file order.
        values: Column values of the first row.
        times_s: UTC epoch seconds of the rows, NaN where unknown.
        clock: Clock of the rows when they share one.
        clock_s: Seconds on that clock, NaN where unknown.
        uncertainty_s: Largest half-width of the rows' times.
        onset_s: Earliest known time, NaN if none is known.
        last_s: Latest known time, NaN if none is known.
    """

    def __init__(
        self, symptom: str, frame: str, rows: Rows, values: dict[str, Any], clock: GroupClock, store: Store
    ) -> None:
        self.symptom = symptom
        self.frame = frame
        self.rows = rows
        self.values = values
        self.times_s = clock.times_s
        known_s = clock.times_s[np.isfinite(clock.times_s)]
        self.onset_s = float(known_s.min()) if known_s.size else math.nan
        self.last_s = float(known_s.max()) if known_s.size else math.nan
        self.clock = clock.name
        self.clock_s = clock.clock_s
        self.uncertainty_s = clock.uncertainty_s
        self._store = store
        self._resolved: dict[str, frozenset[str]] = {}
        self._direct: list[tuple[str, str]] | None = None

    @property
    def machine(self) -> str:
        """Whose clock stamped the rows."""
        return self._store.machines.of(self.values["source"], self.values["node"])

    def key(self, name: str) -> frozenset[str]:
        """Values under a column name or an entity kind: canonical names for parts, text for other columns."""
        known = self._resolved.get(name)
        if known is None:
            known = self._resolved[name] = self._resolve(name)
        return known

    def direct(self) -> list[tuple[str, str]]:
        """Parts that the rows name themselves, most specific first, and the links their ports belong to."""
        if self._direct is None:
            self._direct = sorted(self._named(), key=lambda part: (LEVELS[part[0]], part))
        return self._direct

    def _named(self) -> Iterable[tuple[str, str]]:
        inventory, schema = self._store.inventory, self._store.schema(self.frame)
        found: dict[tuple[str, str], None] = {}
        for column, info in schema.items():
            remote = info.entity == "node" and column != "node"
            if info.entity and not remote:
                found.update(dict.fromkeys((info.entity, name) for name in self._canonical(column, info.entity)))
        for kind, name in list(found):
            if kind in ("port", "nic", "guid"):
                links = inventory.related(kind, name, "link")
                found.update(dict.fromkeys(("link", link) for link in links))
        return found

    def _canonical(self, column: str, entity: str) -> list[str]:
        value = self.values[column]
        values = value if isinstance(value, list) else [value]
        node = self.values["node"] or self._store.sole_node
        return [self._store.inventory.canonical(entity, str(v), node) for v in values if v not in (None, "")]

    def _resolve(self, name: str) -> frozenset[str]:
        info = self._store.schema(self.frame).get(name)
        if info is not None:
            if info.entity:
                named = frozenset(self._canonical(name, info.entity))
            else:
                value = self.values[name]
                named = frozenset() if value is None else frozenset((str(value),))
            if named or name not in LEVELS:
                return named
        if name not in LEVELS:
            return frozenset()
        found = self._through_inventory(name)
        return found if found or name != "node" else frozenset((self._store.sole_node or UNATTRIBUTED,))

    def _through_inventory(self, kind: str) -> frozenset[str]:
        own = frozenset(name for part, name in self.direct() if part == kind)
        if own:
            return own
        for part, name in self.direct():
            related = self._store.inventory.related(part, name, kind)
            if related:
                return related
        return frozenset()


def grouped(symptom: str, frame: str, selected: pl.DataFrame, store: Store, apart: Iterable[str] = ()) -> list[Group]:
    """Group selected rows by every part they name.

    Args:
        symptom: Name of the symptom.
        frame: Name of the event or table.
        selected: The rows, with a column ``row`` holding their numbers in the frame.
        store: The frames the rows come from.
        apart: Further columns whose values tell observations apart.
    """
    if not selected.height:
        return []
    schema = store.schema(frame)
    keys = [name for name, info in schema.items() if info.entity and name in selected.columns]
    keys += [name for name in apart if name in selected.columns and name not in keys]
    hidden = ["clock"] if selected["time"].null_count() else []
    columns = [_hashable(selected[name]) for name in (*keys, *hidden)]
    places: dict[tuple[Any, ...], list[int]] = {}
    for place, key in enumerate(zip(*columns, strict=True) if columns else [()] * selected.height):
        places.setdefault(key, []).append(place)
    clocks = _Clocks(selected)
    rows = selected["row"].to_numpy()
    firsts = selected[[at[0] for at in places.values()]].to_dicts()
    return [
        Group(symptom, frame, rows[at], first, clocks.of(at), store)
        for at, first in zip(places.values(), firsts, strict=True)
    ]


def _hashable(column: pl.Series) -> list[Any]:
    values = column.to_list()
    return [tuple(v) if isinstance(v, list) else v for v in values] if column.dtype == pl.List else values


class _Clocks:
    """Times of selected rows, cut into observations."""

    def __init__(self, selected: pl.DataFrame) -> None:
        times = selected["time"].dt.epoch("us").cast(pl.Float64) / 1e6
        self._times_s: Floats = times.fill_null(float("nan")).to_numpy()
        self._clock_s: Floats = selected["clock_s"].fill_null(float("nan")).to_numpy()
        self._names = selected["clock"].to_list()
        self._uncertainty_s: Floats = selected["uncertainty_s"].fill_null(0.0).to_numpy()

    def of(self, at: list[int]) -> GroupClock:
        names = {self._names[place] for place in at}
        name = names.pop() if len(names) == 1 else None
        return GroupClock(self._times_s[at], name, self._clock_s[at], float(self._uncertainty_s[at].max()))


def near(anchor: Group, other: Group, window: tuple[float, float]) -> bool | None:
    """True when some row of ``other`` lies in the window after some row of ``anchor``; None when no clock tells."""
    slack = anchor.uncertainty_s + other.uncertainty_s
    if anchor.clock is not None and anchor.clock == other.clock:
        slack = min(slack, ONE_CLOCK_S)
    first, second = anchor.times_s, other.times_s
    if not (np.isfinite(first).any() and np.isfinite(second).any()):
        if anchor.clock is None or anchor.clock != other.clock:
            return None
        first, second, slack = anchor.clock_s, other.clock_s, 0.0
    return _any_between(first, second, window[0] - slack, window[1] + slack)


def _any_between(first: Floats, second: Floats, low: float, high: float) -> bool | None:
    starts, ends = np.sort(first[np.isfinite(first)]), np.sort(second[np.isfinite(second)])
    if not starts.size or not ends.size:
        return None
    place = np.searchsorted(ends, starts + low)
    inside = place < ends.size
    return bool((ends[place[inside]] <= starts[inside] + high).any())
