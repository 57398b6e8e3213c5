"""Answers of MySQL or MariaDB: ``show variables``, ``show status``, ``show processlist``, boxed or tab-separated."""

from __future__ import annotations

import re
from typing import Any, Final

from analyzer.model.formats import Dump, Format, Problem, Sniff
from analyzer.model.tables import MAX_TEXT, Column, Row, TableSpec
from parsers._slurm_text import Line, lines, whole

FORMAT: Final = Format("mysql_status", "table", frozenset({"mysql"}), "MySQL or MariaDB status and process list")

MYSQL_VARIABLES: Final = TableSpec(
    "mysql_variables",
    "one row per variable of the database server",
    (
        Column("name", "str", "name, lower case: max_connections, max_used_connections ..."),
        Column("value", "str", "value as printed"),
        Column("number", "int", "value as a whole number, null if it is none"),
    ),
)
MYSQL_PROCESSES: Final = TableSpec(
    "mysql_processes",
    "one row per connection to the database server",
    (
        Column("connection", "int", "number of the connection"),
        Column("user", "str", "database user", "user"),
        Column("client", "str", "host the connection comes from, without port"),
        Column("database", "str", "database in use"),
        Column("command", "str", "Sleep, Query ..."),
        Column("duration_s", "int", "seconds in this state"),
        Column("state", "str", "what the server does for it"),
        Column("query", "str", "the query"),
    ),
)
TABLES: Final = (MYSQL_VARIABLES, MYSQL_PROCESSES)

_PROCESS_COLUMNS: Final = ("id", "user", "host", "db", "command", "time", "state", "info")
_VARIABLE_COLUMNS: Final = ("variable_name", "value")
_COMMANDS: Final = frozenset(
    {
        "Sleep",
        "Query",
        "Connect",
        "Daemon",
        "Execute",
        "Binlog Dump",
        "Prepare",
        "Killed",
        "Init DB",
        "Quit",
        "Statistics",
    }
)
_RULE: Final = re.compile(r"\+(?:-+\+)+$")


def sniff(head: bytes, path: str) -> Sniff | None:
    """Judge the first bytes and the path: a header of one of the three answers, or a line of a process list."""
    named = "mysql" in path.lower() or "mariadb" in path.lower()
    for line in lines(head):
        cells = _cells(line.text)
        if _columns(cells) or _is_process(cells):
            return Sniff(85 + 15 * named, f"line {line.number} is an answer of the database server")
    return None


def parse(data: bytes, path: str) -> Dump:
    """Read every answer in the file; ``path`` is not used."""
    del path
    columns: tuple[str, ...] = _PROCESS_COLUMNS
    rows: list[Row] = []
    misfits: list[int] = []
    for line in lines(data):
        cells = _cells(line.text)
        found = _columns(cells)
        if found:
            columns = found
        elif cells and columns[: len(_VARIABLE_COLUMNS)] == _VARIABLE_COLUMNS and len(cells) == len(_VARIABLE_COLUMNS):
            rows.append(_variable(cells, line))
        elif _is_process(cells):
            named = columns if columns[0] == "id" else _PROCESS_COLUMNS
            rows.append(_process(dict(zip(named, cells, strict=False)), line))
        elif cells:
            misfits.append(line.number)
    problems = (Problem("line does not fit the columns", misfits[0], len(misfits)),) if misfits else ()
    return Dump(rows, problems)


def _cells(text: str) -> list[str]:
    text = text.strip(" ")
    if text.startswith("|") and text.endswith("|") and len(text) > 1:
        return [cell.strip() for cell in text[1:-1].split("|")]
    if "\t" in text and not _RULE.match(text):
        return [cell.strip() for cell in text.split("\t")]
    return []


def _columns(cells: list[str]) -> tuple[str, ...]:
    names = tuple(cell.lower() for cell in cells)
    if names == _VARIABLE_COLUMNS or names[: len(_PROCESS_COLUMNS)] == _PROCESS_COLUMNS:
        return names
    return ()


def _is_process(cells: list[str]) -> bool:
    return len(cells) >= len(_PROCESS_COLUMNS) - 1 and whole(cells[0]) is not None and cells[4] in _COMMANDS


def _variable(cells: list[str], line: Line) -> Row:
    values = {"name": cells[0].lower(), "value": cells[1], "number": whole(cells[1])}
    return Row(MYSQL_VARIABLES.name, values, line=line.number, text=line.text[:MAX_TEXT])


def _process(cells: dict[str, str], line: Line) -> Row:
    values: dict[str, Any] = {
        "connection": whole(cells["id"]),
        "user": cells["user"],
        "client": cells["host"].rsplit(":", 1)[0],
        "database": _known(cells["db"]),
        "command": cells["command"],
        "duration_s": whole(cells["time"]),
        "state": _known(cells["state"]),
        "query": _known(cells.get("info", "")),
    }
    return Row(MYSQL_PROCESSES.name, values, line=line.number, text=line.text[:MAX_TEXT])


def _known(text: str) -> str | None:
    return None if text in ("", "NULL") else text
