"""Records of pstore in one file are separate runs of one boot, the newest first."""

from __future__ import annotations

from pathlib import Path

from analyzer.options import Options
from analyzer.pipeline import run
from analyzer.sources.layouts.pstore import records

NEW = "Panic#1 Part1\n<4>[ 5000.100000] Call Trace:\n<0>[ 5000.200000] Kernel panic - not syncing: Fatal exception\n"
OLD = "Panic#1 Part2\n<4>[ 4000.000000] NVRM: loading\n<4>[ 4999.000000] BUG: unable to handle page fault\n"


def test_the_oldest_record_comes_first_with_the_lines_of_the_file() -> None:
    assert [part.numbering.lines.tolist() for part in records((NEW + OLD).encode())] == [[5, 6], [2, 3]]


def test_one_record_is_a_log_like_any_other() -> None:
    assert records(NEW.encode()) == []


def test_a_record_that_ends_before_the_next_is_no_reboot(tmp_path: Path) -> None:
    (tmp_path / "dmesg-efi-1").write_text(NEW + OLD, encoding="utf-8")
    store = run([str(tmp_path)], Options(anomaly=False)).store
    assert {segment.boot for source in store.sources for segment in source.segments} == {0}
    assert [source.first_line for source in store.sources] == [5, 2]
