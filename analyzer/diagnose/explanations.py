"""What explains what: candidates folded under the candidates, and the rows, that account for them."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import msgspec
import polars as pl

from analyzer.diagnose.candidates import Candidate
from analyzer.diagnose.groups import Group, grouped, near
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
    by_slug: dict[str, list[int]] = defaultdict(list)
    for place, candidate in enumerate(found):
        by_slug[candidate.cause.cause].append(place)
    parents: dict[int, list[int]] = defaultdict(list)
    rows: dict[int, list[Explained]] = defaultdict(list)
    pools: dict[Condition, list[Group]] = {}
    for place, candidate in enumerate(found):
        for edge in candidate.cause.explains:
            condition = explained_condition(edge)
            if condition is None:
                _explain_cause(place, edge, found, by_slug, parents)
            else:
                pool = _pool(condition, selected, store, pools)
                taken = [group for group in pool if _follows(candidate, group, edge)]
                if taken:
                    rows[place].append(Explained(str(edge.as_), taken))
                    _explain_holders(place, taken, found, parents)
    return Explanations(_acyclic(parents, found), rows)


def _pool(
    condition: Condition, selected: Mapping[Condition, pl.DataFrame], store: Store, pools: dict[Condition, list[Group]]
) -> list[Group]:
    if condition not in pools:
        chosen = selected.get(condition)
        pools[condition] = [] if chosen is None else grouped("explained", condition.frame, chosen, store)
    return pools[condition]


def _explain_cause(
    place: int, edge: Explains, found: Sequence[Candidate], by_slug: Mapping[str, list[int]],
    parents: dict[int, list[int]],
) -> None:  # fmt: skip
    candidate = found[place]
    for other in by_slug.get(str(edge.cause), ()):
        if other != place and _is_effect(candidate, found[other], edge):
            parents[other].append(place)


def _is_effect(candidate: Candidate, other: Candidate, edge: Explains) -> bool:
    """True when a root observation follows, or one does in time and a symptom of role ``consequence`` has the parts.

    Time-outs of a job name no node; the processes of the job do.
    """
    roots = other.roots()
    if any(_follows(candidate, group, edge) for group in roots):
        return True
    beside = other.of_role("consequence")
    return any(_on_parts(candidate, group, edge) for group in beside) and any(
        _in_window(candidate, group, edge) for group in roots
    )


def _explain_holders(
    place: int, taken: Iterable[Group], found: Sequence[Candidate], parents: dict[int, list[int]]
) -> None:
    """Candidates that rest on nothing but explained rows are explained too."""
    explained = {(group.frame, int(row)) for group in taken for row in group.rows}
    for other, candidate in enumerate(found):
        if other == place:
            continue
        roots = candidate.roots()
        if all((group.frame, int(row)) in explained for group in roots for row in group.rows):
            parents[other].append(place)


def _follows(candidate: Candidate, group: Group, edge: Explains) -> bool:
    """True when an observation is on the candidate's parts and inside the edge's window (or no clock tells)."""
    return _on_parts(candidate, group, edge) and _in_window(candidate, group, edge)


def _on_parts(candidate: Candidate, group: Group, edge: Explains) -> bool:
    return all(group.key(own) & candidate.key(theirs) for own, theirs in edge.on.items())


def _in_window(candidate: Candidate, group: Group, edge: Explains) -> bool:
    span = window(edge.within)
    return span is None or any(near(anchor, group, span) is not False for anchor in candidate.anchors)


def _acyclic(parents: Mapping[int, list[int]], found: Sequence[Candidate]) -> dict[int, list[int]]:
    """Drop the edges that would close a circle: of two that explain each other the earlier one stays on top."""
    kept: dict[int, list[int]] = {}
    edges = [(parent, child) for child, above in parents.items() for parent in dict.fromkeys(above)]
    for parent, child in sorted(edges, key=lambda edge: (_begins(found[edge[0]]), edge)):
        if not _reaches(kept, parent, child):
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
