"""Which lines a diagnosis cites, and what it says about its parts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from analyzer.diagnose.groups import UNATTRIBUTED, Group
from analyzer.diagnose.incident import iso
from analyzer.facts.citations import Place, place_of
from analyzer.facts.store import Store
from analyzer.model.analysis import Entities, Evidence, EvidenceRole

CITED = 12
"""Most evidence lines of one diagnosis: a reader's burden."""


def cite(groups: Iterable[tuple[EvidenceRole, Group]], store: Store, limit: int = CITED) -> tuple[Evidence, ...]:
    """Cite the first line of every observation, then the last ones of those with many, up to the limit.

    The result is in order of role, source and line.
    """
    pairs = list(groups)
    chosen: dict[Place, Evidence] = {}
    for line in (*_firsts(pairs, store), *_lasts(pairs, store)):
        place, evidence = line
        if len(chosen) < limit or place in chosen:
            chosen.setdefault(place, evidence)
    order = {"root": 0, "confirms": 1, "against": 2}
    return tuple(chosen[p] for p in sorted(chosen, key=lambda p: (order[chosen[p].role], p[0], p[1] or 0, p[2] or 0)))


_Line = tuple[Place, Evidence]


def _firsts(pairs: list[tuple[EvidenceRole, Group]], store: Store) -> Iterator[_Line]:
    by_symptom: dict[str, list[tuple[EvidenceRole, Group]]] = {}
    for role, group in pairs:
        by_symptom.setdefault(group.symptom, []).append((role, group))
    queues = list(by_symptom.values())
    for turn in range(max((len(queue) for queue in queues), default=0)):
        for queue in queues:
            if turn < len(queue):
                role, group = queue[turn]
                yield from _row(role, group, 0, store)


def _lasts(pairs: list[tuple[EvidenceRole, Group]], store: Store) -> Iterator[_Line]:
    for role, group in pairs:
        if len(group.rows) > 1:
            yield from _row(role, group, len(group.rows) - 1, store)


def _row(role: EvidenceRole, group: Group, index: int, store: Store) -> Iterator[_Line]:
    """The line of one row, and the lines a derived row was made of."""
    values = store.frame(group.frame).row(int(group.rows[index]), named=True)
    time_s = float(group.times_s[index])
    occurrences = len(group.rows) if index == 0 else 1
    parts = values.get("evidence")
    if parts:
        for part in parts:
            yield _quoted(part, role, time_s, store)
        return
    place = (values["source"], values["line"], values["event"])
    yield place, _evidence(place, values["text"], values["node"], role, time_s, group.uncertainty_s, occurrences, store)


def _quoted(part: str, role: EvidenceRole, time_s: float, store: Store) -> _Line:
    cited = place_of(part)
    return cited, _evidence(cited, store.text_at(*cited), None, role, time_s, 0.0, 1, store)


def _evidence(
    place: Place, text: str | None, node: str | None, role: EvidenceRole, time_s: float, uncertainty_s: float,
    occurrences: int, store: Store,
) -> Evidence:  # fmt: skip
    source, line, event = place
    known = not math.isnan(time_s)
    return Evidence(
        file=store.sources[source].path,
        line=line,
        event=event,
        node=node,
        time=iso(time_s),
        uncertainty_s=round(uncertainty_s, 3) if known else None,
        text=text or "",
        role=role,
        occurrences=occurrences,
    )


def entities(parts: Iterable[tuple[str, str]], store: Store, accused: Iterable[tuple[str, str]] = ()) -> Entities:
    """Spellings by kind of the accused parts with what they belong to, then of the other parts named."""
    found: dict[str, dict[str, None]] = {}
    owned = [owner for kind, name in accused for owner in _with_owners(kind, name, store)]
    for kind, part in (*owned, *parts):
        for spelling in store.inventory.spellings(kind, part):
            if spelling and spelling != UNATTRIBUTED:
                found.setdefault(kind, {})[spelling] = None
    return {kind: list(names)[:LISTED] for kind, names in found.items()}


LISTED = 64
"""Most names listed per kind."""

_OWNERS = ("link", "cable", "fibre", "port", "nic", "switch", "node", "rack")


def _with_owners(kind: str, name: str, store: Store) -> Iterator[tuple[str, str]]:
    yield kind, name
    if kind in ("node", "job", "user", "service", "switch"):
        return
    for owner in _OWNERS:
        for related in sorted(store.inventory.related(kind, name, owner)) if owner != kind else ():
            yield owner, related
