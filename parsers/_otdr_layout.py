"""Columns of OTDR event tables: separated cells, fixed columns, and tables of several wavelengths side by side."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence

import msgspec

from parsers import _otdr_words as words

SEPARATORS = (";", "\t", "|", ",")
MAX_LINE = 20_000
MAX_COLUMNS = 200
_TOKEN = re.compile(r"\S+(?: \S+)*")


class View(msgspec.Struct, frozen=True):
    """One measurement per row of a table: its wavelength if the header names it, and the column of each field."""

    wavelength_nm: int | None
    columns: Mapping[str, int]


class Layout(msgspec.Struct, frozen=True):
    """A recognised header: separator (None: fixed columns), where each column ends, units, and measurements."""

    separator: str | None
    ends: tuple[int, ...]
    heads: tuple[words.Head | None, ...]
    views: tuple[View, ...]

    def has(self, field: str) -> bool:
        """True if a column of that meaning exists."""
        return any(head is not None and head.field == field for head in self.heads)


def header(line: str) -> Layout | None:
    """The layout that a header line declares; None for any other line.

    A header names a position and a loss or reflectance, and at least three things in all.
    """
    if len(line) > MAX_LINE or not any(char.isalpha() for char in line):
        return None
    for separator in (*SEPARATORS, None):
        if separator is not None and separator not in line:
            continue
        found = cells(line, separator)[:MAX_COLUMNS]
        heads = tuple(words.head(cell) for cell in found)
        fields = {head.field for head in heads if head}
        if "position" in fields and fields & {"loss", "reflectance"} and len(fields) >= 3:
            ends = tuple(match.end() for match in _TOKEN.finditer(line)) if separator is None else ()
            return Layout(separator, ends, heads, _views(heads))
    return None


def _views(heads: Sequence[words.Head | None]) -> tuple[View, ...]:
    groups: list[list[tuple[int, words.Head]]] = [[]]
    for index, head in enumerate(heads):
        if head is None:
            continue
        repeated = any(head.field == other.field for _, other in groups[-1])
        if repeated and head.field in ("number", "position") and head.wavelength_nm is None:
            groups.append([])
        groups[-1].append((index, head))
    return tuple(view for group in groups for view in _group_views(group))


def _group_views(group: Sequence[tuple[int, words.Head]]) -> list[View]:
    """One view per wavelength named in the group's headers; columns without one belong to all."""
    named = sorted({head.wavelength_nm for _, head in group if head.wavelength_nm})
    shared = {head.field: index for index, head in reversed(group) if head.wavelength_nm is None}
    if not named:
        return [View(None, shared)]
    return [View(nm, shared | {h.field: i for i, h in group if h.wavelength_nm == nm}) for nm in named]


def cells(line: str, separator: str | None) -> list[str]:
    """Cells of a line without surrounding blanks; None splits at two blanks or more."""
    if separator is None:
        return [match[0] for match in _TOKEN.finditer(line)]
    if '"' not in line:
        return [cell.strip() for cell in line.split(separator)]
    try:
        return [cell.strip() for cell in next(csv.reader([line], delimiter=separator), [])]
    except csv.Error:
        return [cell.strip().strip('"') for cell in line.split(separator)]


def row(line: str, layout: Layout) -> list[str]:
    """Cells of a table row in the layout's columns; missing ones are empty."""
    width = len(layout.heads)
    if layout.separator is not None:
        found = cells(line, layout.separator)[:width]
        return found + [""] * (width - len(found))
    return _fixed(line, layout)


def _fixed(line: str, layout: Layout) -> list[str]:
    """Cells of a line in fixed columns: each token goes to the column whose end is nearest, in order.

    A long type name pushes the rest of its line to the right, all by the same amount; the first number after the
    type tells by how much.
    """
    found = [""] * len(layout.heads)
    tokens = list(_TOKEN.finditer(line))[: len(layout.heads)]
    if not tokens:
        return found
    shift = _shift(tokens, layout)
    free = 0
    for token in tokens:
        if free >= len(found):
            break
        first = free == 0 and not words.number(token[0])
        column = 0 if first else min(range(free, len(found)), key=lambda c: abs(token.end() - shift - layout.ends[c]))
        found[column] = token[0]
        free = column + 1
    return found


def _shift(tokens: Sequence[re.Match[str]], layout: Layout) -> int:
    position = next((i for i, head in enumerate(layout.heads) if head and head.field == "position"), None)
    measured = next((token for token in tokens[1:] if words.number(token[0])), None)
    return 0 if position is None or measured is None else max(0, measured.end() - layout.ends[position])


def units(line: str, layout: Layout) -> Layout | None:
    """The layout with the units of the unit row below its header; None if the line is no unit row."""
    found = row(line, layout)
    units_of = [cell.strip("()[] ").lower() for cell in found]
    names = [name for name in units_of if name]
    known = {*words.METRES, "db", "db/km", "db/kft", "nm", "-", "#"}
    if not names or any(name not in known for name in names):
        return None
    heads = tuple(
        msgspec.structs.replace(head, unit_m=words.METRES.get(unit, head.unit_m)) if head else None
        for head, unit in zip(layout.heads, units_of, strict=True)
    )
    return msgspec.structs.replace(layout, heads=heads)
