"""``sm_ends``: what a subnet manager was when it ended, and whether one took over."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import polars as pl

from analyzer.facts.derived import sm_ends
from analyzer.facts.store import polars_schema, table_schema
from analyzer.model.tables import Column, TableSpec


def frame(*rows: dict[str, Any]) -> pl.DataFrame:
    spec = TableSpec("x", "x", (Column("state", "str", "x"), Column("guid", "str", "x")))
    return pl.DataFrame([{"copy": False, "segment": 0} | row for row in rows], schema=polars_schema(table_schema(spec)))


def ends(exits: list[dict[str, Any]], states: list[dict[str, Any]]) -> list[tuple[str | None, bool]]:
    frames = {"opensm.exiting": frame(*exits), "opensm.state": frame(*states), "opensm.bound": frame()}
    return [(row["last_state"], row["master_later"]) for row in sm_ends.derive(frames).to_dicts()]


def at(minute: int) -> datetime:
    return datetime(2026, 3, 14, 2, minute, tzinfo=UTC)


def test_a_master_whose_log_ends() -> None:
    exits, states = [{"source": 0, "line": 9}], [{"source": 0, "line": 2, "state": "MASTER"}]
    assert ends(exits, states) == [("MASTER", False)]


def test_a_restart_in_the_same_log_is_no_end() -> None:
    states = [{"source": 0, "line": 2, "state": "MASTER"}, {"source": 0, "line": 12, "state": "MASTER"}]
    assert ends([{"source": 0, "line": 9}], states) == [("MASTER", True)]


def test_another_one_that_takes_over_is_found_by_time() -> None:
    exits = [{"source": 0, "line": 9, "time": at(30)}]
    states = [
        {"source": 0, "line": 2, "state": "MASTER", "time": at(1)},
        {"source": 1, "line": 7, "state": "MASTER", "time": at(31)},
    ]
    assert ends(exits, states) == [("MASTER", True)]


def test_a_standby_that_was_stopped() -> None:
    assert ends([{"source": 0, "line": 9}], [{"source": 0, "line": 2, "state": "STANDBY"}]) == [("STANDBY", False)]


def test_no_ends_give_an_empty_typed_table() -> None:
    frames = {name: frame() for name in sm_ends.NEEDS}
    derived = sm_ends.derive(frames)
    assert (derived.height, dict(derived.schema)) == (0, polars_schema(table_schema(sm_ends.SPEC)))
