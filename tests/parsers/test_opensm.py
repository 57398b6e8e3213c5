"""``opensm.log``: the head of a line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.model.stamps import StampKind
from parsers import opensm

LINE = b"Mar 09 04:41:27 123456 [69D1740] 0x01 -> log_trap_info: Received Generic Notice type:1 num:128"


def test_the_head_gives_stamp_level_and_the_message() -> None:
    head = opensm.prefix(LINE)
    assert head is not None
    assert head.stamp is not None
    assert (head.stamp.kind, head.stamp.resolution_s) == (StampKind.YEARLESS, 1e-6)
    assert head.stamp.seconds == pytest.approx(((31 + 29 + 8) * 24 + 4) * 3600 + 41 * 60 + 27.123456)
    assert (head.program, head.level, LINE[head.start :][:13]) == ("opensm", "error", b"log_trap_info")


@pytest.mark.parametrize(
    ("flags", "level"), [(b"0x80", "notice"), (b"0x81", "error"), (b"0x02", "info"), (b"0x03", "info")]
)
def test_flags_are_levels(flags: bytes, level: str) -> None:
    head = opensm.prefix(LINE.replace(b"0x01", flags))
    assert head is not None
    assert head.level == level


@pytest.mark.parametrize(
    "line",
    [
        b"Node 0x2aa000341d82b00 port 1 is reachable from remote node 0x2bb0003abcfb000 port 2",
        b"Mar 09 04:41:27 mgmt01 OpenSM[7101]: SUBNET UP",
        b"",
    ],
)
def test_other_lines_have_no_head(line: bytes) -> None:
    assert opensm.prefix(line) is None


def test_the_head_decides_the_format() -> None:
    assert opensm.sniff(b"\n" + LINE + b"\n", "x") is not None
    assert opensm.sniff(b"Mar  9 04:41:27 cn012 kernel: mlx5_core", "opensm.log") is None


@given(st.binary(max_size=200))
def test_any_bytes_are_a_line(tail: bytes) -> None:
    for line in (tail, LINE[:30] + tail):
        head = opensm.prefix(line)
        assert head is None or 0 < head.start <= len(line)
