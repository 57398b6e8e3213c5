"""Which observations of a symptom belong to an accused part: by shared parts (``on``) and time (``within``)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from analyzer.diagnose.groups import Group, near
from analyzer.rulebook.duration import window
from analyzer.rulebook.schema import Symptom

DEFAULT_ON = {"node": "node"}


class Joins:
    """Observations of one rule, found by the values they have under a key."""

    def __init__(self, seen: Mapping[str, Sequence[Group]]) -> None:
        self._seen = seen
        self._indexes: dict[tuple[str, str], dict[str, list[Group]]] = {}

    def belonging(
        self,
        name: str,
        symptom: Symptom,
        accused: tuple[str, str],
        anchors: Sequence[Group],
        groups: Mapping[str, Sequence[Group]],
    ) -> Sequence[Group]:
        """Observations of a symptom that join with some anchor, in the order they were seen.

        A symptom that is taken from anywhere at any time gives one list, shared by all accused parts: a rule on the
        ranks of a large job joins each of a thousand with each.

        Args:
            name: Name of the symptom.
            symptom: The symptom.
            accused: Entity kind and canonical name of the accused part.
            anchors: Observations that name the part.
            groups: Observations joined so far, by symptom; ``on`` may refer to them.
        """
        shown = self._seen.get(name, ())
        if not shown:
            return []
        span = window(symptom.within)
        if span is None and symptom.on == {}:
            return shown
        chosen: dict[int, Group] = {}
        for anchor in anchors:
            for group in self._where(name, symptom, accused, anchor, groups):
                if id(group) not in chosen and (span is None or near(anchor, group, span) is not False):
                    chosen[id(group)] = group
        return list(chosen.values()) if len(chosen) < 2 else [g for g in shown if id(g) in chosen]

    def _where(
        self, name: str, symptom: Symptom, accused: tuple[str, str], anchor: Group,
        groups: Mapping[str, Sequence[Group]],
    ) -> Iterable[Group]:  # fmt: skip
        """Observations where the symptom must be; an anchor may name the accused part as another's."""
        on = DEFAULT_ON if symptom.on is None else symptom.on
        found: Iterable[Group] = self._seen[name]
        for place, (own, theirs) in enumerate(on.items()):
            wanted = _wanted(theirs, accused, anchor, groups)
            if place == 0:
                index = self._index(name, own)
                found = [group for value in sorted(wanted) for group in index.get(value, ())]
            else:
                found = [group for group in found if group.key(own) & wanted]
        return found

    def _index(self, name: str, own: str) -> dict[str, list[Group]]:
        known = self._indexes.get((name, own))
        if known is None:
            known = self._indexes[name, own] = defaultdict(list)
            for group in self._seen[name]:
                for value in group.key(own):
                    known[value].append(group)
        return known


def _wanted(
    theirs: str, accused: tuple[str, str], anchor: Group, groups: Mapping[str, Sequence[Group]]
) -> frozenset[str]:
    other, dot, column = theirs.partition(".")
    if theirs == accused[0] and accused[1]:
        return frozenset((accused[1],))
    if not dot:
        return anchor.key(theirs)
    return frozenset[str]().union(*(group.key(column) for group in groups.get(other, ())))
