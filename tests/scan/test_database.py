"""Compiled databases come from the cache when it can be trusted, else they are made anew."""

from __future__ import annotations

import stat
import sys
from pathlib import Path

import pytest

from analyzer.scan import database
from analyzer.scan.database import choose_engine, open_search
from analyzer.scan.engine import Scanner
from tests.scan.reference import ENGINES, patterns, scan

WANTED = [(0, r"zebra (?P<n>\d+)"), (1, r"\d+:\d+")]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("FABTRIAGE_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def stored(cache: Path) -> list[Path]:
    return sorted((cache / "databases").glob("*.db"))


def forbid_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise AssertionError("compiled although the cache has it")

    monkeypatch.setattr(database, "_compile", fail)


def finds_the_zebra() -> bool:
    return scan(b"zebra 7\n", Scanner(patterns(*(regex for _, regex in WANTED)))).totals == {0: 1}


@pytest.mark.parametrize("engine", ENGINES)
def test_the_second_opening_does_not_compile(engine: str, monkeypatch: pytest.MonkeyPatch) -> None:
    first = open_search(WANTED, engine)  # type: ignore[arg-type]
    forbid_compiling(monkeypatch)
    assert open_search(WANTED, engine).plan == first.plan  # type: ignore[arg-type]


@pytest.mark.parametrize("damage", [b"", b"short", b"x" * 5000])
def test_a_damaged_file_is_made_anew(cache: Path, damage: bytes) -> None:
    open_search(WANTED, "hyperscan")
    (file,) = stored(cache)
    whole = file.read_bytes()
    file.write_bytes(damage)
    assert finds_the_zebra()
    assert len(file.read_bytes()) == len(whole)


def test_a_flipped_bit_in_the_database_is_noticed(cache: Path) -> None:
    open_search(WANTED, "hyperscan")
    (file,) = stored(cache)
    content = bytearray(file.read_bytes())
    content[-10] ^= 1
    file.write_bytes(content)
    assert finds_the_zebra()


def test_other_patterns_have_another_file(cache: Path) -> None:
    open_search(WANTED, "hyperscan")
    open_search(WANTED[:1], "hyperscan")
    assert len(stored(cache)) == 2


def test_old_files_are_forgotten(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "MAX_KEPT", 2)
    for number in range(4):
        open_search([(0, f"zebra{number}")], "ahocorasick")
    assert len(stored(cache)) == 2


@pytest.mark.skipif(sys.platform == "win32", reason="modes of folders are a Unix matter")
def test_the_folder_is_private(cache: Path) -> None:
    open_search(WANTED, "hyperscan")
    assert stat.S_IMODE((cache / "databases").stat().st_mode) == 0o700


@pytest.mark.skipif(sys.platform == "win32", reason="modes of folders are a Unix matter")
def test_a_folder_that_others_may_write_to_is_not_used(cache: Path) -> None:
    (cache / "databases").mkdir(parents=True)
    (cache / "databases").chmod(0o777)
    assert finds_the_zebra()
    assert stored(cache) == []


def test_a_cache_that_cannot_be_made_is_done_without(cache: Path) -> None:
    cache.write_text("a file where the folder should be")
    assert finds_the_zebra()


def test_without_hyperscan_the_other_engine_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "hyperscan", None)
    assert choose_engine("auto") == "ahocorasick"
    with pytest.raises(ImportError):
        choose_engine("hyperscan")
