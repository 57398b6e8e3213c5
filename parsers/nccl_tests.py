"""Result table of NVIDIA's nccl-tests (all_reduce_perf and its siblings)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from analyzer.model.formats import Format
from analyzer.model.tables import Column, Row, TableSpec
from parsers import _lines

FORMAT: Final = Format(
    name="nccl_tests",
    kind="block",
    families=frozenset({"nccl", "training"}),
    title="nccl-tests result table",
)
ANCHOR: Final = r"# +size +count +type +redop"
MAX_LINES: Final = 2_000

TABLES: Final = (
    TableSpec(
        name="nccl_tests",
        doc="One message size of an nccl-tests run. Bandwidth of small sizes says nothing about links.",
        columns=(
            Column("table_line", "int", "line of the table's header"),
            Column("size_bytes", "int", "message size"),
            Column("elements", "int", "number of elements"),
            Column("type", "str", "element type"),
            Column("redop", "str", "reduction, null where there is none"),
            Column("root", "int", "root rank, -1 or null where there is none"),
            Column("time_us", "float", "time out of place"),
            Column("algbw_gb_s", "float", "size over time, gigabytes a second, out of place"),
            Column("busbw_gb_s", "float", "bandwidth that the links had to carry, out of place"),
            Column("wrong", "int", "wrong elements out of place, null if not checked"),
            Column("inplace_time_us", "float", "time in place"),
            Column("inplace_algbw_gb_s", "float", "size over time in place"),
            Column("inplace_busbw_gb_s", "float", "bandwidth that the links had to carry, in place"),
            Column("inplace_wrong", "int", "wrong elements in place, null if not checked"),
            Column("largest", "bool", "true for the largest size of the run"),
        ),
    ),
)

_NUMBER: Final = rb"(\d{1,12}(?:\.\d{1,6})?|N/A)"
_WRONG: Final = rb"(\d{1,18}(?:\.\d{1,6})?(?:e[+-]?\d{1,4})?|N/A)"
_ROW: Final = re.compile(
    rb"(?:^|\s|:)(\d{1,18}) +(\d{1,18}) +([a-z][a-z0-9_]{1,20}) +(?:([a-z]\w{1,20}) +)?(?:(-?\d{1,9}) +)?"
    + rb" +".join((_NUMBER, _NUMBER, _NUMBER, _WRONG) * 2)
    + rb"\s{0,8}$"
)
_END: Final = re.compile(rb"# (?:Avg bus bandwidth|Out of bounds values)|# +size +count +type")
_FLOATS: Final = (
    ("time_us", 6),
    ("algbw_gb_s", 7),
    ("busbw_gb_s", 8),
    ("inplace_time_us", 10),
    ("inplace_algbw_gb_s", 11),
    ("inplace_busbw_gb_s", 12),
)


def ends(line: bytes, count: int) -> bool:
    """True at the footer, or where another table begins."""
    return count > 0 and _END.search(line) is not None


def read(lines: Sequence[bytes], first_line: int) -> Sequence[Row]:
    """Read one table; log lines between its rows are passed over."""
    found = [(offset, match) for offset, line in enumerate(lines) if (match := _ROW.search(line))]
    largest = max((int(match[1]) for _, match in found), default=0)
    return [_row(lines[offset], first_line + offset, first_line, match, largest) for offset, match in found]


def _row(line: bytes, place: int, table_line: int, match: re.Match[bytes], largest: int) -> Row:
    values: dict[str, Any] = {
        "table_line": table_line,
        "size_bytes": int(match[1]),
        "elements": int(match[2]),
        "type": match[3].decode(),
        "redop": match[4].decode() if match[4] else None,
        "root": int(match[5]) if match[5] else None,
        "wrong": _wrong(match[9]),
        "inplace_wrong": _wrong(match[13]),
        "largest": int(match[1]) == largest,
    }
    values |= {name: None if match[group] == b"N/A" else float(match[group]) for name, group in _FLOATS}
    return Row(table="nccl_tests", values=values, line=place, text=_lines.text(line))


def _wrong(printed: bytes) -> int | None:
    """Wrong elements; old versions print the largest error instead, which is no count."""
    return int(printed) if printed.isdigit() else None
