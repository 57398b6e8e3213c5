"""``lid_conflicts``: LIDs that one fabric scan shows on more than one node."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import polars as pl

from analyzer.facts.derived._shape import shaped
from analyzer.model.tables import Column, TableSpec

NEEDS: Final = ("ib_links",)

SPEC: Final = TableSpec(
    "lid_conflicts",
    "A port whose LID another node of the same scan holds too",
    (
        Column("lid", "int", "LID"),
        Column("port_id", "str", "<node description>/<port>", "port"),
        Column("guid_id", "str", "port GUID, of a switch port the switch's", "guid"),
        Column("host", "str", "host", "node"),
        Column("hca", "str", "adapter", "nic"),
        Column("switch", "str", "switch", "switch"),
        Column("others", "strs", "GUIDs of the other holders"),
        Column("holders", "int", "nodes that hold the LID"),
    ),
)

_FIRST_MULTICAST: Final = 0xC000
"""LIDs from here are multicast groups or the permissive LID (InfiniBand specification, LID ranges)."""


def derive(frames: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Find LIDs with several GUIDs.

    Args:
        frames: ``ib_links`` with the place columns. Only full scans are judged, as a scan covers one subnet.

    Returns:
        One row per scan, LID and GUID, cited by the first line that shows it.
    """
    ends = frames["ib_links"].filter(
        pl.col("guid_id").is_not_null()
        & pl.col("lid").is_between(1, _FIRST_MULTICAST - 1)
        & (pl.col("listing") == "full")
        & pl.col("diff").ne_missing("<")
    )
    owned = ends.unique(("source", "lid", "guid_id"), keep="first", maintain_order=True)
    holders = owned.group_by("source", "lid").agg(
        pl.col("guid_id").sort().alias("all"), pl.len().cast(pl.Int64).alias("holders")
    )
    shared = owned.join(holders.filter(pl.col("holders") > 1), on=("source", "lid"), maintain_order="left")
    others = pl.col("all").list.set_difference(pl.concat_list("guid_id")).list.sort()
    return shaped(shared.with_columns(others=others), SPEC)
