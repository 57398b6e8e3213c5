"""``nvlink_records``: what the words of a fifth-generation NVLink error record say (Xid 144 to 150)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import polars as pl

from analyzer.facts.derived._shape import shaped
from analyzer.model.tables import Column, TableSpec

NEEDS: Final = ("nvlink.report",)

SPEC: Final = TableSpec(
    name="nvlink_records",
    doc="One error record of a fifth-generation NVLink, its words read (Xid 144 to 150)",
    snapshot=False,
    columns=(
        Column("gpu", "str", "PCI address of the GPU", "gpu"),
        Column("xid", "int", "144 to 150, the block that reports"),
        Column("unit", "str", "part of the block, e.g. NETIR_LINK_EVT"),
        Column("link", "int", "link of the GPU, from 0; null for the whole GPU"),
        Column("fatal", "bool", "the driver calls it fatal"),
        Column("crosses", "bool", "it reaches other GPUs' work (XC1)"),
        Column("injected", "bool", "a test put it there"),
        Column("subcode", "int", "bits 25 to 20 of the first word: why a link went down"),
        Column("unit_code_old", "int", "bits 9 to 5 of the first word: the unit, in drivers before R575"),
        Column("unit_code", "int", "bits 6 to 0 of the first word: the unit, in drivers from R575 on"),
        Column("error_status", "int", "second word"),
    ),
)


def derive(frames: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Take the words of each record apart.

    Args:
        frames: ``nvlink.report`` with the place columns.

    Returns:
        One row per record, at its line.
    """
    info, status = (
        pl.col(name).str.slice(2).str.to_integer(base=16, strict=False) for name in ("intrinfo", "errorstatus")
    )
    return shaped(
        frames["nvlink.report"].with_columns(
            link=pl.when(pl.col("link") >= 0).then(pl.col("link")),
            fatal=pl.col("severity") == "Fatal",
            crosses=pl.col("containment") == "XC1",
            injected=pl.col("injected") == 1,
            subcode=(info // 2**20) % 2**6,
            unit_code_old=(info // 2**5) % 2**5,
            unit_code=info % 2**7,
            error_status=status,
        ),
        SPEC,
    )
