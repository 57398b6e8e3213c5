"""``nccl_nodes``: the network that NCCL chose on each node of a communicator, beside the choice of the other nodes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import polars as pl

from analyzer.facts.citations import CITATION, citation
from analyzer.facts.derived._shape import shaped
from analyzer.model.tables import Column, TableSpec

NEEDS: Final = ("nccl.network", "nccl.ib_no_device", "nccl.ib_devices", "nccl_processes")

SPEC: Final = TableSpec(
    "nccl_nodes",
    "one row per node of a communicator and network that its processes chose",
    (
        Column("comm_id", "str", "identifier of the largest communicator of the node's processes"),
        Column("network", "str", "network that NCCL uses: IB, Socket or a plugin's name"),
        Column("no_device", "bool", "NCCL found no InfiniBand or RoCE adapter on the node"),
        Column("devices", "str", "adapters as NCCL lists them"),
        Column("device_count", "int", "adapters in that list"),
        Column("nodes", "int", "nodes of the communicator whose choice is known"),
        Column("common_network", "str", "network of most other nodes of the communicator"),
        Column("same_elsewhere", "int", "other nodes with the same network"),
        Column("most_devices", "int", "longest list of adapters on any node of the communicator"),
        Column("evidence", "strs", "lines of this node, then one of another node, as source:line:event"),
    ),
    snapshot=False,
)

_CITED: Final = 2


def derive(frames: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Compare the nodes of each communicator; processes of no known communicator are taken as one.

    Args:
        frames: The events and the table of ``NEEDS``.

    Returns:
        One row per communicator, node and network, placed at the first line that states it.
    """
    comms = frames["nccl_processes"].select("node", "pid", "comm_id").unique(["node", "pid"])
    chosen = _of_processes(frames["nccl.network"], comms).filter(pl.col("node").is_not_null())
    by_node = chosen.group_by("comm_id", "node", "network", maintain_order=True).agg(
        pl.col("source", "segment", "line").first()
    )
    absent = _cited(frames["nccl.ib_no_device"], "no_device_at")
    listed = _devices(frames["nccl.ib_devices"])
    joined = by_node.join(absent, on="node", how="left", maintain_order="left").join(
        listed, on="node", how="left", maintain_order="left"
    )
    return shaped(_against_others(joined), SPEC)


def _of_processes(events: pl.DataFrame, comms: pl.DataFrame) -> pl.DataFrame:
    joined = events.join(comms, on=["node", "pid"], how="left", nulls_equal=True, maintain_order="left")
    return joined.with_columns(pl.col("comm_id").fill_null(""))


def _cited(events: pl.DataFrame, name: str) -> pl.DataFrame:
    return events.filter(pl.col("node").is_not_null()).group_by("node").agg(CITATION.first().alias(name))


def _devices(events: pl.DataFrame) -> pl.DataFrame:
    count = pl.col("devices").str.count_matches(r"\[\d+\]").cast(pl.Int64)
    known = events.filter(pl.col("node").is_not_null()).with_columns(count.alias("device_count"))
    return known.group_by("node").agg(pl.col("devices", "device_count").first(), CITATION.first().alias("listed_at"))


def _against_others(nodes: pl.DataFrame) -> pl.DataFrame:
    rows = nodes.to_dicts()
    for row in rows:
        others = [o for o in rows if o["node"] != row["node"] and _may_meet(o["comm_id"], row["comm_id"])]
        networks = [other["network"] for other in others]
        common = max(sorted(set(networks)), key=networks.count, default=None)
        witness = next((o for o in others if o["network"] == common), None)
        counts = [o["device_count"] for o in (*others, row) if o["device_count"] is not None]
        row |= {
            "nodes": len({other["node"] for other in others}) + 1,
            "common_network": common,
            "same_elsewhere": networks.count(row["network"]),
            "no_device": row["no_device_at"] is not None,
            "most_devices": max(counts, default=None),
            "evidence": _evidence(row, witness),
        }
    schema = {column.name: pl.List(pl.String) for column in SPEC.columns if column.dtype == "strs"}
    return pl.DataFrame(rows, schema_overrides=schema, infer_schema_length=None) if rows else nodes


def _may_meet(one: str, other: str) -> bool:
    """Same communicator; a node whose communicator is not known is held against all."""
    return one == other or not one or not other


def _evidence(row: Mapping[str, object], witness: Mapping[str, object] | None) -> list[str]:
    own = [row["no_device_at"], citation(row), row["listed_at"]]
    cited = [str(place) for place in own if place is not None][:_CITED]
    return [*cited, citation(witness)] if witness else cited
