"""One rule over the observations: which parts it accuses, and with which observations."""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet

import msgspec

from analyzer.diagnose.groups import UNATTRIBUTED, Group, near
from analyzer.diagnose.joins import Joins
from analyzer.rulebook.schema import SEVERITIES, Cause, Severity

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
    groups: dict[str, Sequence[Group]]
    anchors: list[Group]
    _keys: dict[str, frozenset[str]] = msgspec.field(default_factory=dict)

    def of_role(self, role: str) -> list[Group]:
        """Observations of the symptoms with a role, in the rule's order."""
        names = [name for name, symptom in self.cause.symptoms.items() if symptom.role == role]
        return [group for name in names for group in self.groups.get(name, ())]

    def roots(self) -> list[Group]:
        """Observations that the verdict rests on."""
        return self.of_role("root")

    @property
    def severity(self) -> Severity:
        """The gravest that a root symptom which was seen makes it."""
        stated = (self.cause.symptoms[group.symptom].severity or self.cause.severity for group in self.roots())
        return min(stated, key=SEVERITIES.index, default=self.cause.severity)

    @property
    def onset_s(self) -> float:
        """Earliest known time of a root observation, NaN if none is known."""
        return min((g.onset_s for g in self.roots() if not math.isnan(g.onset_s)), default=math.nan)

    @property
    def last_s(self) -> float:
        """Latest known time of a root observation, NaN if none is known."""
        return max((g.last_s for g in self.roots() if not math.isnan(g.last_s)), default=math.nan)

    @property
    def first(self) -> Group | None:
        """The root observation that began first, None if no time is known."""
        timed = [group for group in self.roots() if not math.isnan(group.onset_s)]
        return min(timed, key=lambda group: group.onset_s, default=None)

    def key(self, name: str) -> frozenset[str]:
        """Values that the accused parts' observations have under a column or an entity kind."""
        known = self._keys.get(name)
        if known is None:
            own = name == self.kind
            known = frozenset(self.parts) if own else frozenset().union(*(g.key(name) for g in self.anchors))
            self._keys[name] = known
        return known

    def accused(self) -> list[tuple[str, str]]:
        """The accused parts, none where the observations name no part."""
        return [(self.kind, part) for part in self.parts if part]

    def named(self) -> list[tuple[str, str]]:
        """The accused parts and the parts their observations name, the accused first."""
        parts = self.accused()
        for group in (*self.roots(), *self.of_role("confirms")):
            where = [("node", node) for node in sorted(group.key("node")) if node != UNATTRIBUTED]
            parts.extend(part for part in (*group.direct(), *where) if part not in parts)
        return parts


def candidates(cause: Cause, seen: Observations) -> list[Candidate]:
    """Every part that a rule accuses.

    Args:
        cause: The rule.
        seen: Its observations by symptom.
    """
    kind, sources = _subject(cause)
    roots = {name for name, symptom in cause.symptoms.items() if symptom.role == "root"}
    joins = Joins(seen)
    named = _anchors(kind, sources, seen, roots)
    found = [_assembled(cause, kind, part, anchors, joins) for part, anchors in named.items()]
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


def _anchors(
    kind: str, sources: Iterable[tuple[str, str]], seen: Observations, roots: AbstractSet[str]
) -> dict[str, list[Group]]:
    anchors: dict[str, list[Group]] = defaultdict(list)
    unnamed: list[Group] = []
    for symptom, column in sources:
        for group in seen.get(symptom, ()):
            parts = {column[1:]} if column.startswith("=") else group.key(column) or group.key(kind)
            named = parts - {UNATTRIBUTED}
            for part in sorted(named):
                anchors[part].append(group)
            if not named:
                unnamed.append(group)
    accused = [part for part, groups in anchors.items() if any(group.symptom in roots for group in groups)]
    for group in unnamed:
        _place_unnamed(group, anchors, accused)
    return anchors


def _place_unnamed(group: Group, anchors: dict[str, list[Group]], accused: Sequence[str]) -> None:
    """An observation that names no part belongs to the parts of its node, else stands for the node itself.

    One without a node, such as a line of a job's output, belongs to the only part that a root symptom accuses.
    """
    nodes = group.key("node")
    mates = [part for part, groups in anchors.items() if nodes and any(nodes & g.key("node") for g in groups)]
    if nodes == {UNATTRIBUTED} and len(accused) == 1:
        mates = list(accused)
    for part in mates or [next(iter(sorted(nodes)), "")]:
        anchors[part].append(group)


def _assembled(cause: Cause, kind: str, part: str, anchors: list[Group], joins: Joins) -> Candidate:
    named: dict[str, list[Group]] = defaultdict(list)
    for anchor in anchors:
        named[anchor.symptom].append(anchor)
    own = {id(anchor) for anchor in anchors}
    groups: dict[str, Sequence[Group]] = dict(named)
    for name, symptom in cause.symptoms.items():
        if name not in groups:
            groups[name] = joins.belonging(name, symptom, (kind, part), anchors, groups)
        elif symptom.on is not None:
            joined = joins.belonging(name, symptom, (kind, part), anchors, groups)
            groups[name] = [*named[name], *(group for group in joined if id(group) not in own)]
    return Candidate(cause, kind, [part] if part else [], {k: v for k, v in groups.items() if v}, anchors)


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
    folded: dict[frozenset[str], list[Candidate]] = defaultdict(list)
    for candidate in found:
        key = frozenset(("",)) if merge == "all" else candidate.key(merge) or frozenset(candidate.parts)
        folded[key].append(candidate)
    return [_fold(mates) for mates in folded.values()]


def _fold(mates: list[Candidate]) -> Candidate:
    if len(mates) == 1:
        return mates[0]
    groups: dict[str, dict[int, Group]] = defaultdict(dict)
    for name, members in {id(shared): (name, shared) for m in mates for name, shared in m.groups.items()}.values():
        groups[name].update((id(group), group) for group in members)
    return Candidate(
        cause=mates[0].cause,
        kind=mates[0].kind,
        parts=list(dict.fromkeys(part for mate in mates for part in mate.parts)),
        groups={name: list(members.values()) for name, members in groups.items()},
        anchors=list({id(anchor): anchor for mate in mates for anchor in mate.anchors}.values()),
    )
