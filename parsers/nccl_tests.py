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
            Column("iteration_min_us", "float", "fastest iteration out of place, where the run timed each one"),
            Column("iteration_max_us", "float", "slowest iteration out of place"),
            Column("iteration_p99_us", "float", "99th percentile of the iterations out of place"),
            Column("iteration_cv_pct", "float", "standard deviation over mean of the iterations out of place, percent"),
            Column("inplace_iteration_min_us", "float", "fastest iteration in place"),
            Column("inplace_iteration_max_us", "float", "slowest iteration in place"),
            Column("inplace_iteration_p99_us", "float", "99th percentile of the iterations in place"),
            Column(
                "inplace_iteration_cv_pct", "float", "standard deviation over mean of the iterations in place, percent"
            ),
            Column("largest", "bool", "true for the largest size of the run"),
        ),
    ),
)

_NUMBER: Final = r"\d{1,12}(?:\.\d{1,6})?(?:e[+-]?\d{1,4})?|N/A"
_WRONG: Final = r"\d{1,18}(?:\.\d{1,6})?(?:e[+-]?\d{1,4})?|N/A"
_BANDWIDTHS: Final = ("time_us", "algbw_gb_s", "busbw_gb_s")
_ITERATIONS: Final = ("iteration_min_us", "iteration_max_us", "iteration_p99_us", "iteration_cv_pct")


def _numbers(prefix: str, names: Sequence[str]) -> str:
    return "".join(rf" +(?P<{prefix}{name}>{_NUMBER})" for name in names)


def _half(prefix: str) -> str:
    """Columns of the results out of place or in place; the times of single iterations came with version 2.19."""
    wrong = rf" +(?P<{prefix}wrong>{_WRONG})"
    return _numbers(prefix, _BANDWIDTHS) + wrong + f"(?:{_numbers(prefix, _ITERATIONS)})?"


_ROW: Final = re.compile(
    (
        r"(?:^|\s|:)(?P<size>\d{1,18}) +(?P<elements>\d{1,18}) +(?P<type>[a-z][a-z0-9_]{1,20})"
        r"(?: +(?P<redop>[a-z]\w{1,20}))?(?: +(?P<root>-?\d{1,9}))?"
        + _half("")
        + _half("inplace_")
        + r"(?: +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)?\s{0,8}$"
    ).encode()
)
_END: Final = re.compile(rb"# (?:Avg bus bandwidth|Out of bounds values)|# +size +count +type")
_FLOATS: Final = tuple(prefix + name for prefix in ("", "inplace_") for name in (*_BANDWIDTHS, *_ITERATIONS))


def ends(line: bytes, count: int) -> bool:
    """True at the footer, or where another table begins."""
    return count > 0 and _END.search(line) is not None


def read(lines: Sequence[bytes], first_line: int) -> Sequence[Row]:
    """Read one table; log lines between its rows are passed over."""
    found = [(offset, match) for offset, line in enumerate(lines) if (match := _ROW.search(line))]
    largest = max((int(match["size"]) for _, match in found), default=0)
    counts = bool(lines) and b"#wrong" in lines[0]
    return [_row(lines[offset], first_line + offset, first_line, match, (largest, counts)) for offset, match in found]


def _row(line: bytes, place: int, table_line: int, match: re.Match[bytes], run: tuple[int, bool]) -> Row:
    largest, counts = run
    values: dict[str, Any] = {
        "table_line": table_line,
        "size_bytes": int(match["size"]),
        "elements": int(match["elements"]),
        "type": match["type"].decode(),
        "redop": match["redop"].decode() if match["redop"] else None,
        "root": int(match["root"]) if match["root"] else None,
        "wrong": _wrong(match["wrong"], counts),
        "inplace_wrong": _wrong(match["inplace_wrong"], counts),
        "largest": int(match["size"]) == largest,
    }
    values |= {name: float(match[name]) for name in _FLOATS if match[name] not in (None, b"N/A")}
    return Row(table="nccl_tests", values=values, line=place, text=_lines.text(line))


def _wrong(printed: bytes, counts: bool) -> int | None:
    """Wrong elements; a million and more come with an exponent, and old versions print the largest error instead."""
    if printed.isdigit():
        return int(printed)
    return round(float(printed)) if counts and b"e+" in printed and len(printed) <= 14 else None
