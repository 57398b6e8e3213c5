"""A ranked candidate, with what it explains, as one diagnosis of the report."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import msgspec

from analyzer.diagnose.candidates import Candidate
from analyzer.diagnose.consequences import Effect
from analyzer.diagnose.evidence import cite, entities
from analyzer.diagnose.groups import Group
from analyzer.diagnose.incident import iso
from analyzer.diagnose.state import state
from analyzer.diagnose.wording import filled, told
from analyzer.facts.store import Store
from analyzer.model.analysis import (
    Alternative,
    ChainLink,
    ConfidenceTerm,
    Consequence,
    Diagnosis,
    EvidenceRole,
    FixStep,
    VerifyStep,
)
from analyzer.rulebook.schema import Step
from analyzer.rulebook.shared import completed, spelt

CITED_PER_CONSEQUENCE = 3


class Verdict(msgspec.Struct, frozen=True):
    """Everything decided about one candidate before it is put into words."""

    rank: int
    candidate: Candidate
    is_cause: bool
    severity: str
    confidence: float
    terms: tuple[ConfidenceTerm, ...]
    effects: Sequence[Effect]
    alternatives: tuple[Alternative, ...] = ()


def diagnosis(verdict: Verdict, store: Store) -> Diagnosis:
    """Put one verdict into the report's words."""
    candidate, cause = verdict.candidate, verdict.candidate.cause
    return Diagnosis(
        rank=verdict.rank,
        cause=cause.cause,
        severity=verdict.severity,  # type: ignore[arg-type]
        confidence=verdict.confidence,
        title=cause.title,
        explanation=told(cause.say, candidate, store),
        layer=cause.layer,
        unexplained_consequence=not verdict.is_cause,
        entities=entities(candidate.named(), store, candidate.accused()),
        first_seen=iso(candidate.onset_s),
        last_seen=iso(candidate.last_s),
        state=state(candidate, store),
        occurrences=sum(len(group.rows) for group in candidate.roots()),
        evidence=cite(_cited(candidate), store),
        chain=_chain(verdict.effects, store),
        consequences=tuple(_consequence(effect, store) for effect in verdict.effects),
        alternatives=verdict.alternatives,
        confidence_terms=verdict.terms,
        fix=tuple(_fix(step, candidate, store) for step in cause.fix),
        verify=tuple(_verify(step, candidate, store) for step in cause.verify),
        not_proof_of=cause.not_proof_of,
        sources=tuple(spelt(cited, store.rulebook.references) for cited in cause.sources),
    )


def _cited(candidate: Candidate) -> Iterable[tuple[EvidenceRole, Group]]:
    roles: tuple[EvidenceRole, ...] = ("root", "confirms", "against")
    return [(role, group) for role in roles for group in candidate.of_role(role)]


def _consequence(effect: Effect, store: Store) -> Consequence:
    evidence = cite([("root", group) for group in effect.groups], store, CITED_PER_CONSEQUENCE)
    count = sum(len(group.rows) for group in effect.groups)
    return Consequence(
        cause=effect.slug,
        title=effect.title,
        count=count,
        entities=entities(effect.parts, store),
        evidence=evidence,
        via=effect.via,
    )


def _chain(effects: Sequence[Effect], store: Store) -> tuple[ChainLink, ...]:
    """The consequences in order of their first known time; those without one first."""

    def begins(effect: Effect) -> float:
        return min((g.onset_s for g in effect.groups if not math.isnan(g.onset_s)), default=math.nan)

    ordered = sorted(effects, key=lambda e: (-math.inf if math.isnan(begins(e)) else begins(e), e.slug))
    return tuple(
        ChainLink(cause=e.slug, text=e.title, time=iso(begins(e)), entities=entities(e.parts, store)) for e in ordered
    )


def _fix(step: Step, candidate: Candidate, store: Store) -> FixStep:
    whole = completed(step, store.rulebook.actions)
    return FixStep(
        text=filled(whole.text or "", candidate, store),
        command=_filled(whole.command, candidate, store),
        risk=whole.risk,
    )


def _verify(step: Step, candidate: Candidate, store: Store) -> VerifyStep:
    whole = completed(step, store.rulebook.actions)
    return VerifyStep(
        text=filled(whole.text or "", candidate, store),
        command=_filled(whole.command, candidate, store),
        expect=_filled(whole.expect, candidate, store),
    )


def _filled(text: str | None, candidate: Candidate, store: Store) -> str | None:
    return filled(text, candidate, store) if text else None
