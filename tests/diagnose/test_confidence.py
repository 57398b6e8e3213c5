"""Confidence is a sum of terms with reasons; what nobody could have seen is not counted as absent."""

from __future__ import annotations

from typing import Any

from analyzer.diagnose.candidates import candidates
from analyzer.diagnose.confidence import confidence
from tests.diagnose.builders import Rows, cause, groups, row, store, symptoms

ABSENT = {"add": -0.2, "absent": "hot", "text": "it is cool"}
PRESENT = {"add": 0.2, "present": "hot", "text": "it is hot"}


def sure(*terms: dict[str, Any], base: float = 0.5, visible: bool = True, hot: Rows = ()) -> tuple[float, list[str]]:
    """Confidence of a rule whose ``down`` was seen, and the reasons given."""
    rule = cause(symptoms=symptoms(down="root", hot="confirms"), confidence={"base": base, "terms": list(terms)})
    facts = store(down=[row()], hot=hot)
    (found,) = candidates(rule, {name: groups(facts, name) for name in facts.names()})
    total, told = confidence(found, lambda _: visible)
    return total, [term.text for term in told]


def test_without_terms_it_is_the_base() -> None:
    assert sure() == (0.5, ["the symptoms alone"])


def test_a_symptom_that_was_seen_adds_its_term() -> None:
    assert sure(PRESENT, hot=[row()]) == (0.7, ["the symptoms alone", "it is hot"])


def test_a_symptom_of_another_node_adds_nothing() -> None:
    assert sure(PRESENT, hot=[row(node="n2")])[0] == 0.5


def test_a_symptom_that_could_have_been_seen_and_was_not_counts_as_absent() -> None:
    assert sure(ABSENT) == (0.3, ["the symptoms alone", "it is cool"])


def test_what_nobody_could_have_seen_is_not_absent() -> None:
    assert sure(ABSENT, visible=False) == (0.5, ["the symptoms alone"])


def test_nothing_is_certain_and_nothing_impossible() -> None:
    assert sure(PRESENT, base=0.95, hot=[row()])[0] == 0.99
    assert sure(ABSENT, base=0.1)[0] == 0.01
