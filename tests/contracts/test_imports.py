"""Which libraries a command may load: start-up time, and answers on machines where the heavy ones are slow."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

HEAVY = frozenset({"numpy", "polars", "pyarrow", "rich", "scipy", "sklearn", "textual", "yaml"})


def _loaded(code: str) -> frozenset[str]:
    """Top-level modules that a fresh interpreter has loaded after running ``code``."""
    script = f"{code}\nimport sys\nprint(*sorted({{name.partition('.')[0] for name in sys.modules}}), file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=120,
        check=True,
    )
    return frozenset(done.stderr.splitlines()[-1].split())


def _command(*arguments: str) -> str:
    return f"from analyzer.cli.main import main\nmain({list(arguments)!r})"


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["diagnose", "--help"], ["rules", "--help"]])
def test_help_loads_nothing_heavy(arguments: list[str]) -> None:
    assert _loaded(_command(*arguments)) & HEAVY == frozenset()


def test_parsers_load_no_frames() -> None:
    assert _loaded("import parsers\nparsers.names()") & HEAVY == frozenset()


def test_model_loads_no_frames() -> None:
    assert _loaded("import analyzer.model.analysis") & HEAVY == frozenset()


@pytest.mark.usefixtures("small_rules")
def test_headless_diagnosis_loads_neither_screen_nor_models(tmp_path: Path) -> None:
    (tmp_path / "dmesg.txt").write_text("[    5.000000] example: port 3 down, code 79\n" * 3, encoding="utf-8")
    loaded = _loaded(_command("diagnose", str(tmp_path), "--no-anomaly"))
    assert loaded & {"textual", "sklearn", "scipy", "pyarrow"} == frozenset()
