"""``nvlink_bits``: the bits that are set in the registers of a fatal NVLink error (Xid 74), one row each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import polars as pl

from analyzer.facts.derived._shape import shaped
from analyzer.model.tables import Column, TableSpec

NEEDS: Final = ("nvlink.fatal_error",)

SPEC: Final = TableSpec(
    name="nvlink_bits",
    doc="One bit that is set in the registers of a fatal NVLink error (Xid 74)",
    snapshot=False,
    columns=(
        Column("gpu", "str", "PCI address of the GPU", "gpu"),
        Column("link", "int", "link of the GPU, from 0"),
        Column("register", "int", "place of the word in the line, from 1"),
        Column("bit", "int", "bit of that word, from 0"),
        Column("key", "str", "both, as the catalogue xid74_bits has them: w3b16"),
        Column("bits", "int", "bits set in all words of the line"),
    ),
)

_WORD_BITS: Final = 32
_PLACE: Final = ("source", "segment", "line", "event", "text", "node", "time", "uncertainty_s", "clock", "clock_s")


def derive(frames: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Read the words of each line and give one row per bit that is set.

    Args:
        frames: ``nvlink.fatal_error`` with the place columns.

    Returns:
        Rows with the place of their line.
    """
    words = (
        frames["nvlink.fatal_error"]
        .select(
            *_PLACE, "copy", "gpu", "link", pl.col("registers").str.extract_all(r"0[xX][0-9a-fA-F]{1,8}").alias("word")
        )
        .filter(pl.col("word").list.len() > 0)
    )
    if not words.height:
        return shaped(pl.DataFrame(), SPEC)
    numbered = (
        words.with_row_index("_row")
        .explode("word")
        .with_columns(
            register=pl.int_range(1, pl.len() + 1).over("_row"),
            value=pl.col("word").str.slice(2).str.to_integer(base=16, strict=False).cast(pl.Int64),
            bit=pl.lit(list(range(_WORD_BITS))),
        )
        .explode("bit")
    )
    power = pl.lit(2, dtype=pl.Int64).pow(pl.col("bit"))
    found = numbered.filter((pl.col("value") // power) % 2 == 1).with_columns(
        key=pl.format("w{}b{}", "register", "bit"), bits=pl.len().over("_row")
    )
    return shaped(found, SPEC)
