"""Listings with a header line: columns separated by blanks, one of which may contain blanks, or by ``|``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from analyzer.model.formats import Problem, Sniff
from parsers._slurm_text import Line, clock_line, command_line, lines

_NAME: Final = re.compile(r"[A-Z%][A-Z0-9_:()/%]{0,31}")
_BAR: Final = "|"
_EARLY_LINES: Final = 5


class Header(NamedTuple):
    """The header of a listing.

    Attributes:
        names: Column names as printed, upper case.
        free: Index of the column whose values may contain blanks; the last one if none is known to.
        barred: True where ``|`` separates the columns.
    """

    names: tuple[str, ...]
    free: int
    barred: bool = False


def header(text: str, known: frozenset[str], required: frozenset[str], free: Sequence[str]) -> Header | None:
    """Read a header line with all ``required`` names; ``free`` lists blank-bearing columns.

    Between blanks only ``known`` names make a header; between bars any names in capitals do.
    """
    if not all(name in text for name in required):
        return None
    if _BAR in text:
        return _barred(text, required)
    names = tuple(text.split())
    if not names or len(names) > len(known) or not required <= set(names) or not set(names) <= known:
        return None
    wanted = next((names.index(name) for name in free if name in names), len(names) - 1)
    return Header(names, wanted)


def cells(text: str, columns: Header) -> dict[str, str] | None:
    """Split one line under a header into its cells by name; None when it has too few.

    Without bars the words before and behind the free column are counted off; what is left belongs to that column.
    Where a name stands twice in the header its last cell counts.
    """
    if columns.barred:
        parts = [part.strip() for part in text.split(_BAR)]
        return dict(zip(columns.names, parts, strict=False)) if len(parts) >= len(columns.names) else None
    behind = len(columns.names) - columns.free - 1
    left = text.split(None, columns.free)
    if len(left) <= columns.free:
        return None
    rest = left[columns.free]
    right = rest.rsplit(None, behind) if behind else [rest]
    if len(right) <= behind:
        return None
    return dict(zip(columns.names, [*left[: columns.free], *right], strict=True))


class Listed(NamedTuple):
    """One line of a listing.

    Attributes:
        line: The line.
        header: The header above it.
        values: Its cells by column name; None when they do not fit the header.
        taken: The clock line above the header, if there is one.
        block: Which listing of the file, from 0.
    """

    line: Line
    header: Header
    values: dict[str, str] | None
    taken: str | None
    block: int


def listed(data: bytes, find: Callable[[str], Header | None]) -> Iterator[Listed]:
    """Lines under the headers of a file; a clock line or a shell prompt ends a listing.

    Args:
        data: The whole file.
        find: Reads a header line; None for any other.
    """
    columns: Header | None = None
    clock, taken, block = None, None, -1
    for line in lines(data):
        if clock_line(line.text):
            clock, columns = line.text.strip(), None
        elif (found := find(line.text)) is not None:
            columns, taken, clock, block = found, clock, None, block + 1
        elif command_line(line.text) is not None:
            clock, columns = None, None
        elif columns is not None and line.text.strip():
            yield Listed(line, columns, cells(line.text, columns), taken, block)


def misfits(numbers: Sequence[int]) -> tuple[Problem, ...]:
    """The problem of lines that do not fit their header, by line number; none if there are none."""
    return (Problem("line does not fit the columns", numbers[0], len(numbers)),) if numbers else ()


def sniff_listing(head: bytes, path: str, find: Callable[[str], Header | None], program: str) -> Sniff | None:
    """Judge the first bytes by a header line of the program, the better the earlier, and the file's name."""
    for line in lines(head):
        if find(line.text) is not None:
            early = line.number <= _EARLY_LINES
            named = program in path.rsplit("/", 1)[-1].lower()
            return Sniff(40 + 50 * early + 10 * named, f"line {line.number} is a header of {program}")
    return None


def _barred(text: str, required: frozenset[str]) -> Header | None:
    names = tuple(part.strip() for part in text.strip().removesuffix(_BAR).split(_BAR))
    if len(names) < 2 or not required <= set(names) or not all(_NAME.fullmatch(name) for name in names):
        return None
    return Header(names, len(names) - 1, barred=True)
