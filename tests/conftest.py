"""What all tests share: a private cache, a neutral environment, the command in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from tests import small_rules as small

ROOT = Path(__file__).resolve().parent.parent
_TIMEOUT_S = 120
_NEUTRAL = ("COLUMNS", "FABTRIAGE_RULES", "FORCE_COLOR", "NO_COLOR", "PYTHONWARNINGS")

# time limits of single examples would make the suite depend on the machine's load
settings.register_profile("fabtriage", deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=50)
settings.load_profile("fabtriage")

RunCommand = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session", autouse=True)
def neutral_environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keep the user's cache and settings out of the tests, and the tests out of the user's cache."""
    private = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FABTRIAGE_CACHE", str(private / "cache"))
        for name in ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
            patch.setenv(name, str(private / name.lower()))
        for name in _NEUTRAL:
            patch.delenv(name, raising=False)
        yield


@pytest.fixture
def root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture
def small_rules(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A rule folder small enough to know by heart; the command finds it in place of the shipped one."""
    folder = small.write(tmp_path_factory.mktemp("rules"))
    monkeypatch.setenv("FABTRIAGE_RULES", str(folder))
    return folder


@pytest.fixture
def fabtriage() -> RunCommand:
    """Run the command in a process of its own and return what it printed."""

    def run(
        *arguments: str | Path, stdin: str = "", cwd: Path | None = None, env: dict[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "analyzer", *map(str, arguments)],
            input=stdin,
            capture_output=True,
            text=True,
            encoding="utf-8",
            cwd=cwd or ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT), **(env or {})},
            timeout=_TIMEOUT_S,
            check=False,
        )

    return run
