"""Where the rules are looked for, and in which order."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from analyzer import rules_folder
from analyzer.errors import RuleError, UsageError


def test_explicit_folder_wins_over_the_variable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    explicit, named = tmp_path / "explicit", tmp_path / "named"
    explicit.mkdir()
    named.mkdir()
    monkeypatch.setenv(rules_folder.VARIABLE, str(named))
    assert rules_folder.rules_dir(explicit) == explicit


def test_variable_wins_over_the_shipped_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(rules_folder.VARIABLE, str(tmp_path))
    assert rules_folder.rules_dir() == tmp_path


def test_shipped_rules_are_found_without_help(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(rules_folder.VARIABLE, raising=False)
    assert any(rules_folder.rules_dir().rglob("*.yaml"))


def test_packaged_copy_wins_over_the_checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(rules_folder.VARIABLE, raising=False)
    packaged, checkout = tmp_path / "_rules", tmp_path / "rules"
    packaged.mkdir()
    checkout.mkdir()
    monkeypatch.setattr(rules_folder, "_SHIPPED", (packaged, checkout))
    assert rules_folder.rules_dir() == packaged


def test_missing_folder_is_a_usage_error_that_names_it(tmp_path: Path) -> None:
    missing = tmp_path / "none"
    with pytest.raises(UsageError) as error:
        rules_folder.rules_dir(missing)
    assert str(missing) in str(error.value)


def test_installation_without_rules_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(rules_folder.VARIABLE, raising=False)
    monkeypatch.setattr(rules_folder, "_SHIPPED", (tmp_path / "gone",))
    with pytest.raises(UsageError, match=rules_folder.VARIABLE):
        rules_folder.rules_dir()


class Gap(msgspec.Struct, frozen=True):
    """The shape of a table of the rules folder."""

    gap_s: float


def test_a_table_of_the_folder_asked_for_goes_before_the_shipped_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, shipped = tmp_path / "asked", tmp_path / "shipped"
    for folder, gap_s in ((asked, 1), (shipped, 2)):
        folder.mkdir()
        (folder / "gaps.toml").write_text(f"gap_s = {gap_s}.0")
    monkeypatch.setattr(rules_folder, "_SHIPPED", (shipped,))
    monkeypatch.setenv(rules_folder.VARIABLE, str(asked))
    assert rules_folder.table("gaps.toml", Gap) == Gap(1.0)


def test_a_folder_without_the_table_is_filled_up_from_the_shipped_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = tmp_path / "shipped"
    shipped.mkdir()
    (shipped / "gaps.toml").write_text("gap_s = 2.0")
    monkeypatch.setattr(rules_folder, "_SHIPPED", (shipped,))
    monkeypatch.setenv(rules_folder.VARIABLE, str(tmp_path))
    assert rules_folder.table("gaps.toml", Gap) == Gap(2.0)


@pytest.mark.parametrize("text", ["gap_s = 'wide'", "gap_s = "])
def test_a_table_of_another_shape_is_an_error_that_names_it(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gaps.toml").write_text(text)
    monkeypatch.setenv(rules_folder.VARIABLE, str(tmp_path))
    with pytest.raises(RuleError, match=r"gaps\.toml"):
        rules_folder.table("gaps.toml", Gap)
