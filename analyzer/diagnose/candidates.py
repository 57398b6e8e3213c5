"""One rule over the observations: which parts it accuses, and with which observations."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping

import msgspec

from analyzer.diagnose.groups import UNATTRIBUTED, Group, near
from analyzer.rulebook.duration import window
from analyzer.rulebook.schema import Cause, Symptom

Observations = Mapping[str, list[Group]]


class Candidate(msgspec.Struct, eq=False):
    """A cause held against one part, or several merged ones.

    Attributes:
        cause: The rule.
        kind: Entity kind of the accused part.
        parts: Canonical names of the accused parts, in order of appearance.
        groups: Observations by symptom.
        anchors: Observations that name the part.
    """

    cause: Cause
    kind: str
    parts: list[str]
    groups: dict[str, list[Group]]
    anchors: list[Group]

    def of_role(self, role: str) -> list[Group]:
        """Observations of the symptoms with a role, in the rule's order."""
        names = [name for name, symptom in self.cause.symptoms.items() if symptom.role == role]
        return [group for name in names for group in self.groups.get(name, ())]

    def roots(self) -> list[Group]:
        """Observations that the verdict rests on."""
        return self.of_role("root")

    @property
    def onset_s(self) -> float:
        """Earliest known time of a root observation, NaN if none is known."""
        return min((g.onset_s for g in self.roots() if not math.isnan(g.onset_s)), default=math.nan)

    @property
    def last_s(self) -> float:
        """Latest known time of a root observation, NaN if none is known."""
        return max((g.last_s for g in self.roots() if not math.isnan(g.last_s)), default=math.nan)

    @property
    def uncertainty_s(self) -> float:
        """Largest half-width of the root observations' times."""
        return max((g.uncertainty_s for g in self.roots()), default=0.0)

    def key(self, name: str) -> frozenset[str]:
        """Values that the accused parts' observations have under a column or an entity kind."""
        if name == self.kind:
            return frozenset(self.parts)
        return frozenset().union(*(group.key(name) for group in self.anchors))


def candidates(cause: Cause, seen: Observations) -> list[Candidate]:
    """Every part that a rule accuses.

    Args:
        cause: The rule.
        seen: Its observations by symptom.
    """
    kind, sources = _subject(cause)
    found = [_assembled(cause, kind, part, anchors, seen) for part, anchors in _anchors(kind, sources, seen).items()]
    fired = [candidate for candidate in found if _holds(candidate)]
    return _merged(fired)


def _subject(cause: Cause) -> tuple[str, list[tuple[str, str]]]:
    """Entity kind of the subject, and the (symptom, column or literal) pairs that name it."""
    kind, named = next(iter(cause.subject.items()))
    texts = (named,) if isinstance(named, str) else named
    roots = [name for name, symptom in cause.symptoms.items() if symptom.role == "root"]
    pairs: list[tuple[str, str]] = []
    for text in texts:
        symptom, dot, column = text.partition(".")
        if dot and not text.startswith("="):
            pairs.append((symptom, column))
        else:
            pairs.extend((root, text) for root in roots)
    return kind, pairs


def _anchors(kind: str, sources: Iterable[tuple[str, str]], seen: Observations) -> dict[str, list[Group]]:
    anchors: dict[str, list[Group]] = defaultdict(list)
    unnamed: list[Group] = []
    for symptom, column in sources:
        for group in seen.get(symptom, ()):
            parts = {column[1:]} if column.startswith("=") else group.key(column) or group.key(kind)
            for part in sorted(parts):
                anchors[part].append(group)
            if not parts:
                unnamed.append(group)
    for group in unnamed:
        _place_unnamed(group, anchors)
    return anchors


