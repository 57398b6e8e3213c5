"""All rules over all facts: the diagnoses in order, and what could not be seen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from analyzer.diagnose.candidates import Candidate, candidates
from analyzer.diagnose.compose import Verdict, diagnosis
from analyzer.diagnose.confidence import confidence
from analyzer.diagnose.consequences import Consequences
from analyzer.diagnose.explanations import Explanations, explain
from analyzer.diagnose.incident import ALL_TIMES, Asked, incident
from analyzer.diagnose.ranking import Standing, ranked
from analyzer.diagnose.selection import Condition, condition_of, explained_condition, frame_of, observations, select
from analyzer.diagnose.visibility import visible
from analyzer.facts.store import Store
from analyzer.model.analysis import ConfidenceTerm, Diagnosis, Window
from analyzer.rulebook.schema import Cause

Score = tuple[float, tuple[ConfidenceTerm, ...]]
"""Confidence and the terms it is the sum of."""


class Outcome(msgspec.Struct, frozen=True):
    """Diagnoses inside the incident window, those outside it, and the window."""

    diagnoses: tuple[Diagnosis, ...]
    earlier: tuple[Diagnosis, ...]
    window: Window


def diagnose(store: Store, asked: Asked = ALL_TIMES) -> Outcome:
    """Hold every rule against the facts and put the causes first.

    Args:
        store: The facts.
        asked: The window that the user asked about.
    """
    rules = list(store.rulebook.causes.values())
    selected = select(_conditions(rules), store)
    found = [c for rule in rules for c in candidates(rule, observations(rule, selected, store))]
    graph = explain(found, selected, store)
    return _ordered(found, graph, store, asked)


def _conditions(rules: Iterable[Cause]) -> list[Condition]:
    wanted: list[Condition] = []
    for rule in rules:
        wanted.extend(condition_of(rule, name, symptom) for name, symptom in rule.symptoms.items())
        wanted.extend(c for edge in rule.explains if (c := explained_condition(edge)) is not None)
    return wanted


def _ordered(found: Sequence[Candidate], graph: Explanations, store: Store, asked: Asked) -> Outcome:
    under = Consequences(found, graph, store.rulebook.vocabulary)
    scores = {top: _scored(found[top], store) for top in under.tops}
    spans = {top: under.span(top) for top in under.tops}
    within = incident(list(spans.values()), asked)
    order = ranked([
        _standing(top, found[top], len(under.kinds(top)), scores[top][0], store, within.holds(spans[top]))
        for top in under.tops
    ])  # fmt: skip

    def told(recent: bool) -> tuple[Diagnosis, ...]:
        chosen = [standing for standing in order if standing.recent == recent]
        return tuple(_told(rank, s, found[s.place], scores[s.place], under, store) for rank, s in enumerate(chosen, 1))

    return Outcome(told(True), told(False), within.window)


def _scored(candidate: Candidate, store: Store) -> Score:
    cause = candidate.cause

    def seen(symptom: str) -> bool:
        return visible(frame_of(cause, symptom, cause.symptoms[symptom]), store)

    return confidence(candidate, seen)


def _standing(place: int, candidate: Candidate, explains: int, score: float, store: Store, recent: bool) -> Standing:
    cause = candidate.cause
    first = candidate.first
    machine = None if first is None else first.machine
    return Standing(
        place=place,
        recent=recent,
        is_cause=store.rulebook.vocabulary[cause.cause].kind == "cause",
        severity=candidate.severity,
        explains=explains,
        onset_s=candidate.onset_s,
        uncertainty_s=0.0 if first is None else first.uncertainty_s,
        machine=machine,
        doubt_s=store.clock_doubt_s(machine),
        layer=cause.layer,
        confidence=score,
        slug=cause.cause,
    )


def _told(
    rank: int, standing: Standing, candidate: Candidate, score: Score, under: Consequences, store: Store
) -> Diagnosis:
    value, terms = score
    effects = under.effects(standing.place)
    return diagnosis(Verdict(rank, candidate, standing.is_cause, standing.severity, value, terms, effects), store)
