"""From the run to its answer: progress, cancel, failure."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from analyzer.cli import tui
from analyzer.errors import InputError, RuleError
from analyzer.model.analysis import Analysis
from analyzer.options import OnProgress, Progress
from analyzer.tui.screens.failure import FailureScreen
from analyzer.tui.screens.progress import ProgressScreen
from analyzer.tui.screens.triage import TriageScreen
from tests.tui.answers import incident
from tests.tui.conftest import Hand, opened


class Gate:
    """A run that reports one file and then waits for leave to go on."""

    def __init__(self) -> None:
        self.told = threading.Event()
        self.leave = threading.Event()
        self.ended = threading.Event()

    def run(self, on_progress: OnProgress) -> Analysis:
        try:
            on_progress(Progress("reading", 7, 0, "n07/\x1b[31m[red]kern.log"))
            self.told.set()
            self.leave.wait(30)
            on_progress(Progress("facts"))
        finally:
            self.ended.set()
        return incident()


async def test_progress_names_the_stage_the_count_and_the_file() -> None:
    gate = Gate()
    async with opened(gate.run) as hand:
        await _told(hand, gate)
        screen = hand.app.screen
        assert isinstance(screen, ProgressScreen)
        screen.look()
        await hand.settle()
        assert "▸ read the inputs  7 read" in hand.screen
        assert "n07/[red]kern.log" in hand.screen
        gate.leave.set()
        await hand.until(TriageScreen)
        assert hand.app.analysis == incident()


@pytest.mark.parametrize("key", ["escape", "q", "ctrl+c"])
async def test_cancel_ends_the_application_and_then_the_run(key: str) -> None:
    gate = Gate()
    async with opened(gate.run) as hand:
        await _told(hand, gate)
        await hand.press(key)
        assert not hand.app.is_running
        gate.leave.set()
        assert gate.ended.wait(30)
        assert hand.app.analysis is None


async def test_error_of_the_input_says_what_where_and_the_remedy() -> None:
    def run(_: OnProgress) -> Analysis:
        raise InputError("not [bold]readable", where="a\x1b[2Jb.log", remedy="ask its owner")

    async with opened(run) as hand:
        await hand.until(FailureScreen)
        assert all(text in hand.screen for text in ("not [bold]readable", "ab.log", "ask its owner"))


async def test_error_of_the_rules_lists_every_problem() -> None:
    def run(_: OnProgress) -> Analysis:
        raise RuleError(["a.yaml:1: no title", "b.yaml:2: no layer"])

    async with opened(run) as hand:
        await hand.until(FailureScreen)
        assert " - a.yaml:1: no title\n  - b.yaml:2: no layer" in hand.screen


async def test_defect_of_the_program_is_left_to_the_caller() -> None:
    def run(_: OnProgress) -> Analysis:
        raise ZeroDivisionError

    async with opened(run) as hand:
        while hand.app.is_running:
            await hand.settle()
        assert isinstance(hand.app.error, ZeroDivisionError)


@pytest.mark.usefixtures("small_rules")
async def test_from_a_log_to_its_cause(tmp_path: Path) -> None:
    (tmp_path / "dmesg.txt").write_text("[    5.000000] example: port 3 down, code 79\n" * 3, encoding="utf-8")
    async with opened(tui.analysis_of([str(tmp_path)]), (124, 26)) as hand:
        await hand.until(TriageScreen)
        assert "dmesg.txt:1" in hand.screen
        assert "> 1 [    5.000000] example: port 3 down, code 79" in hand.screen


async def _told(hand: Hand, gate: Gate) -> None:
    while not gate.told.is_set():
        await hand.settle()


@pytest.mark.parametrize(
    ("paths", "term", "terminal", "fits"),
    [
        (["a"], "xterm", True, True),
        (["a"], "dumb", True, False),
        (["a"], "xterm", False, False),
        (["-"], "xterm", True, False),
    ],
)
def test_screens_need_a_terminal_and_free_keys(
    paths: list[str], term: str, terminal: bool, fits: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", term)
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(f"sys.{name}", Stream(terminal))
    assert tui.fits(paths) is fits


class Stream:
    """A stream that is a terminal or not."""

    def __init__(self, terminal: bool) -> None:
        self._terminal = terminal

    def isatty(self) -> bool:
        return self._terminal
