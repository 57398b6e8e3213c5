"""``gpu_program_faults``: faults that programs usually cause, counted per GPU, to tell the program from the GPU."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import polars as pl

from analyzer.facts.derived._shape import shaped
from analyzer.model.tables import Column, TableSpec

NEEDS: Final = ("nvrm.xid",)

SPEC: Final = TableSpec(
    "gpu_program_faults",
    "first and last fault (Xid 13 or 31) of each program on each GPU",
    (
        Column("gpu", "str", "PCI address of the GPU", "gpu"),
        Column("process", "str", "program that was running", "process"),
        Column("xid", "int", "code of the fault"),
        Column("programs", "int", "programs of different names that met such a fault on this GPU"),
        Column("elsewhere", "int", "how many of these met it on another GPU as well"),
        Column("gpus", "int", "GPUs of the node on which any program met it"),
        Column("span_s", "float", "seconds from the first to the last such fault of the GPU; null without times"),
    ),
    snapshot=False,
)

_XIDS: Final = (13, 31)
_GPU: Final = ("node", "gpu")


def derive(frames: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Count programs per GPU and GPUs per program.

    Args:
        frames: ``nvrm.xid`` with the place columns.

    Returns:
        The first and the last row of each program on each GPU, at the place of its line.
    """
    named = pl.col("process").is_not_null() & pl.col("gpu").is_not_null()
    faults = frames["nvrm.xid"].filter(~pl.col("copy") & pl.col("xid").is_in(_XIDS) & named)
    places = faults.select(*_GPU, "process").unique()
    spread = places.group_by("process").agg(pl.len().alias("places"))
    programs = places.join(spread, on="process").group_by(_GPU).agg(
        pl.len().alias("programs"), (pl.col("places") > 1).sum().alias("elsewhere")
    )  # fmt: skip
    gpus = places.group_by("node").agg(pl.col("gpu").n_unique().alias("gpus"))
    moment = pl.coalesce(pl.col("time").dt.epoch("us") / 1e6, "clock_s")
    spans = faults.group_by(_GPU).agg((moment.max() - moment.min()).alias("span_s"))
    program = (*_GPU, "process")
    ends = faults.filter(
        pl.int_range(pl.len()).over(program).eq(0) | pl.int_range(pl.len()).over(program).eq(pl.len().over(program) - 1)
    )
    for counted, keys in ((programs, _GPU), (gpus, ("node",)), (spans, _GPU)):
        ends = ends.join(counted, on=keys, how="left", nulls_equal=True, maintain_order="left")
    return shaped(ends, SPEC)
