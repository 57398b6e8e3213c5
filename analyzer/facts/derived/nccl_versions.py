"""``nccl_versions``: NCCL version per node, beside that of the other nodes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

import polars as pl

from analyzer.facts.citations import citation
from analyzer.facts.derived._shape import shaped
from analyzer.model.tables import Column, TableSpec

_FAILURES: Final = ("nccl.mismatch", "nccl.peer_closed", "torch.distributed_error", "nccl.connect_gave_up")
NEEDS: Final = ("nccl.version", "nccl_processes", *_FAILURES)

SPEC: Final = TableSpec(
    "nccl_versions",
    "one row per node and NCCL version it stated",
    (
        Column("version", "str", "version as printed"),
        Column("nodes", "int", "nodes that state a version"),
        Column("common_version", "str", "version of most nodes; null without a majority"),
        Column("versions", "int", "different versions among the nodes"),
        Column("truncated", "bool", "ranks received messages of another size than expected"),
        Column("failed", "bool", "a communicator failed somewhere in the bundle"),
        Column("together", "bool", "the node began a communicator together with a node that states another version"),
        Column("evidence", "strs", "the node's line, then one with another version, as source:line:event"),
    ),
    snapshot=False,
)


def derive(frames: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Compare the versions that nodes state; each line counts, so the majority is one of processes.

    Args:
        frames: The events of ``NEEDS``.

    Returns:
        One row per node and version it states.
    """
    lines = frames["nccl.version"].drop_nulls("node")
    stated = lines.unique(["node", "version"], keep="first", maintain_order=True).to_dicts()
    counts = Counter(lines["version"].to_list())
    top, count = counts.most_common(1)[0] if counts else (None, 0)
    joined = _communicators(frames["nccl_processes"])
    facts: dict[str, Any] = {
        "nodes": len({row["node"] for row in stated}),
        "common_version": top if count * 2 > lines.height else None,
        "versions": len(counts),
        "truncated": frames["nccl.mismatch"].height > 0,
        "failed": any(frames[name].height for name in _FAILURES),
    }
    rows = []
    for row in stated:
        other = next((o for o in stated if o["version"] != row["version"]), None)
        places = [citation(r) for r in (row, other) if r is not None]
        rest = {o["node"] for o in stated if o["version"] != row["version"]}
        together = any(joined.get(row["node"], set()) & joined.get(node, set()) for node in rest)
        rows.append(row | facts | {"together": together, "event": None, "evidence": places})
    return shaped(pl.DataFrame(rows, infer_schema_length=None) if rows else pl.DataFrame(), SPEC)


def _communicators(processes: pl.DataFrame) -> dict[str, set[str]]:
    """Identifiers of the communicators that each node's processes began to join."""
    known = processes.drop_nulls(["node", "comm_id"]).group_by("node").agg(pl.col("comm_id").unique())
    return {node: set(ids) for node, ids in known.select("node", "comm_id").iter_rows()}
