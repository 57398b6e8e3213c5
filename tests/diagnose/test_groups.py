"""Rows that name the same parts are one observation; what an observation names; whether two are near in time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.diagnose.groups import UNATTRIBUTED, near
from analyzer.facts.inventory import Inventory
from tests.diagnose.builders import group, groups, row, store


def test_rows_that_name_the_same_parts_are_one_observation() -> None:
    facts = store(down=[row(100, port="leaf-02/4"), row(200, port="leaf-02/4", code=7)])
    assert group(facts, "down").rows.tolist() == [0, 1]


def test_rows_of_different_parts_are_different_observations() -> None:
    facts = store(down=[row(port="leaf-02/4"), row(port="leaf-02/5"), row(port="leaf-02/4", node="n2")])
    assert [g.rows.tolist() for g in groups(facts, "down")] == [[0], [1], [2]]


def test_values_are_those_of_the_first_row() -> None:
    facts = store(down=[row(code=7), row(code=8)])
    assert group(facts, "down").values["code"] == 7


def test_an_observation_lasts_from_its_first_to_its_last_known_time() -> None:
    observed = group(store(down=[row(300), row(), row(100)]), "down")
    assert (observed.onset_s, observed.last_s) == (100.0, 300.0)


def test_an_observation_without_any_time_begins_at_no_time() -> None:
    assert math.isnan(group(store(down=[row()]), "down").onset_s)


def test_rows_of_unknown_time_on_different_clocks_are_kept_apart() -> None:
    facts = store(down=[row(clock="n1/0", clock_s=5.0), row(clock="n1/1", clock_s=6.0)])
    assert [g.clock for g in groups(facts, "down")] == ["n1/0", "n1/1"]


def test_no_rows_are_no_observation() -> None:
    assert groups(store(), "down") == []


def test_a_column_without_a_part_is_named_by_its_text() -> None:
    assert group(store(down=[row(code=7)]), "down").key("code") == {"7"}


def test_an_empty_column_names_nothing() -> None:
    assert group(store(down=[row()]), "down").key("code") == frozenset()


def test_a_part_is_named_by_its_canonical_name() -> None:
    assert group(store(down=[row(port="n1 mlx5_0")]), "down").key("port") == {"n1/mlx5_0/1"}


def test_a_gpu_is_that_of_the_node_whose_log_names_it() -> None:
    one, two = groups(store(down=[row(gpu="0000:3b:00.0"), row(gpu="0000:3b:00.0", node="n2")]), "down")
    assert not one.key("gpu") & two.key("gpu")


def test_a_part_that_is_not_named_is_found_through_the_inventory() -> None:
    inventory = Inventory()
    inventory.relate("port", "leaf-02/4", "link", "LK-1")
    assert group(store(inventory=inventory, down=[row(port="leaf-02/4")]), "down").key("link") == {"LK-1"}


def test_a_remote_node_is_not_the_node_of_the_row() -> None:
    observed = group(store(down=[row(peer="n9")]), "down")
    assert observed.key("node") == {"n1"}
    assert observed.key("peer") == {"n9"}
    assert ("node", "n9") not in observed.direct()


def test_the_node_of_rows_that_name_none_is_unattributed() -> None:
    assert group(store(nodes=("n1", "n2"), down=[row(node=None)]), "down").key("node") == {UNATTRIBUTED}


def test_where_all_inputs_are_of_one_node_rows_that_name_none_are_its_too() -> None:
    assert group(store(nodes=("n1",), down=[row(node=None)]), "down").key("node") == {"n1"}


def test_the_most_specific_part_comes_first() -> None:
    observed = group(store(down=[row(job="7", port="leaf-02/4")]), "down")
    assert [kind for kind, _ in observed.direct()] == ["port", "node", "job"]


def follows(first: Sequence[float], second: Sequence[float], **values: Any) -> bool | None:
    """Whether something at ``second`` is within 0 to 10 seconds after something at ``first``."""
    facts = store(one=[row(t, **values) for t in first], two=[row(t) for t in second])
    return near(group(facts, "one"), group(facts, "two"), (0.0, 10.0))


@pytest.mark.parametrize(
    ("first", "second", "answer"),
    [
        ([100], [105], True),
        ([100], [110], True),
        ([100], [111], False),
        ([100], [99], False),
        ([100, 300], [305], True),
    ],
)
def test_some_row_follows_some_row_in_the_window(first: list[float], second: list[float], answer: bool) -> None:
    assert follows(first, second) is answer


def test_uncertain_times_widen_the_window() -> None:
    assert follows([100], [112], uncertainty_s=2.0) is True


def test_without_a_common_clock_nothing_is_told() -> None:
    facts = store(one=[row(100)], two=[row(clock="n1/0", clock_s=5.0)])
    assert near(group(facts, "one"), group(facts, "two"), (0.0, 10.0)) is None


def test_two_logs_of_one_boot_are_compared_by_its_clock() -> None:
    facts = store(one=[row(clock="n1/0", clock_s=5.0)], two=[row(clock="n1/0", clock_s=20.0)])
    assert near(group(facts, "one"), group(facts, "two"), (0.0, 10.0)) is False


@given(st.lists(st.integers(0, 50), min_size=1, max_size=6), st.lists(st.integers(0, 50), min_size=1, max_size=6))
def test_near_agrees_with_looking_at_every_pair(first: list[int], second: list[int]) -> None:
    assert follows(first, second) is any(0 <= b - a <= 10 for a in first for b in second)
