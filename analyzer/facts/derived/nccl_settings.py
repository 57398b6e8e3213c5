"""``nccl_settings``: NCCL variables per node, beside their values on the other nodes of the communicator."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import Any, Final

import polars as pl

from analyzer.facts.citations import citation
from analyzer.facts.derived._shape import shaped
from analyzer.model.tables import Column, TableSpec

NEEDS: Final = ("nccl.env", "nccl.network", "nccl_processes")

SPEC: Final = TableSpec(
    "nccl_settings",
    "one row per node of a communicator and NCCL variable that any of its nodes read",
    (
        Column("comm_id", "str", "identifier of the largest communicator of the node's processes"),
        Column("variable", "str", "name of the variable"),
        Column("value", "str", "value on this node; null where only other nodes print the variable"),
        Column("nodes", "int", "nodes of the communicator whose settings are known"),
        Column("common_value", "str", "value on most nodes; null where most do not set it or none has a majority"),
        Column("common", "int", "nodes with the most frequent value, unset counted as a value"),
        Column("differs", "bool", "the value is not the one of the majority"),
        Column("split", "bool", "nodes differ and no value has a majority"),
        Column("evidence", "strs", "a line of this node, then one of another node, as source:line:event"),
    ),
    snapshot=False,
)

_Rows = dict[str, dict[str, Any]]
"""Node to the event's row."""


def derive(frames: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Compare variables over the nodes of each communicator; a node counts once it stated its network.

    Args:
        frames: The events and the table of ``NEEDS``.

    Returns:
        One row per communicator, variable and node.
    """
    comms = frames["nccl_processes"].select("node", "pid", "comm_id").unique(["node", "pid"])
    settings: dict[str, dict[str, _Rows]] = defaultdict(lambda: defaultdict(dict))
    for row in _of_processes(frames["nccl.env"], comms):
        settings[row["comm_id"]][row["variable"]].setdefault(row["node"], row)
    nodes: dict[str, _Rows] = defaultdict(dict)
    for row in _of_processes(frames["nccl.network"], comms):
        nodes[row["comm_id"]].setdefault(row["node"], row)
    rows = [
        row
        for comm, known in nodes.items()
        for variable, stated in settings[comm].items()
        for row in _compared(comm, variable, stated, known)
    ]
    return shaped(pl.DataFrame(rows, infer_schema_length=None) if rows else pl.DataFrame(), SPEC)


def _of_processes(events: pl.DataFrame, comms: pl.DataFrame) -> list[dict[str, Any]]:
    joined = events.join(comms, on=["node", "pid"], how="left", nulls_equal=True, maintain_order="left")
    placed = joined.filter(pl.col("node").is_not_null()).with_columns(pl.col("comm_id").fill_null(""))
    once = ["comm_id", "node", *({"variable"} & set(placed.columns))]
    return placed.unique(once, keep="first", maintain_order=True).to_dicts()


def _compared(comm: str, variable: str, stated: _Rows, known: _Rows) -> list[dict[str, Any]]:
    values = {node: stated[node]["value"] if node in stated else None for node in known}
    top, common = Counter(values.values()).most_common(1)[0]
    majority = common * 2 > len(values)
    return [
        {
            **{name: stated.get(node, row)[name] for name in ("source", "segment", "line")},
            "node": node,
            "comm_id": comm,
            "variable": variable,
            "value": values[node],
            "nodes": len(values),
            "common": common,
            "common_value": top if majority else None,
            "differs": majority and values[node] != top,
            "split": not majority,
            "evidence": _evidence(node, row, values, stated),
        }
        for node, row in known.items()
    ]


def _evidence(node: str, row: Mapping[str, Any], values: Mapping[str, str | None], stated: _Rows) -> list[str]:
    other = next((stated[name] for name, value in values.items() if value != values[node] and name in stated), None)
    return [citation(place) for place in (stated.get(node, row), other) if place is not None]
