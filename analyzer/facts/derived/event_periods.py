"""``event_periods``: losses and resets of PCIe links as series, with the period that fits each series best."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
import polars as pl
from numpy.typing import NDArray

from analyzer.facts.derived._moments import MOMENT
from analyzer.facts.derived._shape import shaped
from analyzer.model.tables import Column, TableSpec

NEEDS: Final = ("aer_records", "dpc.event", "nvrm.fallen_off_bus", "pciehp.slot")

SPEC: Final = TableSpec(
    "event_periods",
    "one row per lost or reset PCIe link and series it belongs to (those of its device, of its node, of all nodes)",
    (
        Column("what", "str", "event or table that shows it"),
        Column("device", "str", "PCI address of the device or port", "slot"),
        Column("scope", "str", "device, node or all: what the series is of"),
        Column("count", "int", "occurrences in the series, those within two minutes counted once"),
        Column("nodes", "int", "nodes in the series"),
        Column("first", "time", "first occurrence"),
        Column("last", "time", "last occurrence"),
        Column("period_s", "float", "period that fits best; null for fewer than three occurrences"),
        Column("regularity", "float", "length of the mean phase vector at that period: 1 in step, near 0 at random"),
        Column("coverage", "float", "part of the periods from first to last that hold an occurrence"),
    ),
    snapshot=False,
)

_EPISODE_S: Final = 120.0
_LONGEST_S: Final = 86400.0
_MOST: Final = 400
_LEAST_COVERAGE: Final = 0.5
_AS_GOOD: Final = 0.01
"""Parts of a period fit as well as the period; among equals the longest is meant."""
_SCOPES: Final[dict[str, list[str]]] = {
    "device": ["what", "node", "device"],
    "node": ["what", "node"],
    "all": ["what"],
}

Floats = NDArray[np.float64]


def derive(frames: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Put the losses in order of time and look for a period in each series.

    Args:
        frames: The events of ``NEEDS``.

    Returns:
        One row per occurrence and scope, at the place of its line. Occurrences without a time are left out.
    """
    losses = pl.concat([_losses(name, frames[name]) for name in NEEDS], how="diagonal_relaxed")
    losses = losses.filter(~pl.col("copy")).with_columns(MOMENT).drop_nulls("t").sort("t", "source", "line")
    made = [_series(part, scope) for scope, keys in _SCOPES.items() for part in _parts(losses, scope, keys)]
    return shaped(pl.concat(made) if made else losses, SPEC)


def _losses(name: str, frame: pl.DataFrame) -> pl.DataFrame:
    kept = {
        "aer_records": pl.col("severity") != "corrected" if "severity" in frame.columns else pl.lit(value=True),
        "pciehp.slot": pl.col("change").is_in(["Link Down", "Card not present"]) if name == "pciehp.slot" else None,
    }.get(name)
    column = {"aer_records": "device", "nvrm.fallen_off_bus": "gpu"}.get(name, "port")
    chosen = frame if kept is None else frame.filter(kept)
    return chosen.with_columns(pl.lit(name).alias("what"), pl.col(column).alias("device"))


def _parts(losses: pl.DataFrame, scope: str, keys: list[str]) -> list[pl.DataFrame]:
    """Rows of each series; clocks that only count from the start of a node do not join nodes."""
    rows = losses.drop_nulls("time") if scope == "all" else losses
    return rows.partition_by(keys, maintain_order=True) if rows.height else []


def _series(rows: pl.DataFrame, scope: str) -> pl.DataFrame:
    moments = rows["t"].to_numpy()
    episodes = moments[np.concatenate(([True], np.diff(moments) > _EPISODE_S))]
    period_s, regularity, coverage = _period(episodes)
    return rows.with_columns(
        scope=pl.lit(scope),
        count=pl.lit(episodes.size),
        nodes=pl.col("node").n_unique(),
        first=pl.col("time").min(),
        last=pl.col("time").max(),
        period_s=pl.lit(period_s, dtype=pl.Float64),
        regularity=pl.lit(regularity, dtype=pl.Float64),
        coverage=pl.lit(coverage, dtype=pl.Float64),
    )


def _period(moments: Floats) -> tuple[float, float, float] | tuple[None, None, None]:
    """The period at which the phases of the moments agree best, how well they agree, and the periods that are filled.

    Periods tried are the gaps between moments up to three apart, whole and divided by up to six.
    """
    moments = moments[:_MOST]
    tried = _tried(moments)
    if moments.size < 3 or not tried.size:
        return None, None, None
    phases = np.abs(np.exp(2j * np.pi * np.outer(1 / tried, moments - moments[0])).mean(axis=1))
    cycles = np.round((moments - moments[0])[None, :] / tried[:, None])
    filled = (1 + (np.diff(cycles, axis=1) > 0).sum(axis=1)) / (cycles[:, -1] + 1)
    scores = np.where(filled >= _LEAST_COVERAGE, phases, 0)
    if not scores.any():
        return None, None, None
    best = int(np.flatnonzero(scores >= scores.max() - _AS_GOOD)[-1])
    return float(tried[best]), float(phases[best]), float(filled[best])


def _tried(moments: Floats) -> Floats:
    gaps = [moments[apart:] - moments[:-apart] for apart in (1, 2, 3) if apart < moments.size]
    if not gaps:
        return np.empty(0)
    tried = np.unique(np.round(np.concatenate([gap / parts for gap in gaps for parts in range(1, 7)]), 1))
    tried = tried[(tried > _EPISODE_S) & (tried <= _LONGEST_S)]
    step = -(-tried.size // _MOST) or 1
    return tried[::step]
