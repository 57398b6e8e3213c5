from __future__ import annotations

import tarfile
from pathlib import Path

import pytest

from tests.conftest import RunCommand

pytestmark = pytest.mark.usefixtures("small_rules")


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    (tmp_path / "dmesg.txt").write_text("[    1.000000] usb 1-1: new device\n", encoding="utf-8")
    target = tmp_path / "bundle.tar"
    with tarfile.open(target, "w") as made:
        for number in range(3):
            made.add(tmp_path / "dmesg.txt", f"n{number}/dmesg.txt")
    return target


def test_a_limit_that_is_reached_makes_the_answer_incomplete(fabtriage: RunCommand, archive: Path) -> None:
    done = fabtriage("diagnose", archive, "--limit", "members=2")
    told = " ".join(done.stdout.split())
    assert done.returncode == 3
    assert "n2/dmesg.txt: unreadable, more than 2 members; the rest was not read (raise with --limit members=N)" in told


def test_a_limit_holds_for_the_list_of_sources(fabtriage: RunCommand, archive: Path) -> None:
    done = fabtriage("sources", archive, "--limit", "members=2")
    assert (done.returncode, done.stdout.count("unreadable")) == (3, 1)


@pytest.mark.parametrize("wrong", ["held_bytes=5", "members", "members=0", "members=-1", "members=many", "=5"])
def test_a_wrong_limit_is_refused_in_one_line(fabtriage: RunCommand, archive: Path, wrong: str) -> None:
    done = fabtriage("diagnose", archive, f"--limit={wrong}")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"fabtriage: --limit {wrong}: ") and done.stderr.count("\n") == 1
