"""Write constraints.txt: every package of run time, tests, lint and build, pinned with hashes, no index address.

Run with the oldest supported Python (``make lock``), so that each pin exists for all supported versions.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GROUPS = ("test", "lint")
HEADER = """\
# Pinned with hashes for Python 3.11 to 3.13. Written by `make lock`; do not edit.
# Install with: pip install --require-hashes -r constraints.txt
"""


def requirements() -> list[str]:
    """Requirements of pyproject.toml: build backend, run time and the groups that tests and checks need."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wanted = [*project["build-system"]["requires"], *project["project"]["dependencies"]]
    for group in GROUPS:
        wanted += [entry for entry in project["dependency-groups"][group] if isinstance(entry, str)]
    return wanted


def main() -> int:
    """Resolve and write; further arguments go to pip-compile (``--upgrade``)."""
    target = ROOT / "constraints.txt"
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "requirements.in")
        source.write_text("\n".join(requirements()) + "\n", encoding="utf-8")
        output = Path(folder, "constraints.txt")
        if target.exists():
            output.write_bytes(target.read_bytes())
        command = [sys.executable, "-m", "piptools", "compile", "--quiet", "--generate-hashes", "--strip-extras"]
        command += ["--allow-unsafe", "--no-header", "--no-annotate", "--no-emit-options", *sys.argv[1:]]
        done = subprocess.run([*command, f"--output-file={output}", str(source)], check=False)
        if done.returncode == 0:
            target.write_text(HEADER + output.read_text(encoding="utf-8"), encoding="utf-8")
        return done.returncode


if __name__ == "__main__":
    sys.exit(main())
