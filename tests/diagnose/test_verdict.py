"""The verdict is that of the gravest diagnosis; healthy is said only of what was read."""

from __future__ import annotations

from typing import Literal

import msgspec
import pytest

from analyzer.diagnose.verdict import verdict
from analyzer.model.analysis import Input, Severity
from tests.diagnose.builders import diagnosis

READ = Input(file="dmesg.txt", format="dmesg", nodes=(), clock={}, lines=1, bytes=10, status="read", problem="")


@pytest.mark.parametrize(
    ("severities", "answer"),
    [(["info", "warning"], "warning"), (["warning", "critical"], "critical"), (["info"], "ok"), ([], "ok")],
)
def test_the_gravest_diagnosis_decides(severities: list[Severity], answer: str) -> None:
    found = [msgspec.structs.replace(diagnosis(1, {}), severity=severity) for severity in severities]
    assert verdict(found, [READ]) == answer


@pytest.mark.parametrize("status", ["unrecognised", "unreadable"])
def test_nothing_understood_is_no_health(status: Literal["unrecognised", "unreadable"]) -> None:
    assert verdict([], [msgspec.structs.replace(READ, status=status)]) == "unknown"


def test_an_empty_file_is_no_health() -> None:
    assert verdict([], [msgspec.structs.replace(READ, bytes=0)]) == "unknown"


def test_no_input_is_no_health() -> None:
    assert verdict([], []) == "unknown"
