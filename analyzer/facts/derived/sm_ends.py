"""``sm_ends``: subnet managers that ended, with what they were and whether one took over."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import polars as pl

from analyzer.facts.derived._shape import shaped
from analyzer.model.tables import PLACE, Column, TableSpec

NEEDS: Final = ("opensm.exiting", "opensm.state", "opensm.bound")

SPEC: Final = TableSpec(
    "sm_ends",
    "one row per line in which a subnet manager says that it ends",
    (
        Column("guid", "str", "GUID of the port it ran on, where its log says so", "guid"),
        Column("last_state", "str", "the last state it entered before; null where the log does not show it"),
        Column("master_later", "bool", "a subnet manager became master later, in this log or another one"),
    ),
    snapshot=False,
)

_Row = dict[str, Any]


def derive(frames: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Follow each subnet manager's log to its end.

    Args:
        frames: The events of ``NEEDS`` with the place columns.

    Returns:
        One row per end, at the place of its line. Inside one log the order of lines counts; between logs the time,
        and a master whose time is unknown counts as later.
    """
    ends = frames["opensm.exiting"].filter(~pl.col("copy")).select(column.name for column in PLACE)
    states, bound = (list(frames[name].iter_rows(named=True)) for name in ("opensm.state", "opensm.bound"))
    masters = [row for row in states if row["state"] == "MASTER"]
    rows = [
        {
            "last_state": _last(end, states, "state"),
            "guid": _last(end, bound, "guid"),
            "master_later": any(_follows(end, master) for master in masters),
        }
        for end in ends.iter_rows(named=True)
    ]
    if not rows:
        return shaped(ends.clear(), SPEC)
    return shaped(pl.concat([ends, pl.DataFrame(rows, infer_schema_length=None)], how="horizontal"), SPEC)


def _last(end: _Row, rows: list[_Row], column: str) -> str | None:
    before = [row for row in rows if row["source"] == end["source"] and row["line"] < end["line"]]
    return str(before[-1][column]) if before else None


def _follows(end: _Row, master: _Row) -> bool:
    if master["source"] == end["source"]:
        return bool(master["line"] > end["line"])
    if master["time"] is None or end["time"] is None:
        return True
    return bool(master["time"] >= end["time"])
