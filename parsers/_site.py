"""What exports of building management, environment sensors and power strips have in common: columns by their words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from analyzer.model.formats import Dump, Problem, Sniff
from analyzer.model.stamps import StampKind
from analyzer.model.tables import Row
from parsers import _fabric_text, _time
from parsers._fabric_text import Line

_SEPARATORS: Final = (";", "\t", ",")
_NUMBER: Final = re.compile(r"[+-]?\d{1,12}(?:[.,]\d{1,9})?(?:[eE][+-]?\d{1,2})?")
_SPLIT: Final = re.compile(r"[^a-z0-9%\u4e00-\u9fff\u00b0]+")
_MOST_COLUMNS: Final = 200
_SNIFF_LINES: Final = 20
_MOST_ROWS: Final = 200_000


class Quantity(NamedTuple):
    """How a column is recognised.

    Attributes:
        name: Column of the table, with its unit.
        any_of: Words of which the header has at least one, or pairs of words joined by a blank.
        none_of: Words that it has not.
        scales: Factor to the table's unit by a word of the header.
    """

    name: str
    any_of: frozenset[str]
    none_of: frozenset[str] = frozenset()
    scales: Mapping[str, float] = {}


class Header(NamedTuple):
    """A header line: separator, table column by position, factor by position."""

    separator: str
    columns: Mapping[int, str]
    factors: Mapping[int, float]
    width: int
    fahrenheit: frozenset[int]
    utc: bool


def header(line: Line, names: Mapping[str, frozenset[str]], quantities: Sequence[Quantity]) -> Header | None:
    """Read a header line; None when it names no quantity.

    Args:
        line: The line.
        names: Words of the columns that say where and when.
        quantities: Quantities in the order in which they are tried.
    """
    separator = max(_SEPARATORS, key=line.text.count)
    cells = line.text.split(separator)
    if not 2 <= len(cells) <= _MOST_COLUMNS:
        return None
    columns: dict[int, str] = {}
    factors: dict[int, float] = {}
    fahrenheit: set[int] = set()
    for position, cell in enumerate(cells):
        if _NUMBER.fullmatch(cell.strip()):
            return None
        words = _words(cell)
        column, factor = _column(words, names, quantities)
        if column and column not in columns.values():
            columns[position] = column
            factors[position] = factor
            if column.endswith("_c") and words & {"f", "degf", "fahrenheit", "\u00b0f"}:
                fahrenheit.add(position)
    known = {quantity.name for quantity in quantities}
    utc = any("utc" in _words(cell) for cell in cells)
    found = any(column in known for column in columns.values())
    return Header(separator, columns, factors, len(cells), frozenset(fahrenheit), utc) if found else None


def sniff(head: bytes, find: Callable[[Line], Header | None], score: int, why: str) -> Sniff | None:
    """Claim an input whose header line is followed by a line with a number where the header promises one."""
    found: Header | None = None
    at = 0
    for line in _fabric_text.head_lines(head, _SNIFF_LINES):
        if found is None:
            found, at = find(line), line.number
        elif any(isinstance(value, float) for value in (values(found, line.text) or {}).values()):
            return _fabric_text.claim(score, why, head, at)
    return None


MakeRow = Callable[[Line, Header, dict[str, str | float], _fabric_text.Unread], Row]
"""Makes a row of a line and its values; may note values that cannot be."""


def read(data: bytes, find: Callable[[Line], Header | None], make: MakeRow) -> Dump:
    """Read an export: one row a line behind the header line.

    Args:
        data: The whole export.
        find: Reads a header line; None for any other.
        make: Makes a row.
    """
    unread = _fabric_text.Unread()
    head: Header | None = None
    rows: list[Row] = []
    left_out = 0
    for line in _fabric_text.lines(data):
        if head is None:
            head = find(line)
        elif not line.text.strip() or line.text.startswith("#"):
            continue
        elif (found := values(head, line.text)) is None:
            unread.add_unless_noise(line)
        elif len(rows) < _MOST_ROWS:
            rows.append(make(line, head, found, unread))
        else:
            left_out += 1
    cut = (Problem(f"only the first {_MOST_ROWS} readings were read", count=left_out),) if left_out else ()
    return Dump(rows, (*unread.problems(), *cut))


def values(head: Header, text: str) -> dict[str, str | float] | None:
    """Values of one line by column: numbers in the table's units, names as text; None when the columns do not fit."""
    cells = text.split(head.separator)
    if len(cells) != head.width:
        return None
    found: dict[str, str | float] = {}
    for position, column in head.columns.items():
        cell = cells[position].strip().strip('"')
        if head.factors[position] == 0.0:
            if cell:
                found[column] = cell
        elif (read := number(cell)) is not None:
            value = (read - 32.0) / 1.8 if position in head.fahrenheit else read * head.factors[position]
            found[column] = round(value, 6)
    return found


def number(text: str) -> float | None:
    """The number a cell begins with, with a decimal point or comma."""
    found = _NUMBER.match(text.strip())
    return float(found[0].replace(",", ".")) if found else None


def stamp(text: str, *, utc: bool) -> tuple[float | None, float | None]:
    """Seconds by the writer's clock as if it were UTC, and UTC seconds where the zone is known."""
    read = _time.iso(text.encode())
    if read is None:
        return None, None
    known = utc or read.stamp.kind is StampKind.UTC
    return read.stamp.seconds, read.stamp.seconds if known else None


def _column(
    words: frozenset[str], names: Mapping[str, frozenset[str]], quantities: Iterable[Quantity]
) -> tuple[str | None, float]:
    for quantity in quantities:
        if words & quantity.any_of and not words & quantity.none_of:
            factor = next((scale for word, scale in quantity.scales.items() if word in words), 1.0)
            return quantity.name, factor
    return next((name for name, known in names.items() if words & known), None), 0.0


def _words(cell: str) -> frozenset[str]:
    """Words of a header cell, and each pair of neighbours."""
    return _known_words(cell.strip().lower()[:200])


@lru_cache(maxsize=1024)
def _known_words(cell: str) -> frozenset[str]:
    words = [word for word in _SPLIT.split(cell) if word]
    return frozenset(words) | {f"{first} {second}" for first, second in pairwise(words)}
