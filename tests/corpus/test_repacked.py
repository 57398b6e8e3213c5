"""The answer does not depend on how the bundle was packed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from analyzer.model.analysis import Diagnosis
from analyzer.options import Options
from analyzer.pipeline import run
from tests.conftest import ROOT
from tests.corpus.repack import FORMS, INNER

SAMPLES = ROOT / "sample_logs"
BUNDLES = sorted((path.parent for path in SAMPLES.glob("*/*/expected.toml")), key=lambda path: path.name)


def told(diagnosis: Diagnosis) -> tuple[Any, ...]:
    cited = {(e.file.removeprefix(f"{INNER}!"), e.line, e.event, e.text, e.context) for e in diagnosis.evidence}
    return diagnosis.cause, diagnosis.severity, diagnosis.entities, diagnosis.first_seen, cited


def answer(path: Path) -> list[tuple[Any, ...]]:
    return [told(diagnosis) for diagnosis in run([str(path)], Options(anomaly=False)).analysis.diagnoses]


@pytest.mark.slow
@pytest.mark.parametrize("bundle", BUNDLES, ids=lambda bundle: bundle.name)
def test_every_form_of_a_bundle_gives_the_same_diagnoses(bundle: Path, tmp_path: Path) -> None:
    expected = answer(bundle / "input")
    for suffix, packed in FORMS.items():
        archive = tmp_path / f"input.{suffix}"
        archive.write_bytes(packed(bundle / "input"))
        assert answer(archive) == expected, suffix
