"""Confidence of a candidate: a base and terms, each with a reason, mapped by one monotone table."""

from __future__ import annotations

from collections.abc import Callable

from analyzer.diagnose.candidates import Candidate
from analyzer.model.analysis import ConfidenceTerm

Visible = Callable[[str], bool]


def confidence(candidate: Candidate, visible: Visible) -> tuple[float, tuple[ConfidenceTerm, ...]]:
    """Sum of the terms that apply, cut to 0.01 to 0.99, and the terms themselves.

    Args:
        candidate: The candidate.
        visible: Says of a symptom's name whether an input that would show it was read: what nobody could have seen
            is not counted as absent.
    """
    rule = candidate.cause.confidence
    terms = [ConfidenceTerm(text=rule.text, value=rule.base)]
    for term in rule.terms:
        present = term.present is not None and term.present in candidate.groups
        absent = term.absent is not None and term.absent not in candidate.groups and visible(term.absent)
        if present or absent:
            terms.append(ConfidenceTerm(text=term.text, value=term.add))
    total = sum(term.value for term in terms)
    return round(min(0.99, max(0.01, total)), 2), tuple(terms)
