"""Clearing the cache removes what runs kept there, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.cli.main import main


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FABTRIAGE_CACHE", str(tmp_path))
    return tmp_path


def test_clear_removes_the_kept_databases_and_says_so(cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = cache / "databases" / "a.db"
    kept.parent.mkdir()
    kept.write_bytes(b"x" * 1_500_000)
    assert main(["cache", "clear"]) == 0
    assert not kept.exists()
    assert capsys.readouterr().out == f"removed 1 files, 1.5 MB, from {cache}\n"


def test_clear_removes_what_a_run_kept(cache: Path, small_rules: Path) -> None:
    assert main(["rules", "list", "--rules", str(small_rules)]) == 0
    main(["cache", "clear"])
    assert [path for path in cache.rglob("*") if path.is_file()] == []


def test_clear_leaves_files_that_no_run_wrote(cache: Path) -> None:
    foreign = cache / "notes.txt"
    foreign.write_text("mine", encoding="utf-8")
    main(["cache", "clear"])
    assert foreign.read_text(encoding="utf-8") == "mine"


def test_clear_does_not_follow_a_link_out_of_the_cache(cache: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside") / "precious.db"
    outside.write_bytes(b"x")
    (cache / "databases").symlink_to(outside.parent)
    main(["cache", "clear"])
    assert outside.exists()


@pytest.mark.usefixtures("cache")
def test_clear_of_a_cache_that_was_never_written(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cache", "clear"]) == 0
    assert capsys.readouterr().out.startswith("removed 0 files")
