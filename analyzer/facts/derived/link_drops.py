"""``link_drops``: links that a node saw go down, with what came before and after."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
import polars as pl

from analyzer.facts.derived._moments import MOMENT, last_before, moments, next_after
from analyzer.facts.derived._shape import shaped
from analyzer.model.tables import Column, TableSpec

NEEDS: Final = (
    "mlx5.port_down",
    "mlx5.port_up",
    "net.carrier_lost",
    "net.carrier_gained",
    "mlx5.firmware_version",
    "kernel.boot",
    "kernel.shutdown",
)

SPEC: Final = TableSpec(
    "link_drops",
    "one row per line that says that an interface of a node lost its link",
    (
        Column("nic", "str", "PCI address of the adapter, where the line names it"),
        Column("adapter", "str", "that address, else the network interface", "nic"),
        Column("interface", "str", "network interface, else the adapter's address"),
        Column("down_s", "float", "seconds until the link was up again; null where the log does not show it"),
        Column("was_up", "bool", "true where the log shows the link up before, since the node started"),
        Column("since_boot_s", "float", "seconds since the node started; null where the log does not show the start"),
        Column("until_stop_s", "float", "seconds until the node stops or starts, or the adapter's driver starts"),
        Column("together", "int", "other interfaces of the node that lost their link within five seconds"),
    ),
    snapshot=False,
)

_TOGETHER_S: Final = 5.0
_INTERFACE: Final = ["source", "interface"]


def derive(frames: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Follow each interface through the log.

    Args:
        frames: The events of ``NEEDS``.

    Returns:
        One row per lost link, at the place of its line.
    """
    downs = pl.concat([_named(frames[name]) for name in ("mlx5.port_down", "net.carrier_lost")], how="diagonal_relaxed")
    downs = downs.filter(~pl.col("copy")).with_columns(MOMENT).sort("t", "line", nulls_last=True)
    ups = moments(*(_named(frames[name]) for name in ("mlx5.port_up", "net.carrier_gained")), keep=("interface",))
    boots = moments(frames["kernel.boot"])
    stops = moments(frames["kernel.boot"], frames["kernel.shutdown"], frames["mlx5.firmware_version"])
    placed = next_after(downs, ups, _INTERFACE, "down_s")
    placed = last_before(placed, ups, _INTERFACE, "_up_s")
    placed = last_before(placed, boots, ["source"], "since_boot_s")
    placed = next_after(placed, stops, ["source"], "until_stop_s")
    boot_s = pl.col("since_boot_s").fill_null(float("inf"))
    placed = placed.with_columns((pl.col("_up_s") <= boot_s).fill_null(value=False).alias("was_up"))
    return shaped(_with_neighbours(placed), SPEC)


def _named(frame: pl.DataFrame) -> pl.DataFrame:
    nic = pl.col("nic") if "nic" in frame.columns else pl.lit(None, dtype=pl.String).alias("nic")
    return frame.with_columns(nic).with_columns(
        pl.coalesce("netdev", "nic").alias("interface"), pl.coalesce("nic", "netdev").alias("adapter")
    )


def _with_neighbours(drops: pl.DataFrame) -> pl.DataFrame:
    """Count the interfaces of a source that dropped at about the same time."""
    parts = [_neighbours(part) for part in drops.partition_by("source", maintain_order=True)]
    return pl.concat(parts) if parts else drops.with_columns(pl.lit(0).alias("together"))


def _neighbours(part: pl.DataFrame) -> pl.DataFrame:
    times, names = part["t"].to_numpy(), part["interface"].to_list()
    first = np.searchsorted(times, times - _TOGETHER_S)
    last = np.searchsorted(times, times + _TOGETHER_S, side="right")
    near = [len({*names[a:b]}) - 1 if b > a else 0 for a, b in zip(first, last, strict=True)]
    return part.with_columns(pl.Series("together", near, dtype=pl.Int64))
