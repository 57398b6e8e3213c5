"""Counts of line templates per minute, and the index of lines."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.model.patterns import SourceScan
from analyzer.scan import counts
from analyzer.scan.blocks import BlockReader
from analyzer.scan.counts import OTHER, line_rows, template_of
from analyzer.scan.engine import Scanner
from tests.scan.reference import KERNEL, split_lines


def stamp(line: bytes) -> float | None:
    """``<seconds>: text``."""
    head, colon, _ = line.partition(b":")
    return float(head) if colon and head.isdigit() else None


def scan(data: bytes, block_bytes: int = 1 << 20, timed: bool = True) -> SourceScan:
    scanner = Scanner([], counts=True, block_bytes=block_bytes)
    return scanner.scan(io.BytesIO(data), KERNEL, 0, stamp=stamp if timed else None)


def test_numbers_and_line_ends_make_no_template() -> None:
    assert template_of(b"port 12 of 0x3fA up\r") == template_of(b"port 9 of 0x7b up")
    assert template_of(b"port 12 up") != template_of(b"port 12 down")


def test_each_template_is_counted_with_its_first_line() -> None:
    data = b"1: port up\n2: port down\n3: port up\r\n"
    assert scan(data).counts.rows() == [
        (0, template_of(b"1: port up"), 2, 1, 0, None),
        (0, template_of(b"2: port down"), 1, 2, 11, None),
    ]


@pytest.mark.parametrize("block_bytes", [50, 700, 1 << 20])
def test_the_minute_is_that_of_each_64th_line(block_bytes: int) -> None:
    data = b"".join(b"%d: tick\n" % number for number in range(0, 3000, 10))
    expected = [start * 10 // 60 for start in range(0, 300, 64)]
    found = scan(data, block_bytes).counts
    assert found["minute"].to_list() == expected
    assert found["count"].to_list() == [64, 64, 64, 64, 44]


def test_lines_without_a_stamp_belong_to_the_minute_before() -> None:
    data = b"x\n" * 64 + b"120: y\n" + b"x\n" * 70
    rows = [(minute, count) for minute, _, count, *_ in scan(data).counts.rows()]
    assert rows == [(None, 64), (2, 70), (2, 1)]


def test_without_stamps_the_minute_is_null() -> None:
    assert scan(b"1: a\n", timed=False).counts["minute"].to_list() == [None]


def test_an_empty_source_has_no_counts() -> None:
    found = scan(b"")
    assert (found.counts.height, found.index.tolist()) == (0, [])


def test_templates_beyond_the_limit_are_counted_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counts, "MAX_TEMPLATES", 2)
    rows = scan(b"one\ntwo\nsix\nten\ntwo\n").counts.rows()
    assert [(template == OTHER, count, line) for _, template, count, line, *_ in rows] == [
        (False, 1, 1),
        (False, 2, 2),
        (True, 2, 3),
    ]


LINES = st.lists(st.sampled_from([b"", b"a1\r", b"port 7 up", b"\x00\xff", b"61: z"]), max_size=200)


@given(LINES, st.booleans(), st.integers(1, 300))
def test_every_line_is_counted_and_indexed_once(lines: list[bytes], ended: bool, block_bytes: int) -> None:
    data = b"\n".join(lines) + (b"\n" if ended else b"")
    found = scan(data, block_bytes)
    starts = [0]
    for line in split_lines(data):
        starts.append(starts[-1] + len(line) + 1)
    assert found.counts["count"].sum() == found.lines == len(starts) - 1
    assert found.index.tolist() == starts[:-1][::64]


@given(LINES, st.integers(1, 300))
def test_line_rows_give_each_line_its_place_and_template(lines: list[bytes], block_bytes: int) -> None:
    data = b"\n".join(lines)
    rows = [row for frame in line_rows(BlockReader(io.BytesIO(data), block_bytes)) for row in frame.rows()]
    whole = split_lines(data)
    assert [row[0] for row in rows] == list(range(1, len(whole) + 1))
    assert [data[row[1] :].split(b"\n")[0] for row in rows] == whole
    assert [row[2] for row in rows] == [template_of(line) for line in whole]
