from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.model.sources import Segment
from analyzer.sources.segments import boot_lines, cut, segment_of


def test_a_source_without_boundaries_is_one_segment() -> None:
    assert cut("cn001", "folder") == (Segment(0, 1, "cn001", "folder", 0),)


def test_each_boot_is_a_segment() -> None:
    segments = cut("cn001", "folder", boots=[2327])
    assert [(s.index, s.first_line, s.boot) for s in segments] == [(0, 1, 0), (1, 2327, 1)]


def test_a_part_of_a_file_counts_its_boots_from_its_own_first_line() -> None:
    segments = cut("cn001", "prompt", boots=[150], first_line=100)
    assert [(s.first_line, s.boot) for s in segments] == [(100, 0), (150, 1)]
    assert boot_lines([], [], [102, 400], first_line=100) == (400,)


def test_uptime_going_back_is_a_new_boot() -> None:
    assert boot_lines([1, 2, 3, 4, 5], [0.0, 500.0, math.nan, 0.0, 1.0]) == (4,)


def test_lines_a_little_out_of_order_are_the_same_boot() -> None:
    assert boot_lines([1, 2, 3], [100.0, 99.9, 101.0]) == ()


@pytest.mark.parametrize(
    ("banners", "expected"),
    [([1], ()), ([1000], (1000,)), ([1000, 1003], (1000,)), ([1, 1000, 2000], (1000, 2000))],
)
def test_a_kernel_banner_is_a_new_boot_except_at_the_top(banners: list[int], expected: tuple[int, ...]) -> None:
    assert boot_lines([], [], banners) == expected


def test_a_banner_beside_a_fall_of_the_uptime_counts_once() -> None:
    assert boot_lines([10, 200, 201], [900.0, 0.0, 0.1], banners=[198]) == (200,)


def test_lines_find_their_segment() -> None:
    segments = cut(boots=[10, 20])
    assert segment_of(segments, [1, 9, 10, 19, 20, 99]).tolist() == [0, 0, 1, 1, 2, 2]


@given(boots=st.lists(st.integers(-5, 100)), first_line=st.integers(1, 100))
def test_segments_are_numbered_and_ascend_from_the_first_line(boots: list[int], first_line: int) -> None:
    segments = cut(boots=boots, first_line=first_line)
    lines = [segment.first_line for segment in segments]
    assert lines[0] == first_line
    assert lines == sorted(set(lines))
    assert [segment.index for segment in segments] == list(range(len(segments)))
