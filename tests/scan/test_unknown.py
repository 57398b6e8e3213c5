"""Samples of error lines that no pattern and no record knows."""

from __future__ import annotations

import io

from analyzer.model.patterns import LinePattern
from analyzer.scan.engine import Scanner
from tests.scan.reference import KERNEL

KNOWN = LinePattern(0, "disk.gone", r"disk (?P<disk>\S+) failed")


def samples(data: bytes, cap: int = 2000) -> list[tuple[int, bytes]]:
    scanner = Scanner([KNOWN], counts=True, notable=r"(?i)\b(?:error|failed)\b", cap_per_pattern=cap)
    counts = scanner.scan(io.BytesIO(data), KERNEL, 0).counts
    return [(line, sample) for *_, line, _, sample in counts.rows() if sample is not None]


def test_an_error_line_that_no_pattern_knows_is_kept_as_it_stands() -> None:
    assert samples(b"all well\nfan 3 ERROR 17\r\nfan 4 ERROR 18\n") == [(2, b"fan 3 ERROR 17")]


def test_a_line_that_a_pattern_knows_is_none_of_them() -> None:
    assert samples(b"disk sda failed\npump 1 failed\n") == [(2, b"pump 1 failed")]


def test_a_line_beyond_the_hits_that_are_kept_is_known_too() -> None:
    data = b"".join(b"disk %s failed\n" % (b"n" * length) for length in range(1, 9))
    assert samples(data, cap=2) == []


def test_a_line_that_reads_like_no_error_is_not_kept() -> None:
    assert samples(b"terrors of the deep\n") == []
