"""Where the rules are looked for, and in which order."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.errors import UsageError
from analyzer.rulebook import location


def test_explicit_folder_wins_over_the_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    explicit, named = tmp_path / "explicit", tmp_path / "named"
    explicit.mkdir()
    named.mkdir()
    monkeypatch.setenv(location.VARIABLE, str(named))
    assert location.rules_dir(explicit) == explicit


def test_variable_wins_over_the_shipped_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(location.VARIABLE, str(tmp_path))
    assert location.rules_dir() == tmp_path


def test_shipped_rules_are_found_without_help(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(location.VARIABLE, raising=False)
    assert any(location.rules_dir().rglob("*.yaml"))


def test_packaged_copy_wins_over_the_checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(location.VARIABLE, raising=False)
    packaged, checkout = tmp_path / "_rules", tmp_path / "rules"
    packaged.mkdir()
    checkout.mkdir()
    monkeypatch.setattr(location, "_SHIPPED", (packaged, checkout))
    assert location.rules_dir() == packaged


def test_missing_folder_is_a_usage_error_that_names_it(tmp_path: Path) -> None:
    missing = tmp_path / "none"
    with pytest.raises(UsageError) as error:
        location.rules_dir(missing)
    assert str(missing) in str(error.value)


def test_installation_without_rules_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(location.VARIABLE, raising=False)
    monkeypatch.setattr(location, "_SHIPPED", (tmp_path / "gone",))
    with pytest.raises(UsageError, match=location.VARIABLE):
        location.rules_dir()
