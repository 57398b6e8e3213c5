"""The complete example of ``docs/rules.md`` is right, and answers its own examples."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from analyzer.rulebook.check import check
from analyzer.rulebook.load import load
from analyzer.rules_folder import rules_dir
from tests.rulebook.folder import write_files

SLUG = "site-clock-source-lost"


@pytest.fixture
def guide(root: Path, tmp_path: Path) -> Path:
    text = (root / "docs" / "rules.md").read_text(encoding="utf-8")
    vocabulary = re.search(r"```toml\n(.*?)```", text, re.DOTALL)
    cause = re.search(r"```yaml\n(schema.*?)```", text, re.DOTALL)
    assert vocabulary
    assert cause
    return write_files(tmp_path / "my-rules", {"causes.toml": vocabulary[1], f"{SLUG}.yaml": cause[1]})


def test_the_example_has_no_problem(guide: Path) -> None:
    assert [text for text in check([rules_dir(), guide]) if str(guide) in text] == []


def test_the_example_loads_beside_the_shipped_rules(guide: Path) -> None:
    rulebook = load([rules_dir(), guide])

    assert rulebook.causes[SLUG].symptoms["lost"].lasts is not None
    assert rulebook.untrusted == ("site_clock_source_lost.lost", "site_clock_source_lost.found")


def test_the_event_of_the_guide_reads_its_own_samples(root: Path, tmp_path: Path) -> None:
    text = (root / "docs" / "rules.md").read_text(encoding="utf-8")
    event = re.search(r"```yaml\n(nvrm\.xid.*?)```", text, re.DOTALL)
    assert event

    assert check([write_files(tmp_path, {"events.yaml": event[1]})]) == []
