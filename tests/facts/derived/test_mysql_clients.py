"""Who holds the connections to the accounting database."""

from __future__ import annotations

from typing import Any

import polars as pl

from analyzer.facts.derived import mysql_clients
from analyzer.facts.store import polars_schema, table_schema
from analyzer.model.tables import Row, TableSpec
from parsers import mysql_status

LIST = b"""| 1 | grafana | mon01:40000 | acct | Sleep | 30 | | NULL |
| 2 | grafana | mon01:40007 | acct | Sleep | 90 | | NULL |
| 3 | slurm | db01:50000 | acct | Query | 5 | | select 1 |
"""
LIMIT = b"| Variable_name | Value |\n| max_connections | 4 |\n"


def frame(spec: TableSpec, rows: list[Row]) -> pl.DataFrame:
    columns = polars_schema(table_schema(spec))
    records = [dict.fromkeys(columns) | {"source": 0, "line": row.line, **row.values} for row in rows]
    return pl.DataFrame(records, schema=columns)


def clients(data: bytes) -> list[tuple[Any, ...]]:
    rows = list(mysql_status.parse(data, "x").rows)
    frames = {spec.name: frame(spec, [row for row in rows if row.table == spec.name]) for spec in mysql_status.TABLES}
    found = mysql_clients.derive(frames)
    return found.select("line", "user", "client", "connections", "idle", "longest_s", "limit", "share").rows()


def test_connections_are_counted_per_user_and_host() -> None:
    assert clients(LIST + LIMIT) == [
        (1, "grafana", "mon01", 2, 2, 90, 4, 0.5),
        (3, "slurm", "db01", 1, 0, 5, 4, 0.25),
    ]


def test_without_the_limit_there_is_no_share() -> None:
    assert [row[-2:] for row in clients(LIST)] == [(None, None), (None, None)]
