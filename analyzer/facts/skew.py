"""How far the clocks of machines are apart, estimated from events that several of them logged.

Every such event bounds the difference of two clocks. The difference lies where most bounds overlap (Marzullo's
algorithm, as NTP selects its servers); differences are chained over the machines, the middle machine is right.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from statistics import median

import msgspec

from analyzer.facts.machines import UNNAMED
from analyzer.facts.sightings import CONSENSUS, Sighting
from analyzer.sources.parameters import parameters

Bounds = tuple[float, float]


class Skew(msgspec.Struct, frozen=True):
    """How far a machine's clock is ahead of the others'.

    Attributes:
        low_s: Least that it is ahead; negative when it is behind.
        high_s: Most.
        events: Events that agree on it.
        reference: Machine that it was compared with, empty for the middle of all.
    """

    low_s: float
    high_s: float
    events: int
    reference: str = ""

    @property
    def offset_s(self) -> float:
        """Seconds by which its times are to be moved back; 0 where the clock may be right."""
        return (self.low_s + self.high_s) / 2 if self.wrong else 0.0

    @property
    def uncertainty_s(self) -> float:
        """Half-width of the interval around its corrected times, against those of the other machines."""
        return (self.high_s - self.low_s) / 2 if self.wrong else max(abs(self.low_s), abs(self.high_s))

    @property
    def wrong(self) -> bool:
        """True when the clock cannot agree with the others'."""
        apart_s = parameters().clock_apart_s
        return self.low_s > apart_s or self.high_s < -apart_s


def estimate_skews(sightings: Iterable[Sighting]) -> dict[str, Skew]:
    """Estimate the clocks of all machines that have enough events in common with others.

    Args:
        sightings: Events that two machines logged.
    """
    edges = _edges(sightings)
    skews: dict[str, Skew] = {}
    reached: set[str] = set()
    for machine in sorted(edges, key=lambda name: (name != CONSENSUS, -len(edges[name]), UNNAMED not in name, name)):
        if machine not in reached:
            chained = _chained(machine, edges)
            reached.update(chained)
            skews |= _centred(machine, chained)
    return skews


_Edges = dict[str, dict[str, tuple[Bounds, int]]]


def _edges(sightings: Iterable[Sighting]) -> _Edges:
    """What is known between two machines, both ways."""
    bounds: dict[tuple[str, str], list[Bounds]] = defaultdict(list)
    for seen in sightings:
        if seen.one <= seen.two:
            bounds[seen.one, seen.two].append((seen.low_s, seen.high_s))
        else:
            bounds[seen.two, seen.one].append((-seen.high_s, -seen.low_s))
    edges: _Edges = defaultdict(dict)
    for (one, two), given in bounds.items():
        found = densest(given)
        if found is not None:
            (low_s, high_s), events = found
            edges[one][two] = ((low_s, high_s), events)
            edges[two][one] = ((-high_s, -low_s), events)
    return edges


def densest(bounds: Sequence[Bounds]) -> tuple[Bounds, int] | None:
    """The interval in which most bounds overlap, and how many; None if too few agree or no majority does."""
    ends = sorted([(low, -1) for low, _ in bounds] + [(high, 1) for _, high in bounds])
    depth, best, found = 0, 0, (0.0, 0.0)
    for place, (at, kind) in enumerate(ends):
        depth -= kind
        if depth > best:
            best, found = depth, (at, ends[place + 1][0])
    if best < parameters().clock_events or best * 2 <= len(bounds):
        return None
    return found, best


def _chained(root: str, edges: Mapping[str, Mapping[str, tuple[Bounds, int]]]) -> dict[str, tuple[Bounds, int]]:
    """How far each machine that can be reached is ahead of the root, over the most certain chain."""
    chained: dict[str, tuple[Bounds, int]] = {}
    front: list[tuple[float, str, Bounds, int]] = [(0.0, root, (0.0, 0.0), 0)]
    while front:
        _, machine, (low_s, high_s), events = heapq.heappop(front)
        if machine in chained:
            continue
        chained[machine] = (low_s, high_s), events
        for other, ((least_s, most_s), count) in edges.get(machine, {}).items():
            if other not in chained:
                bounds = (low_s + least_s, high_s + most_s)
                heapq.heappush(front, (bounds[1] - bounds[0], other, bounds, count))
    return chained


def _centred(root: str, chained: Mapping[str, tuple[Bounds, int]]) -> dict[str, Skew]:
    """Offsets from the middle machine; of two machines nobody can tell which is right, so the root is kept."""
    named = {machine: found for machine, found in chained.items() if machine != CONSENSUS}
    if len(named) < 2:
        return {}
    alone = len(named) == 2
    middle_s = 0.0 if alone else median((low + high) / 2 for (low, high), _ in named.values())
    most = max(events for _, events in named.values())
    return {
        machine: Skew(low - middle_s, high - middle_s, events or most, root if alone else "")
        for machine, ((low, high), events) in named.items()
    }
