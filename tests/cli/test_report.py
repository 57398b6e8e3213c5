"""Saved reports shown again."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from analyzer.cli.main import main
from tests.cli.builders import analysis

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    file = tmp_path / "report.json"
    file.write_bytes(msgspec.json.encode(analysis("warning")))
    return file


def test_saved_report_is_shown_as_text(saved: Path, capsys: Captured) -> None:
    main(["report", str(saved)])
    assert "port-flaps" in capsys.readouterr().out


def test_saved_report_survives_another_round(saved: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.json"
    main(["report", str(saved), "--format", "json", "-o", str(again)])
    assert msgspec.json.decode(again.read_bytes()) == msgspec.json.decode(saved.read_bytes())


def test_exit_status_is_that_of_the_diagnosis(saved: Path) -> None:
    assert main(["report", str(saved)]) == 1
    assert main(["report", str(saved), "--fail-on", "critical"]) == 0


@pytest.mark.parametrize("content", [b"", b"not json", b"{}", b'"\xff"', b"[" * 100_000])
def test_what_is_no_report_is_one_line(content: bytes, tmp_path: Path, capsys: Captured) -> None:
    file = tmp_path / "other.json"
    file.write_bytes(content)
    assert main(["report", str(file)]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"fabtriage: {file}: no fabtriage report")
    assert error.count("\n") == 1


def test_report_of_a_later_version_is_refused(saved: Path, capsys: Captured) -> None:
    saved.write_bytes(saved.read_bytes().replace(b'"schema_version":1', b'"schema_version":2'))
    assert main(["report", str(saved)]) == 2
    assert "schema version 2, known here is 1" in capsys.readouterr().err


def test_missing_file_is_one_line(tmp_path: Path, capsys: Captured) -> None:
    assert main(["report", str(tmp_path / "none.json")]) == 2
    assert "No such file" in capsys.readouterr().err
