"""``nccl_qp_failures``: connections that an adapter could not set up, with the rail of both ends."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import polars as pl

from analyzer.facts.derived._shape import shaped
from analyzer.model.tables import Column, TableSpec

NEEDS: Final = ("nccl.modify_qp_failed",)

SPEC: Final = TableSpec(
    "nccl_qp_failures",
    "one row per RoCE connection that failed and whose two IPv4 addresses NCCL printed",
    (
        Column("hca", "str", "adapter of this end", "port"),
        Column("errno", "int", "error number of the system"),
        Column("error_text", "str", "error as printed"),
        Column("local_address", "str", "address of this end"),
        Column("remote_address", "str", "address of the other end"),
        Column("rail", "str", "octets that all addresses of this adapter share; the first two where only one is known"),
        Column("crosses_rails", "bool", "the other end lies outside the rail of this adapter"),
    ),
    snapshot=False,
)

_MAPPED: Final = r"^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$"
_NETWORK_OCTETS: Final = 3
_FALLBACK_OCTETS: Final = 2


def derive(frames: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Tell the rail of each adapter from its addresses on all nodes, and hold the remote end against it.

    Args:
        frames: ``nccl.modify_qp_failed`` with the place columns.

    Returns:
        One row per failure with IPv4 addresses at both ends.
    """
    failed = frames["nccl.modify_qp_failed"].with_columns(
        pl.col("local_gid").str.extract(_MAPPED).alias("local_address"),
        pl.col("remote_gid").str.extract(_MAPPED).alias("remote_address"),
    )
    known = failed.drop_nulls(["local_address", "remote_address"])
    rails = _rails((row[0], row[1]) for row in known.select("hca", "local_address").iter_rows())
    named = known.with_columns(
        pl.struct("hca", "local_address")
        .map_elements(lambda row: rails[row["hca"]] or _leading(row["local_address"], _FALLBACK_OCTETS), pl.String)
        .alias("rail")
    )
    inside = pl.struct("remote_address", "rail").map_elements(
        lambda row: row["remote_address"].startswith(row["rail"] + "."), pl.Boolean
    )
    return shaped(named.with_columns((~inside).alias("crosses_rails")), SPEC)


def _rails(ends: Iterable[tuple[str | None, str]]) -> dict[str | None, str]:
    addresses: dict[str | None, set[str]] = defaultdict(set)
    for hca, address in ends:
        addresses[hca].add(address)
    return {hca: _shared(sorted(of)) for hca, of in addresses.items()}


def _shared(addresses: Sequence[str]) -> str:
    """The leading octets that several addresses share, at most a network's; empty for a single address."""
    if len(addresses) < 2:
        return ""
    shared: list[str] = []
    for octets in zip(*(address.split(".") for address in addresses), strict=True):
        if len(set(octets)) > 1 or len(shared) == _NETWORK_OCTETS:
            break
        shared.append(octets[0])
    return ".".join(shared)


def _leading(address: str, octets: int) -> str:
    return ".".join(address.split(".")[:octets])
