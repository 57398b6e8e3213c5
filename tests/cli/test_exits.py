"""Which exit status a report gives."""

from __future__ import annotations

import msgspec
import pytest

from analyzer.cli.exits import Exit, FailOn, exit_of, exit_of_each
from analyzer.model.analysis import Coverage, Severity
from tests.cli.builders import Status, analysis


@pytest.mark.parametrize(
    ("severity", "fail_on", "status"),
    [
        ("critical", "critical", Exit.FOUND),
        ("critical", "warning", Exit.FOUND),
        ("critical", "never", Exit.CLEAR),
        ("warning", "critical", Exit.CLEAR),
        ("warning", "warning", Exit.FOUND),
        ("info", "warning", Exit.CLEAR),
    ],
)
def test_a_diagnosis_counts_from_the_chosen_severity_on(severity: Severity, fail_on: FailOn, status: Exit) -> None:
    assert exit_of(analysis(severity), fail_on) is status


@pytest.mark.parametrize("fail_on", ["critical", "warning", "never"])
@pytest.mark.parametrize("status", ["partial", "unreadable"])
def test_incomplete_input_is_said_when_nothing_is_found(status: Status, fail_on: FailOn) -> None:
    assert exit_of(analysis(status=status), fail_on) is Exit.INCOMPLETE


def test_a_finding_outweighs_incomplete_input() -> None:
    assert exit_of(analysis("warning", status="unreadable"), "warning") is Exit.FOUND


def test_unrecognised_input_beside_others_is_not_incomplete() -> None:
    inputs = (*analysis(status="unrecognised").coverage.inputs, *analysis().coverage.inputs)
    both = msgspec.structs.replace(analysis(), coverage=Coverage(inputs=inputs))
    assert exit_of(both, "warning") is Exit.CLEAR


@pytest.mark.parametrize(
    ("statuses", "together"),
    [
        ([], Exit.CLEAR),
        ([Exit.CLEAR, Exit.CLEAR], Exit.CLEAR),
        ([Exit.CLEAR, Exit.INCOMPLETE], Exit.INCOMPLETE),
        ([Exit.FAILED, Exit.CLEAR], Exit.INCOMPLETE),
        ([Exit.FAILED, Exit.FOUND, Exit.INCOMPLETE], Exit.FOUND),
    ],
)
def test_several_bundles_give_the_status_that_matters_most(statuses: list[Exit], together: Exit) -> None:
    assert exit_of_each(statuses) is together


def test_no_verdict_for_want_of_sources_is_not_incomplete() -> None:
    assert exit_of(msgspec.structs.replace(analysis(), verdict="unknown"), "warning") is Exit.CLEAR


def test_nothing_recognised_is_incomplete() -> None:
    nothing_understood = msgspec.structs.replace(analysis(status="unrecognised"), verdict="unknown")
    assert exit_of(nothing_understood, "warning") is Exit.INCOMPLETE
