"""What explains what: candidates folded under the candidates, and the rows, that account for them."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

import msgspec
import polars as pl

from analyzer.diagnose.candidates import Candidate
from analyzer.diagnose.groups import UNATTRIBUTED, Group, grouped, near
from analyzer.diagnose.selection import Condition, explained_condition
from analyzer.facts.inventory import LEVELS
from analyzer.facts.store import Store
from analyzer.rulebook.duration import window
from analyzer.rulebook.schema import Explains


class Explained(msgspec.Struct, eq=False):
    """Rows that a candidate accounts for, under the slug of the consequence."""

    slug: str
    groups: list[Group]


class Explanations(msgspec.Struct, eq=False):
    """The explanation graph.

    Attributes:
        parents: Candidates that explain a candidate, by its position.
        rows: Rows that a candidate explains itself, by its position.
    """

    parents: dict[int, list[int]]
    rows: dict[int, list[Explained]]

    def tops(self, place: int) -> list[int]:
        """Unexplained candidates above a candidate; itself when nothing explains it."""
        seen, found, front = {place}, [], [place]
        while front:
            here = front.pop(0)
            above = self.parents.get(here, [])
            if not above:
                found.append(here)
            for parent in above:
                if parent not in seen:
                    seen.add(parent)
                    front.append(parent)
        return found


def explain(found: Sequence[Candidate], selected: Mapping[Condition, pl.DataFrame], store: Store) -> Explanations:
    """Relate candidates to one another and to the rows that their rules explain."""
    by_slug: dict[str, list[int]] = defaultdict(list)
    for place, candidate in enumerate(found):
        by_slug[candidate.cause.cause].append(place)
    parents: dict[int, list[int]] = defaultdict(list)
    holders: dict[int, list[int]] = defaultdict(list)
    rows: dict[int, list[Explained]] = defaultdict(list)
    pools: dict[Condition, list[Group]] = {}
    reach = _Reach(found, store)
    rests_on = [_rests_on(candidate) for candidate in found]
    for place, candidate in enumerate(found):
        accounted: list[Group] = []
        for edge in candidate.cause.explains:
            condition = explained_condition(edge)
            if condition is None:
                for other in _explained_causes(place, edge, found, by_slug, reach):
                    parents[other].append(place)
                    accounted.extend(found[other].roots())
            else:
                pool = _pool(condition, selected, store, pools)
                taken = [group for group in pool if _follows(candidate, group, edge)]
                if taken:
                    rows[place].append(Explained(str(edge.as_), taken))
                    accounted.extend(taken)
        for other in _held(place, accounted, rests_on):
            holders[other].append(place)
    return Explanations(_acyclic(parents, holders, found), rows)


def _pool(
    condition: Condition, selected: Mapping[Condition, pl.DataFrame], store: Store, pools: dict[Condition, list[Group]]
) -> list[Group]:
    if condition not in pools:
        chosen = selected.get(condition)
        pools[condition] = [] if chosen is None else grouped("explained", condition.frame, chosen, store)
    return pools[condition]


def _explained_causes(
    place: int, edge: Explains, found: Sequence[Candidate], by_slug: Mapping[str, list[int]], reach: _Reach
) -> Iterator[int]:
    """Candidates of the edge's cause that the explaining one accounts for."""
    for other in by_slug.get(str(edge.cause), ()):
        touched = other != place and reach.touches(other, edge, found[place])
        if touched and _is_effect(found[place], other, edge, reach):
            yield other


class _Reach:
    """Everything that a candidate's observations name under a key: most pairs of candidates have nothing in common."""

    def __init__(self, found: Sequence[Candidate], store: Store) -> None:
        self.store = store
        self.found = found
        self._keys: dict[tuple[int, str], frozenset[str]] = {}
        self._accused: dict[tuple[int, str], frozenset[str]] = {}

    def touches(self, other: int, edge: Explains, candidate: Candidate) -> bool:
        """False when ``other`` cannot be an effect of ``candidate`` by this edge."""
        return all(self._of(other, own) & (candidate.key(theirs) | {UNATTRIBUTED}) for own, theirs in edge.on.items())

    def _of(self, other: int, name: str) -> frozenset[str]:
        known = self._keys.get((other, name))
        if known is None:
            candidate = self.found[other]
            groups = (*candidate.roots(), *candidate.of_role("consequence"))
            known = self.accused(other, name).union(*(group.key(name) for group in groups))
            self._keys[other, name] = known
        return known

    def accused(self, other: int, name: str) -> frozenset[str]:
        """Parts of a kind that are accused or belong to the accused parts of a candidate."""
        known = self._accused.get((other, name))
        if known is None:
            candidate, related = self.found[other], self.store.inventory.related
            own = name == candidate.kind
            walked = (related(candidate.kind, part, name) for part in candidate.parts if name in LEVELS)
            known = frozenset(candidate.parts) if own else frozenset[str]().union(*walked)
            self._accused[other, name] = known
        return known


