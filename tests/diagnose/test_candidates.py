"""A rule accuses a part when its logic holds for the observations that join with that part."""

from __future__ import annotations

import math
from typing import Any

import pytest

from analyzer.diagnose.candidates import Candidate, candidates
from analyzer.facts.inventory import Inventory
from analyzer.facts.store import Store
from tests.diagnose.builders import cause, groups, row, store, symptoms


def accused(facts: Store, **rule: Any) -> list[Candidate]:
    return candidates(cause(**rule), {name: groups(facts, name) for name in facts.names()})


def parts(found: list[Candidate]) -> list[list[str]]:
    return [candidate.parts for candidate in found]


def test_every_part_with_a_root_observation_is_accused() -> None:
    assert parts(accused(store(down=[row(), row(node="n2")]))) == [["n1"], ["n2"]]


def test_nothing_seen_accuses_nobody() -> None:
    assert accused(store()) == []


def test_a_symptom_that_only_confirms_accuses_nobody() -> None:
    assert accused(store(hot=[row()]), symptoms=symptoms(down="root", hot="confirms")) == []


def test_an_observation_on_no_known_node_belongs_to_the_only_one_accused() -> None:
    facts = store(down=[row(), row(node=None)], nodes=("n1", None, "n3"))

    (found,) = accused(facts)

    assert (found.parts, len(found.roots())) == (["n1"], 2)


@pytest.mark.parametrize(
    ("logic", "fires"),
    [
        ({"all": ["down", "hot"]}, True),
        ({"all": ["down", "cold"]}, False),
        ({"any": ["cold", "hot"]}, True),
        ({"any": ["cold"]}, False),
        ({"all": ["down"], "any": ["cold", "hot"]}, True),
        ({"unless": ["hot"]}, False),
        ({"unless": ["cold"]}, True),
    ],
)
def test_logic_decides(logic: dict[str, Any], fires: bool) -> None:
    facts = store(down=[row()], hot=[row()])
    found = accused(facts, symptoms=symptoms(down="root", hot="root", cold="root"), logic=logic)
    assert bool(found) is fires


def test_an_exception_on_another_node_does_not_hold_for_this_one() -> None:
    facts = store(down=[row(), row(node="n2")], up=[row(node="n2")])
    rule = {"symptoms": symptoms(down="root", up="against"), "logic": {"unless": ["up"]}}
    assert parts(accused(facts, **rule)) == [["n1"]]


@pytest.mark.parametrize(("down_s", "up_s", "fires"), [(100, 200, True), (200, 100, False)])
def test_a_sequence_begins_in_its_order(down_s: float, up_s: float, fires: bool) -> None:
    rule = {"symptoms": symptoms(down="root", up="root"), "logic": {"sequence": ["down", "up"]}}
    assert bool(accused(store(down=[row(down_s)], up=[row(up_s)]), **rule)) is fires


def test_a_sequence_of_unknown_times_passes() -> None:
    rule = {"symptoms": symptoms(down="root", up="root"), "logic": {"sequence": ["down", "up"]}}
    assert accused(store(down=[row()], up=[row(100)]), **rule)


def test_the_subject_may_be_a_column_of_a_symptom() -> None:
    assert parts(accused(store(down=[row(peer="n9")]), subject={"node": "down.peer"})) == [["n9"]]


def test_the_subject_may_be_a_word_of_the_rule() -> None:
    assert parts(accused(store(down=[row(), row(node="n2")]), subject={"service": "=slurmctld"})) == [["slurmctld"]]


def test_an_observation_that_names_no_part_belongs_to_the_parts_of_its_node() -> None:
    (found,) = accused(store(down=[row(port="leaf-02/4"), row()]), subject={"port": "down.port"})
    assert (found.parts, len(found.roots())) == (["leaf-02/4"], 2)


def test_one_that_names_no_part_of_a_node_without_others_stands_for_the_node() -> None:
    assert parts(accused(store(down=[row()]), subject={"port": "down.port"})) == [["n1"]]


def test_one_without_a_node_belongs_to_the_only_accused_part() -> None:
    facts = store(nodes=("n1", "n2"), down=[row(port="leaf-02/4"), row(node=None)])
    assert parts(accused(facts, subject={"port": "down.port"})) == [["leaf-02/4"]]


def test_parts_of_one_job_are_folded_where_the_rule_merges_by_job() -> None:
    facts = store(down=[row(job="7"), row(job="7", node="n2"), row(job="8", node="n3")])
    assert parts(accused(facts, merge="job")) == [["n1", "n2"], ["n3"]]


def test_all_parts_are_folded_where_the_rule_merges_all() -> None:
    assert parts(accused(store(down=[row(), row(node="n2")]), merge="all")) == [["n1", "n2"]]


def test_a_folded_candidate_keeps_every_observation_once() -> None:
    (found,) = accused(store(down=[row(), row(node="n2")]), merge="all")
    assert [group.rows.tolist() for group in found.roots()] == [[0], [1]]


def test_a_candidate_is_timed_by_its_roots_alone() -> None:
    facts = store(down=[row(100), row(300)], hot=[row(10)])
    (found,) = accused(facts, symptoms=symptoms(down="root", hot="confirms"))
    assert (found.onset_s, found.last_s) == (100.0, 300.0)


def test_a_snapshot_has_no_onset() -> None:
    (found,) = accused(store(down=[row()]))
    assert math.isnan(found.onset_s)


def test_the_parts_of_its_observations_are_named_behind_the_accused() -> None:
    (found,) = accused(store(down=[row(port="leaf-02/4", job="7")]), subject={"port": "down.port"})
    assert found.named() == [("port", "leaf-02/4"), ("node", "n1"), ("job", "7")]


def test_an_accused_part_is_known_by_related_kinds_too() -> None:
    inventory = Inventory()
    inventory.relate("port", "leaf-02/4", "link", "LK-1")
    (found,) = accused(store(inventory=inventory, down=[row(port="leaf-02/4")]), subject={"port": "down.port"})
    assert found.key("link") == {"LK-1"}


@pytest.mark.parametrize(
    ("growing", "severity"), [(False, "warning"), (True, "critical")], ids=["standing alone", "growing too"]
)
def test_a_symptom_may_be_less_grave_than_its_cause(growing: bool, severity: str) -> None:
    shown = symptoms(growing="root", standing="root")
    shown["standing"]["severity"] = "warning"

    facts = store(standing=[row()], growing=[row()] if growing else [])
    (found,) = accused(facts, symptoms=shown, severity="critical")

    assert found.severity == severity
