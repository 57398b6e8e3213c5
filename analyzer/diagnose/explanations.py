"""What explains what: candidates folded under the candidates, and the rows, that account for them."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

import msgspec
import polars as pl

from analyzer.diagnose.candidates import Candidate
from analyzer.diagnose.circles import without_circles
from analyzer.diagnose.groups import UNATTRIBUTED, Group, grouped, near
from analyzer.diagnose.reach import GroupIndex, Reach
from analyzer.diagnose.selection import Condition, explained_condition
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
    parents: dict[int, list[int]] = defaultdict(list)
    holders: dict[int, list[int]] = defaultdict(list)
    rows: dict[int, list[Explained]] = defaultdict(list)
    pools: dict[Condition, GroupIndex] = {}
    reach = Reach(found, store)
    rests_on = _RowsRestedOn(found)
    for place, candidate in enumerate(found):
        accounted: list[Group] = []
        for edge in candidate.cause.explains:
            condition = explained_condition(edge)
            if condition is None:
                for other in _explained_causes(place, edge, reach):
                    parents[other].append(place)
                    accounted.extend(found[other].roots())
            else:
                pool = _pool(condition, selected, store, pools)
                taken = [group for group in pool.sharing(candidate, edge) if _follows(candidate, group, edge)]
                if taken:
                    rows[place].append(Explained(str(edge.as_), taken))
                    accounted.extend(taken)
        for other in rests_on.only(accounted):
            if other != place:
                holders[other].append(place)
    return Explanations(without_circles((parents, holders), [_begins(candidate) for candidate in found]), rows)


def _pool(
    condition: Condition,
    selected: Mapping[Condition, pl.DataFrame],
    store: Store,
    pools: dict[Condition, GroupIndex],
) -> GroupIndex:
    if condition not in pools:
        chosen = selected.get(condition)
        pools[condition] = GroupIndex([] if chosen is None else grouped("explained", condition.frame, chosen, store))
    return pools[condition]


def _explained_causes(place: int, edge: Explains, reach: Reach) -> Iterator[int]:
    """Candidates of the edge's cause that the explaining one accounts for."""
    candidate = reach.found[place]
    for other in reach.touched(edge, candidate):
        if other != place and _is_effect(candidate, other, edge, reach):
            yield other


def _is_effect(candidate: Candidate, other: int, edge: Explains, reach: Reach) -> bool:
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


class _RowsRestedOn:
    """Which candidates rest on a row: those that rest on nothing but explained rows are explained themselves."""

    def __init__(self, found: Sequence[Candidate]) -> None:
        self._needed: list[int] = []
        self._resting: dict[tuple[str, int], list[int]] = defaultdict(list)
        for place, candidate in enumerate(found):
            rows = _rows(candidate.roots())
            self._needed.append(len(rows))
            for row in rows:
                self._resting[row].append(place)

    def only(self, taken: Iterable[Group]) -> list[int]:
        """Candidates all of whose root rows are among the taken observations, by position."""
        counts = Counter(place for row in _rows(taken) for place in self._resting.get(row, ()))
        return sorted(place for place, count in counts.items() if count == self._needed[place])


def _rows(groups: Iterable[Group]) -> frozenset[tuple[str, int]]:
    """Frame and row of every observation."""
    return frozenset((group.frame, row) for group in groups for row in group.rows.tolist())


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
    contradicted = False
    for anchor in candidate.anchors:
        answer = near(anchor, group, span)
        if answer:
            return True
        contradicted = contradicted or answer is False
    return not contradicted


def _begins(candidate: Candidate) -> float:
    onset_s = candidate.onset_s
    return -math.inf if math.isnan(onset_s) else onset_s
