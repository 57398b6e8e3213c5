"""``nvlink_rates``: error counters of NVLinks with their growth since the listing before."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import polars as pl

from analyzer.facts.derived._shape import shaped
from analyzer.model.tables import Column, TableSpec

NEEDS: Final = ("gpu_nvlinks",)

SPEC: Final = TableSpec(
    "nvlink_rates",
    "One error counter of one NVLink in one listing, beside the listing before",
    (
        Column("uuid", "str", "UUID of the GPU; null when it is masked", "gpu"),
        Column("label", "str", "index in words, e.g. GPU 3", "gpu", same_as="uuid"),
        Column("nvlink", "int", "link of the GPU, from 0"),
        Column("counter", "str", "crc, crc_flit, crc_data, replay, recovery or ecc"),
        Column("errors", "int", "total since the last reset"),
        Column("delta", "int", "growth since the listing before; null in the first, and where any total shrank"),
        Column("growth", "int", "growth from the first listing to the last, the same in each; null where delta is"),
        Column("listing", "int", "which listing of the GPU, from 0 in order of age"),
        Column("listings", "int", "listings of the GPU"),
    ),
)

_GPU: Final = ("node", "owner")
_COUNTER: Final = (*_GPU, "nvlink", "counter")


def derive(frames: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Order the listings of each GPU by their totals, which only grow, and subtract them.

    Where the larger total of one counter stands beside the smaller of another, the counters were cleared between, and
    nothing is subtracted.

    Args:
        frames: ``gpu_nvlinks`` with the place columns.

    Returns:
        One row per counter and listing.
    """
    counters = frames["gpu_nvlinks"].filter(pl.col("errors").is_not_null())
    counters = counters.with_columns(owner=pl.coalesce("uuid", "label"))
    counters = counters.with_columns(nth=pl.int_range(pl.len()).over("source", *_COUNTER))
    listings = (
        counters.group_by(*_GPU, "source", "nth", maintain_order=True)
        .agg(pl.col("errors").cast(pl.Float64).sum().alias("total"))
        .sort("total", "source", "nth", maintain_order=True)
        .with_columns(
            pl.int_range(pl.len()).over(_GPU).alias("listing"),
            pl.len().over(_GPU).alias("listings"),
        )
        .drop("total")
    )
    placed = counters.join(listings, on=(*_GPU, "source", "nth"), how="left", nulls_equal=True)
    rising = placed.sort("listing", maintain_order=True).with_columns(
        pl.col("errors").diff().over(_COUNTER).alias("delta")
    )
    cleared = (pl.col("delta") < 0).any().over(_GPU).fill_null(value=False)
    rising = rising.with_columns(delta=pl.when(~cleared).then("delta"))
    growth = pl.when(pl.col("delta").is_not_null().any().over(_COUNTER)).then(pl.col("delta").sum().over(_COUNTER))
    return shaped(rising.with_columns(growth=growth).sort("source", "line", maintain_order=True), SPEC)
