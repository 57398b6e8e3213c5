"""``mysql_clients``: who holds how many connections to the database server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import polars as pl

from analyzer.facts.derived._shape import shaped
from analyzer.model.tables import PLACE, Column, TableSpec

NEEDS: Final = ("mysql_processes", "mysql_variables")

SPEC: Final = TableSpec(
    "mysql_clients",
    "one row per database user and client host of one process list",
    (
        Column("user", "str", "database user", "user"),
        Column("client", "str", "host the connections come from", "node"),
        Column("connections", "int", "connections held"),
        Column("idle", "int", "of these, connections that wait for a command (Sleep)"),
        Column("longest_s", "int", "longest time that one of them has been in its state"),
        Column("all_connections", "int", "connections of everybody in the list"),
        Column("limit", "int", "max_connections of the same file, null if it is not there"),
        Column("share", "float", "connections held by the limit; 1 means all that are allowed"),
    ),
)

_CLIENT: Final = ("source", "user", "client")


def derive(frames: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Count connections per user and client and compare them with the server's limit.

    Args:
        frames: ``mysql_processes`` and ``mysql_variables`` with the place columns.

    Returns:
        One row per file, user and client, placed at the line of the first of their connections.
    """
    place = [pl.col(column.name).first() for column in PLACE if column.name != "source"]
    limits = frames["mysql_variables"].filter(pl.col("name") == "max_connections")
    limits = limits.group_by("source").agg(pl.col("number").last().alias("limit"))
    clients = (
        frames["mysql_processes"]
        .group_by(_CLIENT, maintain_order=True)
        .agg(
            *place,
            pl.len().alias("connections"),
            (pl.col("command") == "Sleep").sum().alias("idle"),
            pl.col("duration_s").max().alias("longest_s"),
            pl.lit(value=False).alias("copy"),
        )
        .join(limits, on="source", how="left", maintain_order="left")
    )
    return shaped(
        clients.with_columns(
            pl.col("connections").sum().over("source").alias("all_connections"),
            pl.when(pl.col("limit") > 0).then(pl.col("connections") / pl.col("limit")).alias("share"),
        ),
        SPEC,
    )
