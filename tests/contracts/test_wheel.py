"""The built wheel works away from the checkout and carries the rules."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path

import pytest

from tests.conftest import ROOT

pytestmark = pytest.mark.slow


def _run(*command: str | Path, cwd: Path = ROOT) -> str:
    environment = {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "PYTHONHOME"}}
    done = subprocess.run(
        [str(part) for part in command],
        capture_output=True,
        text=True,
        cwd=cwd,
        env=environment,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of the executables of an empty environment that holds the wheel; libraries come from this one."""
    folder = tmp_path_factory.mktemp("wheel")
    _run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT)
    environment = folder / "venv"
    venv.create(environment, with_pip=False, symlinks=os.name != "nt")
    executables = environment / ("Scripts" if os.name == "nt" else "bin")
    python = executables / "python"
    wheel = next(folder.glob("fabtriage-*.whl"))
    _run(sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", "--no-index", wheel)
    packages = Path(_run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    # a path named in a .pth file is searched, but its own .pth files (the editable install) are not read
    (packages / "libraries.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    return executables


def test_rules_come_with_the_wheel(installed: Path, tmp_path: Path) -> None:
    code = "from analyzer.rules_folder import rules_dir; print(rules_dir())"
    assert Path(_run(installed / "python", "-c", code, cwd=tmp_path).strip()).name == "_rules"


def test_command_knows_the_same_rules_as_the_checkout(installed: Path, tmp_path: Path) -> None:
    shipped = _run(installed / "fabtriage", "rules", "list", "--patterns", cwd=tmp_path)
    assert shipped == _run(sys.executable, "-m", "analyzer", "rules", "list", "--patterns")
    assert shipped.count("\n") > 1


def test_tests_and_samples_stay_out_of_the_wheel(installed: Path) -> None:
    code = "import importlib.util as u; print(u.find_spec('tests'), u.find_spec('sample_logs'))"
    assert _run(installed / "python", "-c", code, cwd=installed).split() == ["None", "None"]
