"""All rules over all facts: the diagnoses in order, and what could not be seen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import msgspec

from analyzer.diagnose.candidates import Candidate, candidates
from analyzer.diagnose.compose import Verdict, diagnosis
from analyzer.diagnose.confidence import confidence
from analyzer.diagnose.consequences import Consequences
from analyzer.diagnose.explanations import Explanations, explain
from analyzer.diagnose.incident import incident_window
from analyzer.diagnose.ranking import Standing, ranked
from analyzer.diagnose.selection import Condition, condition_of, explained_condition, frame_of, observations, select
from analyzer.diagnose.visibility import visible
from analyzer.facts.store import Store
from analyzer.model.analysis import ConfidenceTerm, Diagnosis, Window
from analyzer.rulebook.schema import Cause

Score = tuple[float, tuple[ConfidenceTerm, ...]]
"""Confidence and the terms it is the sum of."""


class Outcome(msgspec.Struct, frozen=True):
    """Diagnoses inside the incident window, those before it, and the window."""

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
    under = Consequences(found, graph, store.rulebook.vocabulary)
    scores = {top: _scored(found[top], store) for top in under.tops}
    spans = {top: under.span(top) for top in under.tops}
    window, start_s = incident_window(list(spans.values()), since_s, until_s)
    order = ranked([
        _standing(top, found[top], len(under.kinds(top)), scores[top][0], store, not spans[top].last_s < start_s)
        for top in under.tops
    ])  # fmt: skip

    def told(recent: bool) -> tuple[Diagnosis, ...]:
        chosen = [standing for standing in order if standing.recent == recent]
        return tuple(_told(rank, s, found[s.place], scores[s.place], under, store) for rank, s in enumerate(chosen, 1))

    return Outcome(told(True), told(False), window)


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
