"""How long the command takes before it does anything: medians of whole processes, printed, judged by people."""

from __future__ import annotations

import statistics
import subprocess
import sys
import time

import pytest

from tests.conftest import ROOT

_RUNS = 9


def _median_ms(*arguments: str) -> float:
    took_s = []
    for _ in range(_RUNS):
        began_s = time.perf_counter()
        subprocess.run([sys.executable, "-m", "analyzer", *arguments], cwd=ROOT, capture_output=True, check=True)
        took_s.append(time.perf_counter() - began_s)
    return statistics.median(took_s) * 1e3


@pytest.mark.parametrize(
    ("arguments", "floor_ms", "goal_ms"),
    [(["--version"], 120, 80), (["--help"], 120, 80), (["rules", "list"], 120, 80)],
    ids=["version", "help", "rules list"],
)
def test_start(arguments: list[str], floor_ms: int, goal_ms: int, capsys: pytest.CaptureFixture[str]) -> None:
    subprocess.run([sys.executable, "-m", "analyzer", *arguments], cwd=ROOT, capture_output=True, check=True)
    median_ms = _median_ms(*arguments)
    with capsys.disabled():
        print(f"\nfabtriage {' '.join(arguments)}: {median_ms:.0f} ms (floor {floor_ms}, goal {goal_ms})")
