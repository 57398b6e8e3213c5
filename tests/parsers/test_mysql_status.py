"""Status and process list of the accounting database."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.model.formats import Problem
from parsers import mysql_status

BOXED = b"""+-----------------+-------+
| Variable_name   | Value |
+-----------------+-------+
| Max_connections | 151   |
+-----------------+-------+
+----+-------+-------------+------+---------+------+-------+----------+----------+
| Id | User  | Host        | db   | Command | Time | State | Info     | Progress |
+----+-------+-------------+------+---------+------+-------+----------+----------+
|  5 | slurm | ctl01:59646 | acct | Query   |   25 | sleep | select 1 |    0.000 |
+----+-------+-------------+------+---------+------+-------+----------+----------+
"""
BARE = b"| 900 | grafana | mon01:40000 | slurm_acct_db | Sleep | 3000 | | NULL |\n"
TABBED = b"900\tgrafana\tmon01:40000\tslurm_acct_db\tSleep\t3000\t\tNULL\n"


def test_variables_and_connections() -> None:
    variable, connection = mysql_status.parse(BOXED, "mysql-status.txt").rows

    assert (variable.line, variable.values) == (4, {"name": "max_connections", "value": "151", "number": 151})
    assert (connection.line, connection.values) == (
        9,
        {
            "connection": 5,
            "user": "slurm",
            "client": "ctl01",
            "database": "acct",
            "command": "Query",
            "duration_s": 25,
            "state": "sleep",
            "query": "select 1",
        },
    )


@pytest.mark.parametrize("data", [BARE, TABBED])
def test_a_process_list_without_its_header(data: bytes) -> None:
    dump = mysql_status.parse(data, "x")

    found = [(row.line, row.values["user"], row.values["client"], row.values["command"]) for row in dump.rows]
    assert found == [(1, "grafana", "mon01", "Sleep")]


def test_only_answers_of_a_server_are_claimed() -> None:
    assert mysql_status.sniff(BOXED, "x") is not None
    assert mysql_status.sniff(BARE, "x") is not None
    assert mysql_status.sniff(b"| a | b |\n", "x") is None


def test_a_cut_line_is_a_problem() -> None:
    dump = mysql_status.parse(BOXED + b"| 7 | slurm |\n", "x")

    assert dump.problems == (Problem("line does not fit the columns", 11, 1),)


@given(st.binary(max_size=300), st.sampled_from([b"", BOXED, BARE]))
def test_any_bytes_are_read(noise: bytes, before: bytes) -> None:
    data = before + noise
    mysql_status.sniff(data, "x")
    assert all(1 <= row.line <= data.count(b"\n") + 1 for row in mysql_status.parse(data, "x").rows)
