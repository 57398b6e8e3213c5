"""An incident gives the same answer however it is handed over: clocks, zones, names and files are not its cause."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from analyzer.model.analysis import Analysis
from analyzer.options import Options
from analyzer.pipeline import run
from tests.conftest import ROOT
from tests.corpus import variants
from tests.corpus.variants import Files

SAMPLES = ROOT / "sample_logs"
ALL = sorted(path.parent for path in SAMPLES.glob("*/*/expected.toml"))
NIGHT_S = 200 * 86_400
"""From any of the samples into another half of the year."""


def label(folder: Path) -> dict[str, Any]:
    return tomllib.loads((folder / "expected.toml").read_text(encoding="utf-8"))


@cache
def files_of(folder: Path) -> Files:
    return variants.read(folder / "input")


def first(bundle: Path) -> tuple[Analysis, set[str]]:
    analysis = run([str(bundle)], Options(anomaly=False)).analysis
    named = (
        {n.lower() for names in analysis.diagnoses[0].entities.values() for n in names} if analysis.diagnoses else set()
    )
    return analysis, named


def holds(folder: Path, bundle: Path, rename: Callable[[str], str] = str) -> None:
    """The labelled cause and part come first; a healthy bundle stays without warnings."""
    wanted = label(folder)
    analysis, named = first(bundle)
    if wanted["cause"] == "none":
        assert [d.cause for d in analysis.diagnoses if d.severity != "info"] == []
        return
    assert analysis.diagnoses[0].cause in {wanted["cause"], *wanted.get("accept", [])}
    parts = [rename(part.lower()) for part in wanted.get("part", [])]
    assert not parts or any(name == part or name.startswith(f"{part}/") for name in named for part in parts)


def culprit(folder: Path) -> str | None:
    """The node that a label accuses, else any node."""
    nodes = variants.nodes_of(files_of(folder))
    return next((node for node in nodes if node in label(folder).get("part", [])), nodes[0] if nodes else None)


each = pytest.mark.parametrize("folder", ALL, ids=lambda folder: folder.name)
with_nodes = pytest.mark.parametrize("folder", [f for f in ALL if variants.nodes_of(files_of(f))], ids=lambda f: f.name)
with_logs = pytest.mark.parametrize("folder", [f for f in ALL if variants.logs_of(files_of(f))], ids=lambda f: f.name)


@with_nodes
@pytest.mark.parametrize("seconds", [2220, -10_800])
def test_a_wrong_clock_on_the_culprit(folder: Path, seconds: int, tmp_path: Path) -> None:
    node = culprit(folder)
    assert node is not None
    holds(folder, variants.write(variants.moved(files_of(folder), seconds, variants.of_node(node)), tmp_path / "in"))


@each
def test_another_zone_everywhere(folder: Path, tmp_path: Path) -> None:
    holds(folder, variants.write(variants.moved(files_of(folder), 19_800, lambda _: True, True), tmp_path / "in"))


@with_nodes
def test_another_zone_on_the_culprit(folder: Path, tmp_path: Path) -> None:
    node = culprit(folder)
    assert node is not None
    moved = variants.moved(files_of(folder), -21_600, variants.of_node(node), True)
    holds(folder, variants.write(moved, tmp_path / "in"))


@each
def test_another_season(folder: Path, tmp_path: Path) -> None:
    holds(folder, variants.write(variants.moved(files_of(folder), NIGHT_S, lambda _: True), tmp_path / "in"))


@with_nodes
def test_other_host_names(folder: Path, tmp_path: Path) -> None:
    old = re.sub(r"\d+$", "", variants.nodes_of(files_of(folder))[0])

    def rename(part: str) -> str:
        return re.sub(rf"(?<![a-z0-9]){re.escape(old)}(?=\d)", "rx-k", part)

    holds(folder, variants.write(variants.renamed(files_of(folder), old, "rx-k"), tmp_path / "in"), rename)


@with_logs
@pytest.mark.parametrize("compress", [False, True], ids=["plain", "gzip"])
def test_rotated_logs(folder: Path, compress: bool, tmp_path: Path) -> None:
    files = files_of(folder)
    holds(folder, variants.write(variants.rotated(files, variants.logs_of(files), compress), tmp_path / "in"))


@with_nodes
def test_one_log_host_for_all_nodes(folder: Path, tmp_path: Path) -> None:
    files = files_of(folder)
    holds(folder, variants.write(variants.merged(files, variants.logs_of(files), "loghost/messages"), tmp_path / "in"))


@each
def test_the_order_of_files_in_an_archive(folder: Path, tmp_path: Path) -> None:
    holds(folder, variants.packed(files_of(folder), tmp_path / "bundle.tgz", seed=len(folder.name)))