def _place_unnamed(group: Group, anchors: dict[str, list[Group]]) -> None:
    """An observation that names no part belongs to the parts of its node, else stands for the node itself.

    One without a node, such as a line of a job's output, belongs to the only part that is accused.
    """
    nodes = group.key("node")
    mates = [part for part, groups in anchors.items() if nodes and any(nodes & g.key("node") for g in groups)]
    if nodes == {UNATTRIBUTED} and len(anchors) == 1:
        mates = list(anchors)
    for part in mates or [next(iter(sorted(nodes)), "")]:
        anchors[part].append(group)


def _assembled(cause: Cause, kind: str, part: str, anchors: list[Group], seen: Observations) -> Candidate:
    groups: dict[str, list[Group]] = defaultdict(list)
    for anchor in anchors:
        groups[anchor.symptom].append(anchor)
    own = {id(anchor) for anchor in anchors}
    for name, symptom in cause.symptoms.items():
        shown = seen.get(name, ())
        joined = [g for g in shown if id(g) not in own and _belongs(g, symptom, (kind, part), anchors, groups)]
        if name not in groups or symptom.on is not None:
            groups[name].extend(joined)
    return Candidate(cause, kind, [part] if part else [], {k: v for k, v in groups.items() if v}, anchors)


def _belongs(
    group: Group, symptom: Symptom, accused: tuple[str, str], anchors: list[Group], groups: Mapping[str, list[Group]]
) -> bool:
    return any(_joined(group, symptom, accused, anchor, groups) for anchor in anchors)


def _joined(
    group: Group, symptom: Symptom, accused: tuple[str, str], anchor: Group, groups: Mapping[str, list[Group]]
) -> bool:
    """True when an observation is where the symptom must be; an anchor may name the accused part as another's."""
    on = {"node": "node"} if symptom.on is None else symptom.on
    for own, theirs in on.items():
        other, dot, column = theirs.partition(".")
        others = groups.get(other, ()) if dot else (anchor,)
        wanted = frozenset().union(*(g.key(column if dot else theirs) for g in others)) if others else frozenset()
        if theirs == accused[0] and accused[1]:
            wanted = frozenset((accused[1],))
        if not group.key(own) & wanted:
            return False
    span = window(symptom.within)
    return span is None or near(anchor, group, span) is not False


def _holds(candidate: Candidate) -> bool:
    logic, present = candidate.cause.logic, candidate.groups
    roots = [name for name, symptom in candidate.cause.symptoms.items() if symptom.role == "root"]
    needed = logic.all or logic.any or logic.sequence
    if not needed and not any(name in present for name in roots):
        return False
    if any(name not in present for name in (*logic.all, *logic.sequence)):
        return False
    if logic.any and not any(name in present for name in logic.any):
        return False
    return not any(name in present for name in logic.unless) and _in_order(candidate)


def _in_order(candidate: Candidate) -> bool:
    """The symptoms of a sequence begin in their order; unknown times and times too close to tell pass."""
    names = candidate.cause.logic.sequence
    for earlier, later in itertools.pairwise(names):
        pairs = ((a, b) for a in candidate.groups[earlier] for b in candidate.groups[later])
        if not any(near(a, b, (0.0, math.inf)) is not False for a, b in pairs):
            return False
    return True


def _merged(found: list[Candidate]) -> list[Candidate]:
    """Fold candidates that share the rule's ``merge`` kind."""
    if not found or found[0].cause.merge is None:
        return found
    merge = found[0].cause.merge
    folded: dict[frozenset[str], Candidate] = {}
    for candidate in found:
        key = frozenset(("",)) if merge == "all" else candidate.key(merge) or frozenset(candidate.parts)
        first = folded.setdefault(key, candidate)
        if first is not candidate:
            _absorb(first, candidate)
    return list(folded.values())


def _absorb(first: Candidate, other: Candidate) -> None:
    first.parts.extend(part for part in other.parts if part not in first.parts)
    first.anchors.extend(other.anchors)
    for name, groups in other.groups.items():
        known = first.groups.setdefault(name, [])
        known.extend(group for group in groups if all(group is not k for k in known))
