from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.model.sources import Segment
from analyzer.sources.segments import Section, boot_lines, cut, segment_of


def test_a_source_without_boundaries_is_one_segment() -> None:
    assert cut("cn001", "folder") == (Segment(0, 1, "cn001", "folder", 0),)


def test_each_boot_is_a_segment() -> None:
    segments = cut("cn001", "folder", boots=[2327])
    assert [(s.index, s.first_line, s.boot) for s in segments] == [(0, 1, 0), (1, 2327, 1)]


def test_sections_have_nodes_and_boots_of_their_own() -> None:
    segments = cut("cn001", "folder", boots=[50, 150], sections=[Section(100, "cn002", "prompt"), Section(200)])
    assert [(s.first_line, s.node, s.boot) for s in segments] == [
        (1, "cn001", 0),
        (50, "cn001", 1),
        (100, "cn002", 0),
        (150, "cn002", 1),
        (200, "cn001", 0),
    ]


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


@given(boots=st.lists(st.integers(-5, 100)), sections=st.lists(st.integers(-5, 100)))
def test_segments_are_numbered_and_ascend_from_line_one(boots: list[int], sections: list[int]) -> None:
    segments = cut(boots=boots, sections=[Section(line) for line in sections])
    lines = [segment.first_line for segment in segments]
    assert lines[0] == 1
    assert lines == sorted(set(lines))
    assert [segment.index for segment in segments] == list(range(len(segments)))
