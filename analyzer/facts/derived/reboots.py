"""``reboots``: starts of a node in the middle of its log, and whether anything announced them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import polars as pl

from analyzer.facts.derived._moments import MOMENT, last_before, moments, next_after
from analyzer.facts.derived._shape import shaped
from analyzer.model.tables import Column, TableSpec

NEEDS: Final = ("kernel.boot", "kernel.shutdown", "kernel.panic", "boot.reached", "boot.unclean", "service.state")

SPEC: Final = TableSpec(
    "reboots",
    "one row per start of a node's kernel that is not the beginning of its log",
    (
        Column("lines_before", "int", "lines of the log before it"),
        Column("asked", "bool", "true where the node was told to stop since its last start, or within an hour before"),
        Column("panicked", "bool", "true where the kernel panicked since its last start, or within an hour before"),
        Column("watched", "bool", "true where the log, since its last start, holds lines of the service manager"),
        Column("unclean_s", "float", "seconds to the first sign of an unclean stop; null where there is none"),
    ),
    snapshot=False,
)

_HOUR_S: Final = 3600.0


def derive(frames: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Look back from every start to the one before.

    Args:
        frames: The events of ``NEEDS``.

    Returns:
        One row per start that earlier lines precede, at the place of its first line.
    """
    all_boots = frames["kernel.boot"].filter(~pl.col("copy"))
    boots = all_boots.with_columns(MOMENT, (pl.col("line") - 1).alias("lines_before")).sort("source", "line")
    boots = boots.with_columns(pl.col("line").shift(1).over("source").fill_null(0).alias("_from"))
    boots = boots.filter((pl.col("lines_before") > 0) & pl.col("source").is_not_null())
    for name, events in (
        ("asked", ("kernel.shutdown",)),
        ("panicked", ("kernel.panic",)),
        ("watched", ("boot.reached", "service.state", "kernel.shutdown")),
    ):
        boots = _preceded(boots, [frames[event] for event in events], name)
    marks = moments(frames["boot.unclean"])
    return shaped(next_after(boots.sort("t", nulls_last=True), marks, ["source"], "unclean_s"), SPEC)


def _preceded(boots: pl.DataFrame, events: list[pl.DataFrame], name: str) -> pl.DataFrame:
    """Add whether any of the events stands between a start and the one before, or on the node within an hour."""
    lines = pl.concat([frame.select("source", "line") for frame in events]).sort("line")
    lines = lines.with_columns(pl.col("line").alias("_at"))
    found = boots.sort("line").join_asof(lines, on="line", by="source", strategy="backward", check_sortedness=False)
    timed = last_before(found.sort("t", nulls_last=True), moments(*events), ["node"], "_ago_s")
    here = (pl.col("_at") >= pl.col("_from")).fill_null(value=False)
    nearby = (pl.col("_ago_s") <= _HOUR_S).fill_null(value=False)
    return timed.with_columns((here | nearby if name != "watched" else here).alias(name)).drop("_at", "_ago_s")
