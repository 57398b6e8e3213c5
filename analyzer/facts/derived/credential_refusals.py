"""``credential_refusals``: which host's message was refused, for each credential that munge refused in a Slurm log."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import polars as pl

from analyzer.facts.derived._shape import shaped
from analyzer.model.tables import Column, TableSpec

NEEDS: Final = ("slurm.credential_refused", "slurm.authentication_error")

SPEC: Final = TableSpec(
    "credential_refusals",
    "one row per credential that munge refused; the message it came with is named some lines below",
    (
        Column("error", "str", "Expired, Rewound, Replayed, Invalid or Unauthorized"),
        Column("peer", "str", "host that sent the credential", "node"),
        Column("rpc", "str", "message that carried it"),
    ),
    snapshot=False,
)

_LINES_APART: Final = 5


def derive(frames: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Find the message of each refused credential.

    Args:
        frames: The events of ``NEEDS``.

    Returns:
        One row per refusal, placed at its line.
    """
    messages = frames["slurm.authentication_error"].select("source", "line", "peer", "rpc")
    messages = messages.drop_nulls(["source", "line"]).sort("source", "line")
    refused = frames["slurm.credential_refused"].drop_nulls(["source", "line"]).sort("source", "line")
    named = refused.join_asof(
        messages, on="line", by="source", strategy="forward", tolerance=_LINES_APART, check_sortedness=False
    )
    return shaped(named, SPEC)
