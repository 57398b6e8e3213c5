"""``nccl_transfer_pairs``: nodes between which transfers were given up, and whether one node is part of every pair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

import polars as pl

from analyzer.facts.derived._shape import shaped
from analyzer.model.tables import Column, TableSpec

NEEDS: Final = ("nccl.completion", "nccl.bootstrap_interface")

SPEC: Final = TableSpec(
    "nccl_transfer_pairs",
    "one row per node between which and another one retries were exceeded (status 12)",
    (
        Column("pairs", "int", "pairs of nodes between which transfers were given up"),
        Column("involved", "int", "how many of them have this node at one end"),
        Column("common", "bool", "this node alone is an end of every pair, and there are several"),
        Column("spread", "bool", "there are several pairs, and no node is an end of all of them"),
    ),
    snapshot=False,
)

_RETRIES_EXCEEDED: Final = 12


def derive(frames: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Count pairs of reporter and peer; a peer's address is named by the node that announced it.

    Args:
        frames: The events of ``NEEDS``.

    Returns:
        One row per node of a pair, placed at the first line that tells of it.
    """
    failed = frames["nccl.completion"].filter(pl.col("status") == _RETRIES_EXCEEDED).drop_nulls(["node", "peer"])
    announced = frames["nccl.bootstrap_interface"].drop_nulls(["address", "node"])
    names = dict(announced.select("address", "node").iter_rows())
    first: dict[str, dict[str, Any]] = {}
    pairs: set[frozenset[str]] = set()
    for row in failed.to_dicts():
        ends = frozenset((row["node"], names.get(row["peer"], row["peer"])))
        if len(ends) > 1:
            pairs.add(ends)
            for end in sorted(ends):
                first.setdefault(end, row)
    ends_of = Counter(end for pair in pairs for end in pair)
    everywhere = [end for end, count in ends_of.items() if count == len(pairs)]
    rows = [
        {
            **{name: row[name] for name in ("source", "segment", "line", "time", "uncertainty_s")},
            "node": node,
            "pairs": len(pairs),
            "involved": ends_of[node],
            "common": len(pairs) > 1 and everywhere == [node],
            "spread": len(pairs) > 1 and not everywhere,
        }
        for node, row in first.items()
    ]
    return shaped(pl.DataFrame(rows, infer_schema_length=None) if rows else pl.DataFrame(), SPEC)
