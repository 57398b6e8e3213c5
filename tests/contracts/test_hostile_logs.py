"""The whole command on logs and file names that try to steer the terminal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import RunCommand
from tests.hostile_text import HOSTILE, MARKUP, STEERING

pytestmark = pytest.mark.usefixtures("small_rules")

FAULT = "[   50.000000] example: port 3 down, code 79"
LONG = 1_000_000


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    log = tmp_path / "n1" / "dmesg.txt"
    log.parent.mkdir()
    log.write_text(
        f"[   49.000000] {HOSTILE.replace(chr(13), '')}\n{FAULT} {HOSTILE}\n[   51.000000] {'x' * LONG}\n",
        encoding="utf-8",
        newline="\n",
    )
    return tmp_path


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_hostile_log_is_quoted_as_plain_text(fabtriage: RunCommand, folder: Path, form: str) -> None:
    done = fabtriage("diagnose", folder, "--format", form)
    assert (done.returncode, done.stderr) == (1, "")
    assert STEERING.isdisjoint(done.stdout)
    assert MARKUP.split(" ", maxsplit=1)[0] in done.stdout
    assert len(done.stdout) < LONG // 4


def test_the_cited_line_is_the_log_s_own(fabtriage: RunCommand, folder: Path) -> None:
    evidence = json.loads(fabtriage("diagnose", folder, "--format", "json").stdout)["diagnoses"][0]["evidence"][0]
    assert (evidence["line"], evidence["text"][: len(FAULT)]) == (2, FAULT)


def test_a_line_longer_than_a_screen_of_screens_is_searched_to_its_end(fabtriage: RunCommand, tmp_path: Path) -> None:
    (tmp_path / "dmesg.txt").write_text(f"[    1.000000] ok\n{'x' * LONG} {FAULT}\n", encoding="utf-8")
    assert fabtriage("diagnose", tmp_path).returncode == 1


@pytest.mark.parametrize("command", ["diagnose", "sources"])
def test_names_of_files_cannot_steer_the_terminal(fabtriage: RunCommand, tmp_path: Path, command: str) -> None:
    name = HOSTILE.replace("\x00", "").replace("/", "")
    (tmp_path / name).write_text(f"{FAULT}\n", encoding="utf-8")
    (tmp_path / f"{name}.7z").write_bytes(b"7z\xbc\xaf\x27\x1c" + bytes(100))
    done = fabtriage(command, tmp_path)
    assert STEERING.isdisjoint(done.stdout) and STEERING.isdisjoint(done.stderr)
    assert "[bold red]markup[]" in done.stdout


def test_a_missing_path_is_named_without_its_control_characters(fabtriage: RunCommand, tmp_path: Path) -> None:
    done = fabtriage("diagnose", tmp_path / HOSTILE.replace("\x00", ""))
    assert (done.returncode, STEERING.isdisjoint(done.stderr)) == (2, True)
