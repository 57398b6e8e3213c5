"""Exit statuses: what the shell, a CI job or a ticket system learns without reading the report."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from analyzer.model.analysis import Analysis

FailOn = Literal["critical", "warning", "never"]
FAIL_ON: tuple[FailOn, ...] = ("critical", "warning", "never")
_COUNTED: dict[FailOn, frozenset[str]] = {
    "critical": frozenset({"critical"}),
    "warning": frozenset({"critical", "warning"}),
    "never": frozenset(),
}


class Exit(IntEnum):
    """The statuses a run can end with."""

    CLEAR = 0  # nothing at or above the threshold, and everything could be read
    FOUND = 1  # something at or above the threshold
    FAILED = 2  # wrong usage, or no answer at all
    INCOMPLETE = 3  # nothing found, but some input was unreadable or truncated, or nothing was recognised
    INTERRUPTED = 130  # stopped from the keyboard
    PIPE = 141  # the reader of standard output went away


def exit_of(analysis: Analysis, fail_on: FailOn) -> Exit:
    """Status of one report, given the severity from which a diagnosis counts as found."""
    if any(diagnosis.severity in _COUNTED[fail_on] for diagnosis in analysis.diagnoses):
        return Exit.FOUND
    inputs = analysis.coverage.inputs
    unread = any(given.status in {"partial", "unreadable"} for given in inputs)
    recognised = any(given.status in {"read", "partial"} and given.bytes for given in inputs)
    if unread or not recognised:
        return Exit.INCOMPLETE
    return Exit.CLEAR


def exit_of_each(statuses: Iterable[Exit]) -> Exit:
    """Status of several bundles looked at one by one: a broken one does not hide what the others show."""
    seen = set(statuses)
    if Exit.FOUND in seen:
        return Exit.FOUND
    return Exit.INCOMPLETE if seen - {Exit.CLEAR} else Exit.CLEAR
