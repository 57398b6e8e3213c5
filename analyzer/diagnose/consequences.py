"""What stands under each top candidate: the candidates and rows that it explains, directly or by way of others."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import msgspec

from analyzer.diagnose.candidates import Candidate
from analyzer.diagnose.explanations import Explained, Explanations
from analyzer.diagnose.groups import Group
from analyzer.diagnose.incident import Span
from analyzer.rulebook.schema import Vocabulary


class Effect(msgspec.Struct, frozen=True):
    """Something a diagnosis explains: a candidate, or rows under a slug; ``via`` names what explains it directly."""

    slug: str
    title: str
    groups: list[Group]
    parts: list[tuple[str, str]]
    via: str


class Consequences:
    """Candidates by position, seen from the unexplained ones.

    Attributes:
        tops: Candidates that nothing explains, in the order found.
    """

    def __init__(self, found: Sequence[Candidate], graph: Explanations, vocabulary: Mapping[str, Vocabulary]) -> None:
        self._found = found
        self._graph = graph
        self._vocabulary = vocabulary
        self._below: dict[int, list[int]] = {place: [] for place in range(len(found)) if not graph.parents.get(place)}
        self.tops = list(self._below)
        for place in range(len(found)):
            if graph.parents.get(place):
                for top in graph.tops(place):
                    self._below[top].append(place)

    def kinds(self, top: int) -> set[str]:
        """Slugs of everything under a top candidate."""
        candidates = {self._found[place].cause.cause for place in self._below[top]}
        return candidates | {explained.slug for _, explained in self._rows(top)}

    def span(self, top: int) -> Span:
        """When a top candidate and all that stands under it were seen."""
        members = [self._found[place] for place in (top, *self._below[top])]
        groups = [group for _, explained in self._rows(top) for group in explained.groups]
        firsts = [*(c.onset_s for c in members), *(g.onset_s for g in groups)]
        lasts = [*(c.last_s for c in members), *(g.last_s for g in groups)]
        return Span(
            min((t for t in firsts if not math.isnan(t)), default=math.nan),
            max((t for t in lasts if not math.isnan(t)), default=math.nan),
            self._found[top].severity,
            len(self.kinds(top)),
        )

    def effects(self, top: int) -> list[Effect]:
        """Everything under a top candidate, one entry a slug; one with several tops stands under each of them."""
        effects: dict[str, Effect] = {}
        for effect in (
            *(self._of_candidate(place) for place in self._below[top]),
            *(self._of_rows(owner, explained) for owner, explained in self._rows(top)),
        ):
            effects[effect.slug] = _joined(effects.get(effect.slug), effect)
        return list(effects.values())

    def _rows(self, top: int) -> list[tuple[int, Explained]]:
        """Rows explained under a top candidate, each with the candidate that explains them."""
        owners = (top, *self._below[top])
        return [(owner, explained) for owner in owners for explained in self._graph.rows.get(owner, ())]

    def _of_candidate(self, place: int) -> Effect:
        candidate = self._found[place]
        via = self._found[self._graph.parents[place][0]].cause.cause
        return Effect(candidate.cause.cause, candidate.cause.title, candidate.roots(), candidate.named(), via)

    def _of_rows(self, owner: int, explained: Explained) -> Effect:
        entry = self._vocabulary.get(explained.slug)
        title = entry.title if entry else explained.slug
        parts = list(dict.fromkeys(part for group in explained.groups for part in group.direct()))
        return Effect(explained.slug, title, explained.groups, parts, self._found[owner].cause.cause)


def _joined(known: Effect | None, effect: Effect) -> Effect:
    """One entry of what two explanations say under one slug; rows told already are not told again."""
    if known is None:
        return effect
    told = {(group.frame, int(row)) for group in known.groups for row in group.rows}
    fresh = [group for group in effect.groups if not all((group.frame, int(row)) in told for row in group.rows)]
    parts = list(dict.fromkeys((*known.parts, *effect.parts)))
    return msgspec.structs.replace(known, groups=[*known.groups, *fresh], parts=parts)
