"""``nic_rates``: counters of network adapters with their growth since the reading before."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import polars as pl

from analyzer.facts.derived._shape import shaped
from analyzer.model.tables import Column, TableSpec

NEEDS: Final = ("nic_counters",)

SPEC: Final = TableSpec(
    "nic_rates",
    "One counter of an adapter in one reading, beside the reading before",
    (
        Column("device", "str", "RDMA device or network interface; null where neither dump nor name says", "nic"),
        Column("port", "int", "port number of an RDMA device"),
        Column("counter", "str", "name as printed"),
        Column("value", "int", "total"),
        Column("delta", "int", "growth since the reading before; null in the first, and where totals contradict it"),
        Column("reading", "int", "which reading of the adapter, from 0 in order of age"),
        Column("readings", "int", "readings of the adapter"),
        Column("order", "str", "how readings were ordered: time, or growth (totals only grow) without times"),
        Column("interval_s", "float", "seconds since the reading before; null without times"),
    ),
)

_ADAPTER: Final = ("node", "device", "port")
_READING: Final = (*_ADAPTER, "source", "sample")


def derive(frames: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Order the readings of each adapter and subtract them counter by counter.

    Without times the reading with the larger sum of totals is the later one. If then any total shrank, the readings
    are of two adapters or were cleared between, and nothing is subtracted.

    Args:
        frames: ``nic_counters`` with the place columns.

    Returns:
        One row per row of ``nic_counters``.
    """
    counters = frames["nic_counters"]
    readings = _ordered(counters)
    placed = counters.join(readings, on=_READING, how="left", nulls_equal=True, maintain_order="left")
    return shaped(_grown(placed), SPEC)


def _ordered(counters: pl.DataFrame) -> pl.DataFrame:
    timed = pl.col("time").is_not_null().all().over(_ADAPTER)
    age = pl.when(timed).then(pl.col("time").dt.epoch("us").cast(pl.Float64)).otherwise(pl.col("total"))
    return (
        counters.group_by(_READING, maintain_order=True)
        .agg(pl.col("value").cast(pl.Float64).sum().alias("total"), pl.col("time").min())
        .with_columns(timed=timed, age=age)
        .sort("age", "source", "sample", maintain_order=True)
        .with_columns(
            pl.int_range(pl.len()).over(_ADAPTER).alias("reading"),
            pl.len().over(_ADAPTER).alias("readings"),
            pl.when("timed").then(pl.lit("time")).otherwise(pl.lit("growth")).alias("order"),
        )
        .drop("total", "time", "age")
    )


def _grown(counters: pl.DataFrame) -> pl.DataFrame:
    single = (*_ADAPTER, "counter")
    rising = counters.with_row_index("_row").sort("reading", maintain_order=True)
    rising = rising.with_columns(
        pl.col("value").diff().over(single).alias("delta"),
        (pl.col("time").diff().over(single).dt.total_microseconds() / 1e6).alias("interval_s"),
    )
    shrank = (pl.col("delta") < 0).any().over(_READING)
    trusted = pl.col("timed") | ~shrank.fill_null(value=False)
    return rising.with_columns(delta=pl.when(trusted).then("delta")).sort("_row")
