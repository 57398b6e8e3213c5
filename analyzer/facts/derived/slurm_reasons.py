"""``slurm_reasons``: the reasons for which nodes are down or drained, one part a row, with the numbers they state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import polars as pl

from analyzer.facts.derived._shape import shaped
from analyzer.model.tables import Column, TableSpec

NEEDS: Final = ("slurm_nodes",)

SPEC: Final = TableSpec(
    "slurm_reasons",
    "one row per node, listing and part of its reason; Slurm joins several parts with commas",
    (
        Column("host", "str", "the node as printed", "node"),
        Column("part", "str", "one part of the reason"),
        Column("kind", "str", "the part without the numbers it states, e.g. Low RealMemory"),
        Column("reported", "float", "what the node has, where the part states it"),
        Column("configured", "float", "what slurm.conf says, where the part states it"),
        Column("automatic", "bool", "true where Slurm set the reason itself"),
        Column("cut", "bool", "true where the command may have cut the part"),
        Column("since", "str", "when the reason was set, as printed (cluster's local time)"),
        Column("command", "str", "scontrol or sinfo"),
        Column("latest", "bool", "true where no later listing of the file gives this node's state"),
    ),
)

_COMPARISON: Final = r"\(([\d.]+) < ([\d.]+)\)|\(reported:([\d.]+) < [\d.]+% of configured:([\d.]+)\)"
_NUMBERS: Final = r" *\((?:reported:)?[\d.]+ < .*$"


def derive(frames: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Split the reasons of ``slurm_nodes`` at ``, `` and read the comparisons they state.

    Args:
        frames: ``slurm_nodes`` with the place columns.

    Returns:
        One row per part, placed at the line of the node's row. Rows of several partitions in one listing give one row.
    """
    given = frames["slurm_nodes"].drop_nulls(["reason"])
    given = given.unique(["source", "block", "host", "reason"], keep="first", maintain_order=True)
    parts = given.with_columns(pl.col("reason").str.split(", ").alias("part")).explode("part", empty_as_null=True)
    last = pl.col("part").cum_count(reverse=True).over("source", "line", "host") == 1
    return shaped(
        parts.with_columns(
            pl.col("part").str.replace(_NUMBERS, "").alias("kind"),
            _number(1, 3).alias("reported"),
            _number(2, 4).alias("configured"),
            _automatic().alias("automatic"),
            (pl.col("reason_cut") & last).alias("cut"),
            pl.col("reason_time").alias("since"),
        ),
        SPEC,
    )


def _automatic() -> pl.Expr:
    """Slurm's own reasons are the controller's, but slurmd sets this one as root."""
    by_node_daemon = (pl.col("reason_user") == "root") & (pl.col("part") == "Kill task failed")
    return (pl.col("reason_user") == "slurm") | by_node_daemon


def _number(plain: int, worded: int) -> pl.Expr:
    found = pl.coalesce(pl.col("part").str.extract(_COMPARISON, plain), pl.col("part").str.extract(_COMPARISON, worded))
    return found.cast(pl.Float64, strict=False)
