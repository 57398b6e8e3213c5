"""What the report says of clocks and of the window."""

from __future__ import annotations

import pytest

from analyzer.model.analysis import Input, Window
from analyzer.report.clocks import clocks_told, window_told


def given(file: str, *nodes: str, **clock: str | float | None) -> Input:
    return Input(file=file, format="syslog", nodes=nodes, clock=clock, lines=1, bytes=1, status="read", problem="")


@pytest.mark.parametrize(
    ("window", "line"),
    [
        (Window(), ""),
        (Window(from_="A", to="B", why="everything"), "A to B: everything"),
        (Window(from_="A", why="as asked for"), "from A: as asked for"),
        (Window(to="B", why="as asked for"), "until B: as asked for"),
    ],
)
def test_the_window_is_told_as_far_as_it_is_known(window: Window, line: str) -> None:
    assert window_told(window) == line


def test_a_corrected_machine_is_told_once() -> None:
    inputs = [given(f"{name}.log", "cn01", skew_s=47.0, skew_why="47 s ahead of the other machines") for name in "ab"]
    assert clocks_told(inputs) == ["cn01: 47 s ahead of the other machines"]


def test_clocks_in_step_are_not_told() -> None:
    assert clocks_told([given("a.log", "cn01", kind="local", uncertainty_s=0.5, skew_s=0.0, skew_why="in step")]) == []


def test_a_log_without_times_is_told_with_the_reason() -> None:
    inputs = [given("dmesg.txt", kind="uptime", uncertainty_s=None, why="boot time unknown: no line states the date")]
    assert clocks_told(inputs) == ["dmesg.txt: boot time unknown: no line states the date"]


def test_assumed_zones_are_told_together() -> None:
    inputs = [given(f"{n}.log", kind="local", uncertainty_s=0.5, why="zone not stated, UTC assumed") for n in range(3)]
    assert clocks_told(inputs) == ["3 logs without a stated zone taken for UTC; --timezone states it"]
