"""Circles: nothing explains itself, by whatever way round."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from analyzer.diagnose.circles import without_circles

EDGES = st.dictionaries(st.integers(0, 7), st.lists(st.integers(0, 7), max_size=4), max_size=8)


def test_of_two_that_explain_each_other_the_earlier_stays_on_top() -> None:
    assert without_circles([{0: [1], 1: [0]}], [20.0, 10.0]) == {0: [1]}


def test_a_candidate_of_unknown_onset_explains_before_one_that_has_a_time() -> None:
    assert without_circles([{0: [1], 1: [0]}], [10.0, -math.inf]) == {0: [1]}


def test_what_a_rule_states_goes_before_what_shared_rows_suggest() -> None:
    stated, held = {1: [0]}, {0: [1]}

    assert without_circles([stated, held], [20.0, 10.0]) == {1: [0]}


def test_a_longer_circle_is_opened_at_its_latest_parent() -> None:
    assert without_circles([{1: [0], 2: [1], 0: [2]}], [1.0, 2.0, 3.0]) == {1: [0], 2: [1]}


def test_a_parent_named_twice_is_kept_once() -> None:
    assert without_circles([{1: [0, 0]}, {1: [0]}], [1.0, 2.0]) == {1: [0]}


@given(stated=EDGES, held=EDGES)
def test_no_candidate_is_ever_above_itself(stated: dict[int, list[int]], held: dict[int, list[int]]) -> None:
    kept = without_circles([stated, held], [float(place % 3) for place in range(8)])

    def above(child: int, seen: frozenset[int]) -> bool:
        return child in seen or any(above(parent, seen | {child}) for parent in kept.get(child, ()))

    assert not any(above(child, frozenset()) for child in kept)
