"""Files of the cache appear whole, in the folder that the desktop convention names, and only the newest stay."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from analyzer import user_cache


def test_the_cache_follows_the_desktop_convention(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(user_cache.VARIABLE)
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert user_cache.folder() == Path("/somewhere/fabtriage")


def test_the_variable_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(user_cache.VARIABLE, "/elsewhere")
    assert user_cache.folder() == Path("/elsewhere")


def test_the_oldest_files_of_a_kind_are_forgotten(tmp_path: Path) -> None:
    for age, name in enumerate(("new.db", "old.db", "older.db", "other.txt")):
        (tmp_path / name).write_bytes(b"")
        os.utime(tmp_path / name, (1000 - age, 1000 - age))
    user_cache.keep(tmp_path / "newest.db", b"content", most=2)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["new.db", "newest.db", "other.txt"]


def test_a_file_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path) -> None:
    (tmp_path / "taken.db").mkdir()
    with pytest.raises(OSError, match="taken"):
        user_cache.keep(tmp_path / "taken.db", b"content", most=2)
    assert [path.name for path in tmp_path.iterdir()] == ["taken.db"]
