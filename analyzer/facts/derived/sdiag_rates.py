"""``sdiag_rates``: how often the controller was called, by whom and for how long, between two outputs of ``sdiag``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import polars as pl

from analyzer.facts.derived._shape import shaped
from analyzer.model.tables import Column, TableSpec

NEEDS: Final = ("sdiag_rpc",)

SPEC: Final = TableSpec(
    "sdiag_rates",
    "one row per message type or user and interval between two outputs of sdiag that count from the same moment",
    (
        Column("kind", "str", "type or user"),
        Column("name", "str", "message type or user name"),
        Column("user", "str", "user name on rows of kind user", "user"),
        Column("number", "int", "number of the message type, or uid"),
        Column("basis", "str", "difference of two outputs, or since (the first output: since its counters began)"),
        Column("from_s", "float", "begin of the interval, epoch seconds"),
        Column("to_s", "float", "end of the interval, epoch seconds"),
        Column("interval_s", "float", "length of the interval in seconds"),
        Column("calls", "int", "RPCs in the interval"),
        Column("calls_per_s", "float", "RPCs per second"),
        Column("total_us", "int", "their time, microseconds"),
        Column("ave_us", "float", "their mean time, microseconds"),
        Column("busy", "float", "their time by the length of the interval: threads kept busy on average"),
        Column("share", "float", "their part of the time of all rows of this kind in the interval, 0 to 1"),
        Column("latest", "bool", "true for the last interval"),
    ),
)

_COUNTED: Final = ("since_s", "kind", "name")


def derive(frames: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Subtract each output of ``sdiag`` from the next that counts from the same moment.

    Args:
        frames: ``sdiag_rpc`` with the place columns.

    Returns:
        One row per message type or user and interval, placed at the line of the later output. What did not yet occur
        in the earlier output counted 0 there. An output that stands twice in the bundle counts once. The first output
        of each counting period is measured from its begin.
    """
    calls = frames["sdiag_rpc"].drop_nulls(["at_s", "since_s", "count", "total_us"])
    calls = calls.unique(["at_s", *_COUNTED], keep="first", maintain_order=True).sort("at_s", maintain_order=True)
    outputs = _outputs(calls)
    return shaped(_measured(calls.join(outputs, on=["since_s", "at_s"], how="left", maintain_order="left")), SPEC)


def _outputs(calls: pl.DataFrame) -> pl.DataFrame:
    """Each output with the one before it in its counting period."""
    outputs = calls.select("since_s", "at_s").unique().sort("since_s", "at_s")
    return outputs.with_columns(
        pl.col("at_s").shift().over("since_s").alias("before_s"),
        (pl.col("at_s") == pl.col("at_s").max()).alias("latest"),
    )


def _measured(calls: pl.DataFrame) -> pl.DataFrame:
    counted = calls.with_columns(
        (pl.col("count") - pl.col("count").shift().over(_COUNTED).fill_null(0)).alias("calls"),
        (pl.col("total_us") - pl.col("total_us").shift().over(_COUNTED).fill_null(0)).alias("total_us"),
        pl.coalesce("before_s", "since_s").alias("from_s"),
        pl.when(pl.col("before_s").is_null()).then(pl.lit("since")).otherwise(pl.lit("difference")).alias("basis"),
        pl.col("at_s").alias("to_s"),
    ).filter((pl.col("calls") > 0) & (pl.col("total_us") >= 0) & (pl.col("to_s") > pl.col("from_s")))
    whole = pl.col("total_us").sum().over("since_s", "to_s", "kind")
    return counted.with_columns((pl.col("to_s") - pl.col("from_s")).alias("interval_s")).with_columns(
        (pl.col("calls") / pl.col("interval_s")).alias("calls_per_s"),
        (pl.col("total_us") / pl.col("calls")).alias("ave_us"),
        (pl.col("total_us") / 1e6 / pl.col("interval_s")).alias("busy"),
        pl.when(whole > 0).then(pl.col("total_us") / whole).alias("share"),
    )
