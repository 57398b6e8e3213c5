"""``nccl_hca_choices``: adapters that NCCL uses on a node, beside those that ``NCCL_IB_HCA`` names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import polars as pl

from analyzer.facts.derived._shape import shaped
from analyzer.model.tables import Column, TableSpec

NEEDS: Final = ("nccl.ib_devices", "nccl.env")

SPEC: Final = TableSpec(
    "nccl_hca_choices",
    "one row per node that was told which adapters to use and lists those it uses",
    (
        Column("setting", "str", "value of NCCL_IB_HCA"),
        Column("devices", "str", "adapters in use, as NCCL lists them"),
        Column("beyond", "str", "adapters in use only because their name begins with a named one; null if none"),
        Column("evidence", "strs", "the line of the setting, then that of the list, as source:line:event"),
    ),
    snapshot=False,
)


def derive(frames: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Hold the list of each node against the names it was given; names match as prefixes unless ``=`` stands first.

    Args:
        frames: The events of ``NEEDS``.

    Returns:
        One row per node with a setting and a list.
    """
    settings = frames["nccl.env"].filter(pl.col("variable") == "NCCL_IB_HCA").drop_nulls("node")
    told = {row["node"]: row for row in reversed(settings.to_dicts())}
    listed = frames["nccl.ib_devices"].drop_nulls(["node", "devices"])
    used = {row["node"]: row for row in reversed(listed.to_dicts())}
    rows = [_row(told[node], row) for node, row in used.items() if node in told]
    return shaped(pl.DataFrame(rows, infer_schema_length=None) if rows else pl.DataFrame(), SPEC)


def _row(told: Mapping[str, Any], used: Mapping[str, Any]) -> dict[str, Any]:
    devices = [part.partition("]")[2].partition(":")[0] for part in used["devices"].split() if part.startswith("[")]
    beyond = [device for device in devices if _only_by_prefix(device, told["value"])]
    return {
        **{name: told[name] for name in ("source", "segment", "line", "node")},
        "setting": told["value"],
        "devices": used["devices"],
        "beyond": ", ".join(beyond) or None,
        "evidence": [f"{row['source']}:{row['line']}:0" for row in (told, used)],
    }


def _only_by_prefix(device: str, setting: str) -> bool:
    """True for ``mlx5_10`` where ``mlx5_1`` was named: a number is continued, which nobody means by a prefix."""
    if setting.startswith(("^", "=")):
        return False
    names = [name.partition(":")[0] for name in setting.split(",")]
    continued = any(
        name and name[-1].isdigit() and device.startswith(name) and device[len(name) :].isdigit() for name in names
    )
    meant = any(device == name or (not name[-1:].isdigit() and device.startswith(name)) for name in names)
    return continued and not meant
