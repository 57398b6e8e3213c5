"""What a cause refers to by name is put in, and what it says itself goes before it."""

from __future__ import annotations

from analyzer.rulebook.schema import Action, Cite, Reference, Step
from analyzer.rulebook.shared import completed, spelt

ACTIONS = {"reset": Action(text="Reset the GPU", command="reset {gpu}", risk="disruptive", expect="it answers")}
REFERENCES = {"guide": Reference(kind="manual", title="Guide", ref="shelf 3", revision="v2", read="2026-01")}


def test_a_step_takes_over_what_its_action_brings() -> None:
    step = completed(Step(use="reset"), ACTIONS)
    assert (step.text, step.command, step.risk, step.expect) == (
        "Reset the GPU", "reset {gpu}", "disruptive", "it answers",
    )  # fmt: skip


def test_a_step_of_its_own_stays_as_it_is() -> None:
    step = Step(text="Reseat the cable")
    assert completed(step, ACTIONS) == step


def test_a_step_may_be_more_disruptive_than_its_action() -> None:
    assert completed(Step(use="look", risk="disruptive"), {"look": Action(text="Look")}).risk == "disruptive"


def test_a_citation_names_the_place_in_the_reference() -> None:
    assert spelt(Cite(id="guide", at="page 7"), REFERENCES) == "Guide; page 7; shelf 3; v2; read 2026-01"


def test_a_bare_citation_names_the_reference() -> None:
    assert spelt("guide", REFERENCES) == "Guide; shelf 3; v2; read 2026-01"
