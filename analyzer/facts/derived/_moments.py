"""Order and distance of log lines, on one time axis per source."""

from __future__ import annotations

import polars as pl

MOMENT = pl.coalesce(pl.col("time").dt.epoch("us").cast(pl.Float64) / 1e6, pl.col("clock_s")).alias("t")
"""Seconds on the best clock that a row has; comparable within a source."""


def moments(*frames: pl.DataFrame, keep: tuple[str, ...] = ()) -> pl.DataFrame:
    """Rows of several events in order of time, copies and rows without a time left out.

    Args:
        frames: Event frames.
        keep: Columns besides source, line, node and ``t``; null where a frame lacks one.
    """
    wanted = ("source", "line", "node", *keep)
    parts = [
        frame.filter(~pl.col("copy")).select(
            MOMENT,
            *(pl.col(name) if name in frame.columns else pl.lit(None, dtype=pl.String).alias(name) for name in wanted),
        )
        for frame in frames
    ]
    return pl.concat(parts).filter(pl.col("t").is_not_null()).sort("t", "line", maintain_order=True)


def next_after(rows: pl.DataFrame, ends: pl.DataFrame, by: list[str], name: str) -> pl.DataFrame:
    """Add the seconds from each row to the next of ``ends`` with the same ``by``, null where none follows."""
    later = ends.select(*by, "t", pl.col("t").alias("_end"))
    joined = rows.join_asof(later, on="t", by=by, strategy="forward", check_sortedness=False)
    return joined.with_columns((pl.col("_end") - pl.col("t")).alias(name)).drop("_end")


def last_before(rows: pl.DataFrame, starts: pl.DataFrame, by: list[str], name: str) -> pl.DataFrame:
    """Add the seconds from the last of ``starts`` with the same ``by`` to each row, null where none precedes."""
    earlier = starts.select(*by, "t", pl.col("t").alias("_start"))
    joined = rows.join_asof(earlier, on="t", by=by, strategy="backward", check_sortedness=False)
    return joined.with_columns((pl.col("t") - pl.col("_start")).alias(name)).drop("_start")
