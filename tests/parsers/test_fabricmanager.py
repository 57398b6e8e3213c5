"""Lines of the fabric manager's log."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from analyzer.model.stamps import RawStamp, StampKind
from parsers import fabricmanager

LINE = b"[Mar 09 2026 04:41:27] [ERROR] [tid 2011] detected NVLink fatal error on NVSwitch pci bus id 00000000:07:00.0"


def test_prefix_reads_date_level_and_start() -> None:
    prefix = fabricmanager.prefix(LINE)
    assert prefix is not None
    assert prefix.stamp == RawStamp(StampKind.LOCAL, 1773031287.0, 1.0)
    assert (prefix.program, prefix.level) == ("nv-fabricmanager", "error")
    assert LINE[prefix.start :].startswith(b"detected")


def test_a_continuation_has_no_head() -> None:
    assert fabricmanager.prefix(b"Message payload details:Team release request: Flags:0") is None


def test_messages_of_two_lines_do_not_hide_the_format() -> None:
    found = fabricmanager.sniff(LINE + b"\nMessage payload details: a\n\n" + LINE + b"\n", "x.log")
    assert found is not None
    assert found.score >= 80


def test_other_logs_are_not_claimed() -> None:
    head = b"[2026-07-14T20:44:15.035] error: text\n[Wed Sep  2 18:13:57 2026] nvidia-nvswitch2: text\n"
    assert fabricmanager.sniff(head, "fabricmanager.log") is None


@given(st.binary(max_size=300))
def test_any_bytes_give_a_prefix_inside_the_line_or_none(line: bytes) -> None:
    fabricmanager.sniff(line, "x")
    prefix = fabricmanager.prefix(line)
    assert prefix is None or 0 <= prefix.start <= len(line)
