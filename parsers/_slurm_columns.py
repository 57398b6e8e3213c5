"""Listings with a header line and blank-separated columns, one of which may contain blanks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Header(NamedTuple):
    """The header of a listing.

    Attributes:
        names: Column names as printed, upper case.
        free: Index of the column whose values may contain blanks; the last one if none is known to.
    """

    names: tuple[str, ...]
    free: int


def header(text: str, known: frozenset[str], required: frozenset[str], free: Sequence[str]) -> Header | None:
    """Read a header line: only ``known`` names, all ``required`` ones; ``free`` lists blank-bearing columns."""
    names = tuple(text.split())
    if not names or len(names) > len(known) or not required <= set(names) or not set(names) <= known:
        return None
    wanted = next((names.index(name) for name in free if name in names), len(names) - 1)
    return Header(names, wanted)


def cells(text: str, columns: Header) -> dict[str, str] | None:
    """Split one line under a header into its cells by name; None when it has too few words.

    The words before and behind the free column are counted off; what is left belongs to that column.
    """
    behind = len(columns.names) - columns.free - 1
    left = text.split(None, columns.free)
    if len(left) <= columns.free:
        return None
    rest = left[columns.free]
    right = rest.rsplit(None, behind) if behind else [rest]
    if len(right) <= behind:
        return None
    return dict(zip(columns.names, [*left[: columns.free], *right], strict=True))
