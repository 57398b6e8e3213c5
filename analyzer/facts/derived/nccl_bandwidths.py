"""``nccl_bandwidths``: bus bandwidth of an nccl-tests run over several nodes, beside what the adapters can carry."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import polars as pl

from analyzer.facts.derived._shape import shaped
from analyzer.model.tables import Column, TableSpec

NEEDS: Final = ("nccl_tests", "nccltests.device", "nccl.ib_devices", "nccl.ib_rate")

SPEC: Final = TableSpec(
    "nccl_bandwidths",
    "one row per reduction run over several nodes whose adapters and their rate are known: its largest message",
    (
        Column("size_bytes", "int", "message size"),
        Column("busbw_gb_s", "float", "bus bandwidth, the better of out of place and in place"),
        Column("nodes", "int", "nodes of the run"),
        Column(
            "adapters",
            "int",
            "adapters that NCCL uses on a node, the fewest of all nodes, and not more than it has ranks",
        ),
        Column("rate_gbit_s", "float", "rate of an adapter, the lowest of all"),
        Column("expected_gb_s", "float", "adapters times rate, in gigabytes a second"),
        Column("share", "float", "bus bandwidth over what is expected"),
        Column(
            "evidence", "strs", "the line of the result, of an adapter's rate and of the list, as source:line:event"
        ),
    ),
    snapshot=False,
)

_GBIT: Final = 1000
_BITS: Final = 8
_SEVERAL: Final = 2


def derive(frames: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Multiply the adapters of a node by their rate, and hold the largest message of each table against it.

    Exchanges without a reduction are left out: their bus bandwidth is that of one GPU's adapter.

    Args:
        frames: The events and the table of ``NEEDS``.

    Returns:
        One row per table of results, placed at its largest message.
    """
    ranks = frames["nccltests.device"].drop_nulls("host").group_by("host").agg(pl.col("rank").n_unique().alias("ranks"))
    nodes = ranks.height
    rates = frames["nccl.ib_rate"].drop_nulls("speed_mbit_s").sort("speed_mbit_s", maintain_order=True).to_dicts()
    count = pl.col("devices").str.count_matches(r"\[\d+\]").cast(pl.Int64).alias("adapters")
    lists = frames["nccl.ib_devices"].with_columns(count).sort("adapters", maintain_order=True).to_dicts()
    if nodes < _SEVERAL or not rates or not lists:
        return shaped(pl.DataFrame(), SPEC)
    largest = frames["nccl_tests"].filter(pl.col("largest") & (pl.col("redop").fill_null("none") != "none"))
    used = min(lists[0]["adapters"], *ranks["ranks"].to_list())
    rows = [_row(row, nodes, used, (rates[0], lists[0])) for row in largest.to_dicts() if row["busbw_gb_s"]]
    return shaped(pl.DataFrame(rows, infer_schema_length=None) if rows else pl.DataFrame(), SPEC)


def _row(
    result: Mapping[str, Any], nodes: int, adapters: int, stated: tuple[Mapping[str, Any], Mapping[str, Any]]
) -> dict[str, Any]:
    busbw = max(result["busbw_gb_s"], result["inplace_busbw_gb_s"] or 0.0)
    rate_gbit_s = stated[0]["speed_mbit_s"] / _GBIT
    expected = adapters * rate_gbit_s / _BITS
    return {
        **{name: result[name] for name in ("source", "segment", "line", "node", "size_bytes")},
        "busbw_gb_s": busbw,
        "nodes": nodes,
        "adapters": adapters,
        "rate_gbit_s": rate_gbit_s,
        "expected_gb_s": expected,
        "share": busbw / expected if expected else None,
        "evidence": [f"{row['source']}:{row['line']}:0" for row in (result, *stated)],
    }
