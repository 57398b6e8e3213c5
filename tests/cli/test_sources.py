"""What the inputs are taken for."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from analyzer.cli.main import main
from tests.conftest import RunCommand

KERNEL = "".join(f"[{second:5d}.000000] usb 1-{second}: new device\n" for second in range(1, 20))


def _listed(capsys: pytest.CaptureFixture[str]) -> dict[str, str]:
    """Format of each listed file."""
    rows = [line.split()[:2] for line in capsys.readouterr().out.splitlines()[1:]]
    return {row[0]: row[1] for row in rows}


def test_members_are_listed_with_their_formats(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "dmesg.txt").write_text(KERNEL, encoding="utf-8")
    (tmp_path / "notes").write_text("nothing in particular\n", encoding="utf-8")
    (tmp_path / "core").write_bytes(bytes(range(32)) * 10)
    assert main(["sources", str(tmp_path)]) == 0
    assert _listed(capsys) == {"core": "unrecognised", "dmesg.txt": "dmesg", "notes": "text"}


def test_a_file_of_many_nodes_is_told_by_its_layout(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "".join(f"cn001: {line}\ncn002: {line}\n" for line in KERNEL.splitlines())
    (tmp_path / "all.txt").write_text(text, encoding="utf-8")
    assert main(["sources", str(tmp_path)]) == 0
    assert _listed(capsys) == {"all.txt": "interleaved"}


def test_damaged_archive_is_listed_and_makes_the_status_incomplete(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("dmesg.txt", KERNEL)
    damaged = tmp_path / "bundle.zip"
    damaged.write_bytes(packed.getvalue()[:-30])
    assert main(["sources", str(damaged)]) == 3
    assert set(_listed(capsys).values()) & {"partial", "unreadable"}


def test_standard_input_is_a_log(fabtriage: RunCommand) -> None:
    done = fabtriage("sources", "-", stdin=KERNEL)
    assert done.returncode == 0
    assert done.stdout.splitlines()[1].split()[:2] == ["stdin", "dmesg"]


def test_names_cannot_steer_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a\x1b[2Jb").write_text("x\n", encoding="utf-8")
    main(["sources", str(tmp_path)])
    assert "\x1b" not in capsys.readouterr().out


def test_missing_input_is_one_line_with_a_remedy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sources", str(tmp_path / "none")]) == 2
    assert capsys.readouterr().err == f"fabtriage: {tmp_path / 'none'}: no such file or folder (check the path)\n"
