"""Which exit status a report gives."""

from __future__ import annotations

import msgspec
import pytest

from analyzer.cli.exits import Exit, FailOn, exit_of, exit_of_each
from analyzer.model.analysis import Severity
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


def test_unrecognised_input_is_not_incomplete() -> None:
    assert exit_of(analysis(status="unrecognised"), "warning") is Exit.CLEAR


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


def test_an_answer_without_a_verdict_is_incomplete() -> None:
    nothing_understood = msgspec.structs.replace(analysis(status="unrecognised"), verdict="unknown")
    assert exit_of(nothing_understood, "warning") is Exit.INCOMPLETE
