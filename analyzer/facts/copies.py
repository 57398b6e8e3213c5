"""One line seen in several logs of a node (dmesg, messages, journal) is one event: the later copies are marked."""

from __future__ import annotations

import polars as pl

from analyzer.facts.store import COPY, Schema
from analyzer.model.tables import PLACE
from analyzer.sources.parameters import parameters

_PLACE = frozenset(column.name for column in PLACE) - {"node"} | set(COPY)
"""Columns that say where and when a line stands: a copy stands elsewhere."""


def marked(frame: pl.DataFrame, schema: Schema) -> pl.DataFrame:
    """Set ``copy`` on rows that repeat a row of another source: same node, same fields, same second."""
    if frame["source"].n_unique() < 2 or not frame["time"].is_not_null().any():
        return frame
    fields = [name for name in schema if name not in _PLACE]
    second = pl.col("time").dt.epoch("s")
    numbered = frame.with_row_index("_row").sort([*fields, "time", "source"], nulls_last=True)
    slack = parameters().copy_apart_s + pl.col("uncertainty_s").fill_null(0.0)
    same = (
        pl.all_horizontal(pl.col(name).eq_missing(pl.col(name).shift()) for name in fields)
        & pl.col("node").is_not_null()
        & (second - second.shift() <= slack)
        & (pl.col("source") != pl.col("source").shift())
    )
    return numbered.with_columns(same.fill_null(value=False).alias("copy")).sort("_row").drop("_row")
