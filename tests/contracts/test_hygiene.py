"""What the repository itself promises."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import ROOT

MAX_LINES = 400
MAX_SAMPLES_BYTES = 5_000_000


def _python_files(*folders: str) -> Iterator[Path]:
    for folder in folders:
        yield from sorted((ROOT / folder).rglob("*.py"))


@pytest.mark.parametrize("folder", ["analyzer", "parsers"])
def test_no_module_outgrows_one_job(folder: str) -> None:
    sizes = {path.name: len(path.read_text(encoding="utf-8").splitlines()) for path in _python_files(folder)}
    assert {name: size for name, size in sizes.items() if size > MAX_LINES} == {}


def test_rules_is_no_python_package() -> None:
    assert list((ROOT / "rules").rglob("*.py")) == []


def test_samples_stay_small() -> None:
    sizes = [path.stat().st_size for path in (ROOT / "sample_logs").rglob("*") if path.is_file()]
    assert sum(sizes) < MAX_SAMPLES_BYTES


def test_no_path_of_a_developers_machine_in_code() -> None:
    texts = [*_python_files("analyzer", "parsers", "scripts"), ROOT / "Makefile", ROOT / "pyproject.toml"]
    texts += [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / ".ci" / "run"]
    own = re.compile(rf"/(?:home|Users)/\w+/|/root/|{re.escape(str(ROOT))}/")
    assert [path.name for path in texts if own.search(path.read_text(encoding="utf-8"))] == []


def test_constraints_name_no_host() -> None:
    pins = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    assert re.findall(r"https?:|//|--(?:extra-)?index-url|--find-links|--trusted-host", pins) == []


def test_every_pin_has_a_hash() -> None:
    pins = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    named = re.split(r"\n(?=[A-Za-z0-9])", re.sub(r"(?m)^#.*\n", "", pins))
    assert [pin.split("==")[0] for pin in named if "--hash=sha256:" not in pin] == []
