"""All rules over all facts: the diagnoses in order, and what could not be seen."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import msgspec

from analyzer.diagnose.candidates import Candidate, candidates
from analyzer.diagnose.compose import Effect, Verdict, diagnosis, named_parts
from analyzer.diagnose.confidence import confidence
from analyzer.diagnose.explanations import Explained, Explanations, explain
from analyzer.diagnose.incident import Span, incident_window
from analyzer.diagnose.ranking import Standing, ranked
from analyzer.diagnose.selection import Condition, condition_of, explained_condition, frame_of, observations, select
from analyzer.diagnose.visibility import visible
from analyzer.facts.store import Store
from analyzer.model.analysis import ConfidenceTerm, Diagnosis, Window
from analyzer.rulebook.schema import Cause


class Outcome(msgspec.Struct, frozen=True):
    """Diagnoses inside the incident window, those before it, the window, and the causes' slugs held against facts."""

    diagnoses: tuple[Diagnosis, ...]
    earlier: tuple[Diagnosis, ...]
    window: Window


def diagnose(store: Store, since_s: float | None = None, until_s: float | None = None) -> Outcome:
    """Hold every rule against the facts and put the causes first.

    Args:
        store: The facts.
        since_s: Beginning of the incident window in epoch seconds, if the user says so.
        until_s: Its end, likewise.
    """
    rules = list(store.rulebook.causes.values())
    selected = select(_conditions(rules), store)
    found = [c for rule in rules for c in candidates(rule, observations(rule, selected, store))]
    graph = explain(found, selected, store)
    return _ordered(found, graph, store, since_s, until_s)


def _conditions(rules: Iterable[Cause]) -> list[Condition]:
    wanted: list[Condition] = []
    for rule in rules:
        wanted.extend(condition_of(rule, name, symptom) for name, symptom in rule.symptoms.items())
        wanted.extend(c for edge in rule.explains if (c := explained_condition(edge)) is not None)
    return wanted


def _ordered(
    found: Sequence[Candidate], graph: Explanations, store: Store, since_s: float | None, until_s: float | None
) -> Outcome:
    top = [place for place in range(len(found)) if not graph.parents.get(place)]
    below = _below(found, graph)
    scores = {place: _scored(found[place], store) for place in top}
    spans = [_span(found, place, below[place], graph) for place in top]
    window, start_s = incident_window(spans, since_s, until_s)
    standings = [
        _standing(place, found, below[place], graph, scores[place][0], store, span.last_s, start_s)
        for place, span in zip(top, spans, strict=True)
    ]
    order = ranked(standings)
    inside = [s for s in order if s.recent]
    before = [s for s in order if not s.recent]

    def told(standing: Standing, rank: int) -> Diagnosis:
        effects = _effects(standing.place, found, below[standing.place], graph, store)
        value, terms = scores[standing.place]
        verdict = Verdict(rank, found[standing.place], standing.is_cause, standing.severity, value, terms, effects)
        return diagnosis(verdict, store)

    return Outcome(
        tuple(told(s, rank) for rank, s in enumerate(inside, 1)),
        tuple(told(s, rank) for rank, s in enumerate(before, 1)),
        window,
    )


def _below(found: Sequence[Candidate], graph: Explanations) -> dict[int, list[int]]:
    """Explained candidates under each top candidate; one with several tops stands under each of them."""
    below: dict[int, list[int]] = {place: [] for place in range(len(found))}
    for place in range(len(found)):
        if graph.parents.get(place):
            for top in graph.tops(place):
                below[top].append(place)
    return below


def _scored(candidate: Candidate, store: Store) -> tuple[float, tuple[ConfidenceTerm, ...]]:
    cause = candidate.cause

    def seen(symptom: str) -> bool:
        return visible(frame_of(cause, symptom, cause.symptoms[symptom]), store)

    return confidence(candidate, seen)


def _span(found: Sequence[Candidate], place: int, below: Sequence[int], graph: Explanations) -> Span:
    members = [found[p] for p in (place, *below)]
    rows = [group for p in (place, *below) for explained in graph.rows.get(p, ()) for group in explained.groups]
    firsts = [c.onset_s for c in members] + [g.onset_s for g in rows]
    lasts = [c.last_s for c in members] + [g.last_s for g in rows]
    known_firsts = [t for t in firsts if not math.isnan(t)]
    known_lasts = [t for t in lasts if not math.isnan(t)]
    return Span(min(known_firsts, default=math.nan), max(known_lasts, default=math.nan), found[place].cause.severity)


def _standing(
    place: int, found: Sequence[Candidate], below: Sequence[int], graph: Explanations, score: float, store: Store,
    last_s: float, start_s: float,
) -> Standing:  # fmt: skip
    candidate = found[place]
    cause = candidate.cause
    kinds = {found[p].cause.cause for p in below} | {e.slug for p in (place, *below) for e in graph.rows.get(p, ())}
    return Standing(
        place=place,
        recent=math.isnan(last_s) or last_s >= start_s,
        is_cause=store.rulebook.vocabulary[cause.cause].kind == "cause",
        severity=cause.severity,
        explains=len(kinds),
        onset_s=candidate.onset_s,
        uncertainty_s=candidate.uncertainty_s,
        layer=cause.layer,
        confidence=score,
        slug=cause.cause,
    )


def _effects(
    place: int, found: Sequence[Candidate], below: Sequence[int], graph: Explanations, store: Store
) -> list[Effect]:
    """Consequences of one top candidate, one entry a slug."""
    effects: dict[str, Effect] = {}
    for child in below:
        via = next((found[p].cause.cause for p in graph.parents[child]), found[place].cause.cause)
        candidate = found[child]
        cause = candidate.cause
        _add(effects, Effect(cause.cause, cause.title, candidate.roots(), named_parts(candidate), via))
    for owner in (place, *below):
        for explained in graph.rows.get(owner, ()):
            _add(effects, _row_effect(explained, found[owner].cause.cause, store))
    return list(effects.values())


def _row_effect(explained: Explained, via: str, store: Store) -> Effect:
    entry = store.rulebook.vocabulary.get(explained.slug)
    title = entry.title if entry else explained.slug
    parts = list(dict.fromkeys(part for group in explained.groups for part in group.direct()))
    return Effect(explained.slug, title, explained.groups, parts, via)


def _add(effects: dict[str, Effect], effect: Effect) -> None:
    known = effects.get(effect.slug)
    if known is None:
        effects[effect.slug] = effect
        return
    rows = {(g.frame, int(row)) for g in known.groups for row in g.rows}
    fresh = [g for g in effect.groups if not all((g.frame, int(row)) in rows for row in g.rows)]
    known.groups.extend(fresh)
    known.parts.extend(part for part in effect.parts if part not in known.parts)
