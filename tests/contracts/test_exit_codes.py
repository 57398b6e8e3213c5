"""What the whole command, as a process on real files, tells the shell; and that its report names the culprit."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from tests.conftest import RunCommand

pytestmark = pytest.mark.usefixtures("small_rules")

QUIET = "".join(f"[{second:5d}.000000] usb 1-{second}: new device\n" for second in range(1, 40))
FAULT = "[   50.000000] example: port 3 down, code 79\n"


@pytest.fixture
def healthy(tmp_path: Path) -> Path:
    log = tmp_path / "n1" / "dmesg.txt"
    log.parent.mkdir()
    log.write_text(QUIET, encoding="utf-8")
    return log


@pytest.fixture
def faulty(tmp_path: Path) -> Path:
    log = tmp_path / "n2" / "dmesg.txt"
    log.parent.mkdir()
    log.write_text(QUIET + FAULT, encoding="utf-8")
    return log


@pytest.fixture
def cut(tmp_path: Path) -> Path:
    log = tmp_path / "dmesg.txt.gz"
    log.write_bytes(gzip.compress(QUIET.encode() * 50)[:-20])
    return log


def test_0_nothing_found(fabtriage: RunCommand, healthy: Path) -> None:
    assert fabtriage("diagnose", healthy).returncode == 0


def test_0_found_below_the_threshold(fabtriage: RunCommand, faulty: Path) -> None:
    assert fabtriage("diagnose", faulty, "--fail-on", "critical").returncode == 0


def test_1_found(fabtriage: RunCommand, faulty: Path) -> None:
    done = fabtriage("diagnose", faulty, "--format", "json")
    report = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (1, "")
    assert [(d["cause"], d["evidence"][0]["line"]) for d in report["diagnoses"]] == [("port-flaps", 40)]


def test_2_no_such_input(fabtriage: RunCommand, tmp_path: Path) -> None:
    assert fabtriage("diagnose", tmp_path / "none").returncode == 2


def test_3_nothing_found_in_what_could_be_read(fabtriage: RunCommand, cut: Path) -> None:
    assert fabtriage("diagnose", cut).returncode == 3


def test_3_also_when_findings_do_not_count(fabtriage: RunCommand, cut: Path) -> None:
    assert fabtriage("diagnose", cut, "--fail-on", "never").returncode == 3


def test_each_is_1_if_any_is_found(fabtriage: RunCommand, healthy: Path, faulty: Path, cut: Path) -> None:
    assert fabtriage("diagnose", "--each", healthy, cut, faulty).returncode == 1


def test_each_is_3_if_none_is_found_and_one_is_broken(fabtriage: RunCommand, healthy: Path, tmp_path: Path) -> None:
    assert fabtriage("diagnose", "--each", healthy, tmp_path / "none").returncode == 3


def test_log_on_standard_input(fabtriage: RunCommand) -> None:
    done = fabtriage("diagnose", "-", "--format", "json", stdin=QUIET + FAULT)
    assert done.returncode == 1
    assert json.loads(done.stdout)["diagnoses"][0]["evidence"][0]["file"] == "stdin"


def test_paths_without_a_command_give_the_text_report(fabtriage: RunCommand, faulty: Path) -> None:
    bare, named = fabtriage(faulty), fabtriage("diagnose", faulty)
    assert (bare.returncode, bare.stdout) == (named.returncode, named.stdout)
    assert "port-flaps" in bare.stdout


def test_report_is_plain_text_of_the_asked_width_when_no_terminal_reads_it(fabtriage: RunCommand, faulty: Path) -> None:
    report = fabtriage("diagnose", faulty, env={"COLUMNS": "60"}).stdout
    assert "\x1b" not in report
    assert max(map(len, report.splitlines())) <= 60


def test_input_is_left_as_it_was(fabtriage: RunCommand, faulty: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in faulty.parent.parent.rglob("*")}
    fabtriage("diagnose", faulty.parent.parent)
    assert {path: path.stat().st_mtime_ns for path in faulty.parent.parent.rglob("*")} == before
