"""Which rows a symptom selects, and which of them make one observation."""

from __future__ import annotations

from typing import Any

from analyzer.diagnose.selection import Condition, condition_of, observations, select
from analyzer.facts.store import Store
from analyzer.rulebook.schema import Benign
from tests.diagnose.builders import cause, row, store, symptoms


def selected(facts: Store, where: str | None = None) -> list[int]:
    condition = Condition("down", where)
    chosen = select([condition], facts).get(condition)
    return [] if chosen is None else chosen["row"].to_list()


def observed(facts: Store, **rule: Any) -> dict[str, list[list[int]]]:
    """Rows of each observation by symptom."""
    made = cause(**rule)
    conditions = [condition_of(made, name, symptom) for name, symptom in made.symptoms.items()]
    seen = observations(made, select(conditions, facts), facts)
    return {name: [group.rows.tolist() for group in groups] for name, groups in seen.items()}


def test_without_an_expression_every_row_is_selected() -> None:
    assert selected(store(down=[row(), row()])) == [0, 1]


def test_an_expression_selects_rows() -> None:
    assert selected(store(down=[row(code=7), row(code=8)]), "code = 8") == [1]


def test_an_expression_that_cannot_be_told_selects_nothing() -> None:
    assert selected(store(down=[row()]), "code = 8") == []


def test_a_copy_of_a_line_is_not_counted() -> None:
    assert selected(store(down=[row(), row(copy=True)])) == [0]


def test_rows_of_a_benign_signature_are_left_out() -> None:
    benign = Benign(title="so", why="so", table="down", where="code = 7", sources=("guide",))
    assert selected(store(benign={"quiet": benign}, down=[row(code=7), row(code=8)])) == [1]


def test_a_frame_that_is_benign_as_a_whole_has_no_rows() -> None:
    benign = Benign(title="so", why="so", table="down", sources=("guide",))
    assert selected(store(benign={"quiet": benign}, down=[row()])) == []


def test_a_symptom_without_rows_is_not_observed() -> None:
    assert observed(store(down=[row()]), symptoms=symptoms(down="root", up="confirms")) == {"down": [[0]]}


def test_a_qualifier_chooses_among_the_selected_rows() -> None:
    often = {"down": {"role": "root", "table": "down", "where": "code = 7", "count": {"min": 2}}}
    assert observed(store(down=[row(code=7), row(code=8)]), symptoms=often) == {}


def test_rows_that_differ_in_a_plain_column_are_one_observation() -> None:
    assert observed(store(down=[row(code=7), row(code=8)])) == {"down": [[0, 1]]}


def test_rows_that_differ_in_what_names_the_subject_are_told_apart() -> None:
    rule = {"subject": {"service": "down.code"}}
    assert observed(store(down=[row(code=7), row(code=8)]), **rule) == {"down": [[0], [1]]}


def test_rows_that_differ_in_a_column_of_a_join_are_told_apart_on_both_sides() -> None:
    joined = {"role": "confirms", "table": "up", "on": {"code": "down.code"}}
    facts = store(down=[row(code=7), row(code=8)], up=[row(code=8), row(code=9)])
    seen = observed(facts, symptoms={**symptoms(down="root"), "up": joined})
    assert seen == {"down": [[0], [1]], "up": [[0], [1]]}
