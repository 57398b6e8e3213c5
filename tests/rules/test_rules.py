"""Generated from ``rules/``: the shipped rules are right, and every cause answers its own examples."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from _pytest.mark import ParameterSet

from analyzer.rulebook.check import check
from analyzer.rulebook.load import load
from analyzer.rulebook.schema import Cause, Example, Rulebook
from analyzer.rules_folder import rules_dir
from tests.rules import harness


@cache
def rulebook() -> Rulebook:
    return load([rules_dir()])


def examples(*kinds: str) -> list[ParameterSet]:
    """All examples of some kinds, as test parameters named after cause and number."""
    return [
        pytest.param(cause, example, id=f"{slug}-{number}")
        for slug, cause in rulebook().causes.items()
        for number, example in enumerate(cause.examples)
        if example.kind in kinds
    ]


def test_the_shipped_rules_have_no_problem() -> None:
    assert check([rules_dir()]) == []


@pytest.mark.parametrize(("cause", "example"), examples("positive"))
def test_a_positive_is_the_first_diagnosis_with_exactly_its_evidence(
    cause: Cause, example: Example, tmp_path: Path
) -> None:
    answer = harness.answer(harness.bundle_of(example), tmp_path)

    assert answer.first() == cause.cause
    assert answer.places() == harness.stated(example)
    assert example.part is None or example.part in answer.names()


@pytest.mark.parametrize(("cause", "example"), examples("negative"))
def test_a_negative_is_silent(cause: Cause, example: Example, tmp_path: Path) -> None:
    assert harness.answer(harness.bundle_of(example), tmp_path).of(cause.cause) == []


@pytest.mark.parametrize(("cause", "example"), examples("consequence"))
def test_a_consequence_stands_under_its_root(cause: Cause, example: Example, tmp_path: Path) -> None:
    answer = harness.answer(harness.bundle_of(example), tmp_path)

    assert answer.first() == example.root
    assert cause.cause in {effect.cause for effect in answer.diagnoses[0].consequences}
    assert answer.of(cause.cause) == []


@pytest.mark.parametrize(("cause", "example"), examples("positive"))
def test_a_positive_without_its_evidence_is_silent(cause: Cause, example: Example, tmp_path: Path) -> None:
    bundle = harness.without(harness.bundle_of(example), harness.stated(example))

    assert harness.answer(bundle, tmp_path).of(cause.cause) == []


@pytest.mark.parametrize(("cause", "example"), examples("positive"))
def test_each_line_that_the_logic_needs_is_needed(cause: Cause, example: Example, tmp_path: Path) -> None:
    for symptom, place in harness.needed_lines(cause, example, rulebook()).items():
        bundle = harness.without(harness.bundle_of(example), {place})

        assert harness.answer(bundle, tmp_path / symptom).of(cause.cause) == [], symptom


@pytest.mark.parametrize(("cause", "example"), examples("positive"))
def test_a_symptom_of_another_node_does_not_join(cause: Cause, example: Example, tmp_path: Path) -> None:
    needed = harness.needed_lines(cause, example, rulebook())
    nodes = {name: harness.node_of(file) for name, (file, _, _) in needed.items()}
    for symptom, (file, _, _) in needed.items():
        node = nodes[symptom]
        on = cause.symptoms[symptom].on
        others = {needed[name][0] for name, where in nodes.items() if name != symptom and where == node}
        if node is None or file in others or not others or (on is not None and "node" not in on):
            continue
        bundle = harness.moved(harness.bundle_of(example), file, node, "other-9")

        assert harness.answer(bundle, tmp_path / symptom).of(cause.cause) == [], symptom


@pytest.mark.parametrize(("cause", "example"), examples("positive"))
def test_line_ends_do_not_matter(cause: Cause, example: Example, tmp_path: Path) -> None:
    answer = harness.answer(harness.with_crlf(harness.bundle_of(example)), tmp_path)

    assert (answer.first(), answer.places()) == (cause.cause, harness.stated(example))


@pytest.mark.parametrize(("cause", "example"), examples("positive"))
def test_compression_does_not_matter(cause: Cause, example: Example, tmp_path: Path) -> None:
    answer = harness.answer(harness.with_gzip(harness.bundle_of(example)), tmp_path)

    assert answer.first() == cause.cause
    assert {(file.removesuffix(".gz"), *rest) for file, *rest in answer.places()} == harness.stated(example)


@pytest.mark.parametrize("form", harness.KERNEL_FORMS)
@pytest.mark.parametrize(("cause", "example"), examples("positive"))
def test_the_form_of_a_kernel_log_does_not_matter(cause: Cause, example: Example, form: str, tmp_path: Path) -> None:
    bundle = harness.bundle_of(example)
    if not harness.is_kernel_log(bundle):
        return
    answer = harness.answer(harness.in_form(bundle, form), tmp_path)

    assert (answer.first(), answer.places()) == (cause.cause, harness.stated(example))
