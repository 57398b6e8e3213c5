"""Listing and checking the rules, and their schema."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analyzer.cli.main import main

Captured = pytest.CaptureFixture[str]


@pytest.mark.usefixtures("small_rules")
def test_list_shows_a_cause_on_each_line(capsys: Captured) -> None:
    assert main(["rules", "list"]) == 0
    assert capsys.readouterr().out == "port-flaps  warning  link  A port goes down and comes back\n"


@pytest.mark.usefixtures("small_rules")
def test_list_patterns_gives_expressions_without_group_names(capsys: Captured) -> None:
    assert main(["rules", "list", "--patterns"]) == 0
    assert capsys.readouterr().out.startswith("example: port (?:")


@pytest.mark.usefixtures("small_rules")
def test_check_of_sound_rules_counts_them(capsys: Captured) -> None:
    assert main(["rules", "check"]) == 0
    assert capsys.readouterr().out.startswith("no problems: 1 causes, 1 events")


@pytest.mark.usefixtures("small_rules")
def test_check_names_file_and_line_of_a_mistake_in_rules_of_ones_own(tmp_path: Path, capsys: Captured) -> None:
    own = tmp_path / "own"
    own.mkdir()
    (own / "actions.yaml").write_text("reseat:\n  text: Reseat it.\n  risk: daring\n", encoding="utf-8")
    assert main(["rules", "check", "--rules", str(own)]) == 1
    assert capsys.readouterr().out.startswith(f"{own / 'actions.yaml'}:3: ")


@pytest.mark.usefixtures("small_rules")
def test_missing_folder_of_own_rules_is_a_usage_error(tmp_path: Path, capsys: Captured) -> None:
    assert main(["rules", "list", "--rules", str(tmp_path / "none")]) == 2
    assert capsys.readouterr().err.startswith(f"fabtriage: {tmp_path / 'none'}: ")


def test_broken_shipped_rules_are_told_line_by_line(small_rules: Path, capsys: Captured) -> None:
    (small_rules / "actions.yaml").write_text("a: {text: x, risk: daring}\nb: {}\n", encoding="utf-8")
    assert main(["rules", "list"]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) > 1
    assert all(line.startswith(f"fabtriage: {small_rules}") for line in lines)


@pytest.mark.parametrize("kind", ["cause", "events", "benign", "actions", "sources", "collect"])
def test_schema_is_valid_json_for_every_kind_of_file(kind: str, capsys: Captured) -> None:
    assert main(["rules", "schema", kind]) == 0
    assert json.loads(capsys.readouterr().out)["$schema"].endswith("2020-12/schema")


def test_schema_is_that_of_a_cause_unless_said_otherwise(capsys: Captured) -> None:
    main(["rules", "schema"])
    schema = json.loads(capsys.readouterr().out)
    assert {"cause", "symptoms", "fix", "verify"} <= set(schema["$defs"]["Cause"]["required"])
