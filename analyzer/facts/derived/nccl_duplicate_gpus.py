"""``nccl_duplicate_gpus``: pairs of ranks that NCCL takes for users of one GPU, with the hosts they run on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import polars as pl

from analyzer.facts.derived._shape import shaped
from analyzer.model.tables import Column, TableSpec

NEEDS: Final = ("nccl.duplicate_gpu", "nccl_processes")

SPEC: Final = TableSpec(
    "nccl_duplicate_gpus",
    "one row per statement that two ranks use one GPU, where the hosts of both ranks are known",
    (
        Column("rank", "int", "rank named first", "rank"),
        Column("other_rank", "int", "rank named second", "rank"),
        Column("bus_id", "str", "PCI address of the GPU as NCCL prints it"),
        Column("host", "str", "host of the rank named first", "node"),
        Column("other_host", "str", "host of the rank named second", "node"),
        Column("different_hosts", "bool", "the ranks run on different hosts, by the names in their own lines"),
    ),
    snapshot=False,
)


def derive(frames: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Join both ranks with the node of their process.

    Args:
        frames: The event and the table of ``NEEDS``.

    Returns:
        One row per statement whose two ranks have a known host.
    """
    hosts = frames["nccl_processes"].drop_nulls(["rank", "node"]).unique("rank", keep="first", maintain_order=True)
    known = {int(rank): node for rank, node in hosts.select("rank", "node").iter_rows()}
    stated = frames["nccl.duplicate_gpu"].drop_nulls(["rank", "other_rank"])
    named = stated.with_columns(
        pl.col("rank").replace_strict(known, default=None, return_dtype=pl.String).alias("host"),
        pl.col("other_rank").replace_strict(known, default=None, return_dtype=pl.String).alias("other_host"),
    ).drop_nulls(["host", "other_host"])
    return shaped(named.with_columns((pl.col("host") != pl.col("other_host")).alias("different_hosts")), SPEC)
