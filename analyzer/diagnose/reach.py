"""Candidates and observations found by the parts they name: most pairs have none in common and are never looked at."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from analyzer.diagnose.candidates import Candidate
from analyzer.diagnose.groups import UNATTRIBUTED, Group
from analyzer.facts.inventory import LEVELS
from analyzer.facts.store import Store
from analyzer.rulebook.schema import Explains


class Reach:
    """Everything that a candidate's observations name under a key."""

    def __init__(self, found: Sequence[Candidate], store: Store) -> None:
        """Index candidates.

        Args:
            found: All candidates; a candidate is known by its position.
            store: The facts they come from.
        """
        self.store = store
        self.found = found
        self._of_cause: dict[str, list[int]] = defaultdict(list)
        for place, candidate in enumerate(found):
            self._of_cause[candidate.cause.cause].append(place)
        self._named: dict[tuple[int, str], frozenset[str]] = {}
        self._accused: dict[tuple[int, str], frozenset[str]] = {}
        self._indexes: dict[tuple[str, str], dict[str, list[int]]] = {}

    def touched(self, edge: Explains, candidate: Candidate) -> Sequence[int]:
        """Candidates of the edge's cause that share its parts with ``candidate``; no other can be an effect of it."""
        keys = [(own, candidate.key(theirs) | {UNATTRIBUTED}) for own, theirs in edge.on.items()]
        if not keys:
            return self._of_cause.get(str(edge.cause), ())
        own, wanted = keys[0]
        met = _united(self._index(str(edge.cause), own), wanted)
        return [place for place in met if all(self._names(place, own) & wanted for own, wanted in keys[1:])]

    def accused(self, place: int, name: str) -> frozenset[str]:
        """Parts of a kind that are accused or belong to the accused parts of a candidate."""
        known = self._accused.get((place, name))
        if known is None:
            candidate, related = self.found[place], self.store.inventory.related
            own = name == candidate.kind
            walked = (related(candidate.kind, part, name) for part in candidate.parts if name in LEVELS)
            known = frozenset(candidate.parts) if own else frozenset[str]().union(*walked)
            self._accused[place, name] = known
        return known

    def _names(self, place: int, name: str) -> frozenset[str]:
        known = self._named.get((place, name))
        if known is None:
            candidate = self.found[place]
            groups = (*candidate.roots(), *candidate.of_role("consequence"))
            known = self.accused(place, name).union(*(group.key(name) for group in groups))
            self._named[place, name] = known
        return known

    def _index(self, slug: str, own: str) -> Mapping[str, list[int]]:
        known = self._indexes.get((slug, own))
        if known is None:
            known = self._indexes[slug, own] = defaultdict(list)
            for place in self._of_cause.get(slug, ()):
                for value in self._names(place, own):
                    known[value].append(place)
        return known


class GroupIndex:
    """Observations found by the values they have under a key."""

    def __init__(self, groups: Sequence[Group]) -> None:
        """Keep observations in their order."""
        self._groups = groups
        self._indexes: dict[str, dict[str, list[int]]] = {}

    def sharing(self, candidate: Candidate, edge: Explains) -> Sequence[Group]:
        """Observations that have a value of the edge's first pair of keys in common with ``candidate``, in order."""
        own, theirs = next(iter(edge.on.items()), ("", ""))
        if not own or not self._groups:
            return self._groups
        return [self._groups[place] for place in _united(self._index(own), candidate.key(theirs))]

    def _index(self, own: str) -> Mapping[str, list[int]]:
        known = self._indexes.get(own)
        if known is None:
            known = self._indexes[own] = defaultdict(list)
            for place, group in enumerate(self._groups):
                for value in group.key(own):
                    known[value].append(place)
        return known


def _united(index: Mapping[str, list[int]], wanted: Iterable[str]) -> list[int]:
    return sorted({place for value in wanted for place in index.get(value, ())})
