"""What is loaded before the first screen is painted: start-up time depends on it."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.conftest import ROOT


def test_first_screen_loads_nothing_heavy() -> None:
    code = "import analyzer.tui.app, sys; print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=120,
        check=True,
    )
    heavy = {"hyperscan", "markdown_it", "numpy", "parsers", "polars", "pyarrow", "pygments", "sklearn", "yaml"}
    assert heavy & set(done.stdout.split()) == set()
