"""Whole incidents under ``sample_logs/``: the cause first, its part, its telling lines; silence on healthy ones."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from analyzer.model.analysis import Analysis
from analyzer.options import Options
from analyzer.pipeline import run
from tests.conftest import ROOT

SAMPLES = ROOT / "sample_logs"
INCIDENTS = sorted(path.parent.name for path in (SAMPLES / "incidents").glob("*/expected.toml"))
HEALTHY = sorted(path.parent.name for path in (SAMPLES / "healthy").glob("*/expected.toml"))


def expected(folder: Path) -> dict[str, Any]:
    return tomllib.loads((folder / "expected.toml").read_text(encoding="utf-8"))


@cache
def analysed(folder: Path) -> Analysis:
    return run([str(folder / "input")], Options(anomaly=False)).analysis


@pytest.mark.parametrize("name", INCIDENTS)
def test_the_cause_comes_first(name: str) -> None:
    folder = SAMPLES / "incidents" / name
    label = expected(folder)
    assert analysed(folder).diagnoses[0].cause in {label["cause"], *label.get("accept", [])}


@pytest.mark.parametrize("name", INCIDENTS)
def test_the_part_is_named(name: str) -> None:
    folder = SAMPLES / "incidents" / name
    wanted = [part.lower() for part in expected(folder).get("part", [])]
    named = [value.lower() for values in analysed(folder).diagnoses[0].entities.values() for value in values]
    assert not wanted or any(value == part or value.startswith(f"{part}/") for value in named for part in wanted)


@pytest.mark.parametrize("name", INCIDENTS)
def test_the_telling_lines_are_cited(name: str) -> None:
    folder = SAMPLES / "incidents" / name
    label = expected(folder)
    right = {label["cause"], *label.get("accept", [])}
    cited = {
        f"{e.file}:{e.line}" if e.line is not None else f"{e.file}:event{e.event}"
        for diagnosis in analysed(folder).diagnoses[:3]
        if diagnosis.cause in right
        for e in diagnosis.evidence
    }
    missed = [fact for fact in label.get("evidence", []) if not cited & set(fact.split("|"))]
    assert missed == []


@pytest.mark.parametrize("name", HEALTHY)
def test_healthy_inputs_raise_no_alarm(name: str) -> None:
    diagnoses = analysed(SAMPLES / "healthy" / name).diagnoses
    assert [d.cause for d in diagnoses if d.severity != "info"] == []


@pytest.mark.parametrize("name", [*INCIDENTS, *HEALTHY])
def test_every_input_is_accounted_for(name: str) -> None:
    kind = "incidents" if name in INCIDENTS else "healthy"
    coverage = analysed(SAMPLES / kind / name).coverage
    assert coverage.inputs
    assert all(item.status in ("read", "partial") or item.problem for item in coverage.inputs)
