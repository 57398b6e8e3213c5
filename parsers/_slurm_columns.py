"""Listings with a header line: columns separated by blanks, one of which may contain blanks, or by ``|``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

_NAME: Final = re.compile(r"[A-Z%][A-Z0-9_:()/%]{0,31}")
_BAR: Final = "|"


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


def _barred(text: str, required: frozenset[str]) -> Header | None:
    names = tuple(part.strip() for part in text.strip().removesuffix(_BAR).split(_BAR))
    if len(names) < 2 or not required <= set(names) or not all(_NAME.fullmatch(name) for name in names):
        return None
    return Header(names, len(names) - 1, barred=True)
