"""``nccl_processes``: which rank each process was, on which GPU, and how far its communicators came."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import polars as pl

from analyzer.facts.derived._shape import shaped
from analyzer.model.tables import Column, TableSpec

NEEDS: Final = ("nccl.init",)
RELATES: Final = True

SPEC: Final = TableSpec(
    "nccl_processes",
    "one row per process that joined a communicator, with its rank in the largest one",
    (
        Column("pid", "int", "process id on its node", "process"),
        Column("rank", "int", "rank in the largest communicator the process joined", "rank"),
        Column("nranks", "int", "ranks of that communicator"),
        Column("comm_id", "str", "identifier of that communicator, the same on all of its ranks"),
        Column("cuda_device", "int", "device number as the program sees it"),
        Column("bus_id", "str", "PCI address of the GPU as NCCL prints it"),
        Column("started", "int", "communicators the process began to join"),
        Column("completed", "int", "communicators the process finished joining"),
    ),
    snapshot=False,
)


def derive(frames: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Take each process' largest communicator, and count what it began and finished.

    Args:
        frames: ``nccl.init`` with the place columns.

    Returns:
        One row per node and process, placed at the line that names the rank.
    """
    init = frames["nccl.init"].filter(pl.col("pid").is_not_null())
    process = ["node", "pid"]
    largest = init.sort("nranks", descending=True, nulls_last=True, maintain_order=True).unique(
        process, keep="first", maintain_order=True
    )
    phases = init.group_by(process).agg(
        (pl.col("phase") == "START").sum().alias("started"), (pl.col("phase") == "COMPLETE").sum().alias("completed")
    )
    joined = largest.join(phases, on=process, how="left", nulls_equal=True, maintain_order="left")
    return shaped(joined.sort("source", "line"), SPEC)
