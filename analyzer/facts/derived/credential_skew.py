"""``credential_skew``: how far two hosts' clocks were apart when one refused the other's munge credential."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import polars as pl

from analyzer.facts.derived._shape import shaped
from analyzer.model.tables import Column, TableSpec

NEEDS: Final = ("slurm.credential_encoded", "slurm.credential_decoded", "slurm.authentication_error")

SPEC: Final = TableSpec(
    "credential_skew",
    "one row per refused credential whose two times Slurm printed",
    (
        Column("peer", "str", "host that sent the credential", "node"),
        Column("rpc", "str", "message that carried it"),
        Column("encoded", "str", "when the sender made it, by its own clock"),
        Column("decoded", "str", "when the receiver checked it, by its own clock"),
        Column("skew_s", "float", "decoded minus encoded: positive where the sender is behind or the message was old"),
    ),
    snapshot=False,
)

_CTIME: Final = "%a %b %e %H:%M:%S %Y"
_FIRST_YEAR: Final = 1990  # munge prints 1969 or 1970 where it could not read the credential at all
_LINES_APART: Final = 3


def derive(frames: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Pair the two times, which stand on neighbouring lines, and find the sender in the message that follows.

    Args:
        frames: The events of ``NEEDS``.

    Returns:
        One row per pair, placed at the line of the sender's time.
    """
    decoded = frames["slurm.credential_decoded"].select(
        "source", (pl.col("line") - 1).alias("line"), pl.col("at").alias("decoded")
    )
    pairs = frames["slurm.credential_encoded"].rename({"at": "encoded"}).join(decoded, on=["source", "line"])
    began, ended = (pl.col(name).str.to_datetime(_CTIME, strict=False) for name in ("encoded", "decoded"))
    skews = pairs.with_columns(((ended - began).dt.total_microseconds() / 1e6).alias("skew_s")).filter(
        (began.dt.year() >= _FIRST_YEAR) & pl.col("skew_s").is_not_null()
    )
    return shaped(_with_peer(skews, frames["slurm.authentication_error"]), SPEC)


def _with_peer(skews: pl.DataFrame, refusals: pl.DataFrame) -> pl.DataFrame:
    senders = refusals.select("source", "line", "peer", "rpc").drop_nulls(["source", "line"]).sort("source", "line")
    return skews.sort("source", "line").join_asof(
        senders, on="line", by="source", strategy="forward", tolerance=_LINES_APART, check_sortedness=False
    )
