"""A diagnosis cites the lines it rests on: the first of every observation, the last of a storm, a dozen at most."""

from __future__ import annotations

import pytest

from analyzer.diagnose.evidence import CITED, LISTED, cite, entities
from analyzer.facts.inventory import Inventory
from analyzer.facts.store import Store
from analyzer.model.analysis import EvidenceRole
from tests.diagnose.builders import Rows, groups, row, store


def cited(facts: Store, *symptoms: tuple[EvidenceRole, str], limit: int = CITED) -> list[tuple[str, int | None]]:
    pairs = [(role, group) for role, name in symptoms for group in groups(facts, name)]
    return [(evidence.role, evidence.line) for evidence in cite(pairs, facts, limit)]


def lines(rows: Rows, limit: int = CITED) -> list[int | None]:
    return [line for _, line in cited(store(down=rows), ("root", "down"), limit=limit)]


def test_one_line_is_cited() -> None:
    assert lines([row()]) == [1]


def test_a_storm_is_cited_by_its_first_and_last_line() -> None:
    assert lines([row() for _ in range(50)]) == [1, 50]


def test_the_first_line_of_a_storm_stands_for_all_of_it() -> None:
    facts = store(down=[row() for _ in range(50)])
    first, last = cite([("root", group) for group in groups(facts, "down")], facts)
    assert (first.occurrences, last.occurrences) == (50, 1)


def test_no_more_lines_are_cited_than_a_reader_reads() -> None:
    assert len(lines([row(port=f"leaf-02/{port}") for port in range(40)])) == CITED


def test_every_symptom_gets_a_line_before_any_gets_two() -> None:
    facts = store(down=[row(port="a/1"), row(port="a/2"), row(port="a/3")], hot=[row(line=9)])
    assert cited(facts, ("root", "down"), ("confirms", "hot"), limit=2) == [("root", 1), ("confirms", 9)]


def test_lines_stand_in_order_of_role_and_place() -> None:
    facts = store(down=[row(line=8), row(line=9)], hot=[row(line=1)])
    assert cited(facts, ("confirms", "hot"), ("root", "down")) == [("root", 8), ("root", 9), ("confirms", 1)]


def test_a_line_is_cited_once() -> None:
    facts = store(down=[row(line=3)], up=[row(line=3)])
    assert cited(facts, ("root", "down"), ("confirms", "up")) == [("root", 3)]


def test_a_derived_row_cites_the_lines_it_was_made_of() -> None:
    facts = store(made=[row(evidence=["0:7:0", "0:9:0"])], down=[row(line=7, text="link down")])
    first, second = cite([("root", group) for group in groups(facts, "made")], facts)
    assert (first.line, first.text, second.line) == (7, "link down", 9)


def test_an_event_of_a_trace_is_cited_by_its_number() -> None:
    facts = store(down=[row(line=None, event=3)])
    (evidence,) = cite([("root", group) for group in groups(facts, "down")], facts)
    assert (evidence.line, evidence.event) == (None, 3)


def test_a_line_of_unknown_time_states_no_uncertainty() -> None:
    facts = store(down=[row(uncertainty_s=2.0)])
    (evidence,) = cite([("root", group) for group in groups(facts, "down")], facts)
    assert (evidence.time, evidence.uncertainty_s) == (None, None)


@pytest.fixture
def cabled() -> Store:
    """A fibre on the link of a port of a node."""
    inventory = Inventory()
    inventory.relate("fibre", "LK-1-F03", "link", "LK-1")
    inventory.relate("link", "LK-1", "port", "cn012/mlx5_0/1")
    inventory.relate("port", "cn012/mlx5_0/1", "node", "cn012")
    return store(inventory=inventory)


def test_the_accused_part_is_told_with_what_it_belongs_to(cabled: Store) -> None:
    named = entities([], cabled, [("fibre", "LK-1-F03")])
    assert named == {"fibre": ["LK-1-F03"], "link": ["LK-1"], "port": ["cn012/mlx5_0/1"], "node": ["cn012"]}


def test_another_part_is_told_alone(cabled: Store) -> None:
    assert entities([("fibre", "LK-1-F03")], cabled) == {"fibre": ["LK-1-F03"]}


def test_an_accused_node_is_not_told_with_all_that_it_holds(cabled: Store) -> None:
    assert entities([], cabled, [("node", "cn012")]) == {"node": ["cn012"]}


def test_no_more_names_are_listed_than_anybody_reads() -> None:
    assert len(entities([("rank", str(rank)) for rank in range(500)], store())["rank"]) == LISTED
