"""Which observations of a symptom belong to an accused part: those that share its parts, near it in time."""

from __future__ import annotations

from typing import Any

from analyzer.diagnose.joins import Joins
from analyzer.facts.store import Store
from analyzer.rulebook.schema import Symptom
from tests.diagnose.builders import groups, row, store

NODE = ("node", "n1")


def belonging(facts: Store, accused: tuple[str, str] = NODE, **symptom: Any) -> list[list[int]]:
    """Rows of the observations ``up`` that join with the observations ``down``."""
    seen = {name: groups(facts, name) for name in facts.names()}
    wanted = Symptom(role="confirms", table="up", **symptom)
    joined = Joins(seen).belonging("up", wanted, accused, seen["down"], {"down": seen["down"]})
    return [observed.rows.tolist() for observed in joined]


def test_an_observation_of_the_same_node_belongs() -> None:
    assert belonging(store(down=[row()], up=[row(), row(node="n2")])) == [[0]]


def test_anywhere_in_the_bundle_is_said_by_no_key() -> None:
    assert belonging(store(down=[row()], up=[row(node="n2")]), on={}) == [[0]]


def test_all_keys_must_agree() -> None:
    facts = store(down=[row(job="7")], up=[row(job="7"), row(job="8"), row(job="7", node="n2")])
    assert belonging(facts, on={"node": "node", "job": "job"}) == [[0]]


def test_a_key_may_have_another_name_on_the_other_side() -> None:
    assert belonging(store(down=[row()], up=[row(node="n2", peer="n1")]), on={"peer": "node"}) == [[0]]


def test_a_key_may_refer_to_a_symptom_by_name() -> None:
    facts = store(down=[row(code=7)], up=[row(code=7, job="1"), row(code=8, job="2")])
    assert belonging(facts, on={"code": "down.code"}) == [[0]]


def test_the_accused_part_stands_for_its_own_kind() -> None:
    facts = store(down=[row(peer="n9")], up=[row(node="n9"), row(node="n1", port="leaf-02/4")])
    assert belonging(facts, ("node", "n9")) == [[0]]


def test_an_observation_outside_the_window_does_not_belong() -> None:
    facts = store(down=[row(100)], up=[row(104, code=1), row(300, code=2)])
    assert belonging(facts, within="10s") == [[0, 1]]


def test_one_whose_time_no_clock_tells_may_belong() -> None:
    assert belonging(store(down=[row(100)], up=[row()]), within="10s") == [[0]]


def test_what_belongs_comes_in_the_order_seen_once_each() -> None:
    facts = store(down=[row(port="leaf-02/4"), row(port="leaf-02/5")], up=[row(job="9"), row(job="3")])
    assert belonging(facts) == [[0], [1]]


def test_a_symptom_that_was_not_seen_has_none() -> None:
    assert belonging(store(down=[row()])) == []
