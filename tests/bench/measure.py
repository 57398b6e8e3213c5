"""Runs commands in turns and compares what they cost."""

from __future__ import annotations

import functools
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

ROUNDS = 5
ROOT = Path(__file__).resolve().parents[2]
FAILURES = (2, 127)
"""Exit statuses that mean failure, of ours as of ripgrep."""

LAUNCH = Path(__file__).with_name("launch.py")


class Cost(NamedTuple):
    """What one run of a command cost.

    Attributes:
        cpu_s: CPU-seconds of the process and its children.
        wall_s: Seconds from start to end.
        peak_mb: Largest resident set in megabytes.
        output: What it printed.
    """

    cpu_s: float
    wall_s: float
    peak_mb: float
    output: str


def run(command: Sequence[str | Path]) -> Cost:
    """Run a command; what it found may set its exit status, but a failure ends the measurement."""
    with tempfile.NamedTemporaryFile(prefix="fabtriage-bench-") as output:
        launch = [sys.executable, "-S", "-E", str(LAUNCH), output.name, *map(str, command)]
        launched = subprocess.run(launch, stdout=subprocess.PIPE, cwd=ROOT, check=True, env=_environment())
        cost = json.loads(launched.stdout)
        if cost["status"] in FAILURES or cost["status"] < 0:
            raise SystemExit(f"status {cost['status']}: {' '.join(map(str, command))}")
        return Cost(cost["cpu_s"], cost["wall_s"], cost["peak_mb"], output.read().decode("utf-8", "replace"))


@functools.cache
def _environment() -> Mapping[str, str]:
    """Compiled modules are kept, as on a machine where the program is installed, in a folder of the benchmark's own."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": str(Path(tempfile.gettempdir()) / "fabtriage-bench-modules")}


def in_turns(commands: Mapping[str, Sequence[str | Path]], rounds: int = ROUNDS) -> dict[str, Cost]:
    """Median costs of several commands, run A B C A B C after one round that is not counted."""
    for command in commands.values():
        run(command)
    runs: dict[str, list[Cost]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            runs[name].append(run(command))
    return {name: _median(costs) for name, costs in runs.items()}


def _median(costs: Sequence[Cost]) -> Cost:
    return Cost(
        statistics.median(cost.cpu_s for cost in costs),
        statistics.median(cost.wall_s for cost in costs),
        statistics.median(cost.peak_mb for cost in costs),
        costs[-1].output,
    )


def ratio_row(title: str, ours: Cost, other: Cost) -> str:
    """One line of the result: how many times what ours costs the other costs."""
    return (
        f"{title:<58} cpu {other.cpu_s / ours.cpu_s:5.2f} x   wall {other.wall_s / ours.wall_s:5.2f} x"
        f"   (cpu {ours.cpu_s:.2f} s against {other.cpu_s:.2f} s, peak {ours.peak_mb:.0f} MB)"
    )