def _is_effect(candidate: Candidate, other: int, edge: Explains, reach: _Reach) -> bool:
    """True when a root observation follows, or one does in time and a symptom of role ``consequence`` has the parts.

    Time-outs of a job name no node; the processes of the job do. Where nothing at all tells the node of a consequence
    (a job's bare output), it may be any node's.
    """
    effect = reach.found[other]
    timely = [group for group in effect.roots() if _in_window(candidate, group, edge)]
    near_by = (*timely, *effect.of_role("consequence")) if timely else ()
    if near_by and _placeless(effect, near_by, edge, reach.store):
        return True
    accused = {own: reach.accused(other, own) for own in edge.on}

    def named(group: Group, name: str) -> frozenset[str]:
        return accused[name] if name == effect.kind else accused[name] | group.key(name)

    return any(_on_parts(candidate, partial(named, group), edge) for group in near_by)


def _placeless(other: Candidate, near_by: Iterable[Group], edge: Explains, store: Store) -> bool:
    entry = store.rulebook.vocabulary.get(other.cause.cause)
    if entry is None or entry.kind != "consequence" or set(edge.on) != {"node"} or edge.within is None:
        return False
    return all(group.key("node") == {UNATTRIBUTED} for group in near_by)


def _rests_on(candidate: Candidate) -> frozenset[tuple[str, int]]:
    """Frame and row of every root observation."""
    return frozenset((group.frame, row) for group in candidate.roots() for row in group.rows.tolist())


def _held(place: int, taken: Iterable[Group], rests_on: Sequence[frozenset[tuple[str, int]]]) -> Iterator[int]:
    """Candidates that rest on nothing but explained rows."""
    explained = {(group.frame, row) for group in taken for row in group.rows.tolist()}
    for other, rows in enumerate(rests_on):
        if other != place and rows and rows <= explained:
            yield other


def _follows(candidate: Candidate, group: Group, edge: Explains) -> bool:
    """True when an observation is on the candidate's parts and inside the edge's window (or no clock tells)."""
    return _on_parts(candidate, group.key, edge) and _in_window(candidate, group, edge)


def _on_parts(candidate: Candidate, names: Callable[[str], frozenset[str]], edge: Explains) -> bool:
    return all(names(own) & candidate.key(theirs) for own, theirs in edge.on.items())


def _in_window(candidate: Candidate, group: Group, edge: Explains) -> bool:
    """True unless every clock that tells speaks against it; a snapshot among the observations tells nothing."""
    span = window(edge.within)
    if span is None:
        return True
    told = {near(anchor, group, span) for anchor in candidate.anchors}
    return True in told or False not in told


def _acyclic(
    stated: Mapping[int, list[int]], held: Mapping[int, list[int]], found: Sequence[Candidate]
) -> dict[int, list[int]]:
    """Parents without circles: of two candidates that explain each other the earlier one stays on top.

    What a rule states of another cause goes before what follows from shared rows.
    """
    kept: dict[int, list[int]] = {}
    for parents in (stated, held):
        edges = [(parent, child) for child, above in parents.items() for parent in dict.fromkeys(above)]
        for parent, child in sorted(edges, key=lambda edge: (_begins(found[edge[0]]), edge)):
            if parent not in kept.get(child, ()) and not _reaches(kept, parent, child):
                kept.setdefault(child, []).append(parent)
    return kept


def _begins(candidate: Candidate) -> float:
    onset_s = candidate.onset_s
    return -math.inf if math.isnan(onset_s) else onset_s


def _reaches(parents: Mapping[int, list[int]], start: int, goal: int) -> bool:
    """True when ``goal`` is ``start`` or above it."""
    front, seen = [start], {start}
    while front:
        here = front.pop()
        if here == goal:
            return True
        for above in parents.get(here, ()):
            if above not in seen:
                seen.add(above)
                front.append(above)
    return False
