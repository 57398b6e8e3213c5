"""Names that somebody may have meant: known ones within a few edits, or with one word more."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

_MOST_NAMES: Final = 500
_LONGEST_NAME: Final = 80


def nearest(names: Iterable[str], known: Sequence[str], edits: int) -> dict[str, str]:
    """For each name that is not known, the known one that is closest to it; names without a close one are left out.

    Args:
        names: Names as they were found; unreasonably long ones are passed over.
        known: Names that exist.
        edits: Letters that may be wrong, missing or too many. A known name that has exactly one word more
            (``NCCL_GDR_LEVEL``, ``NCCL_NET_GDR_LEVEL``) counts as close too, after those within the edits.
    """
    exist = set(known)
    asked = sorted({name for name in names if name not in exist and len(name) <= _LONGEST_NAME})[:_MOST_NAMES]
    found = {name: _closest(name, known, edits) for name in asked}
    return {name: close for name, close in found.items() if close is not None}


def _closest(name: str, known: Sequence[str], edits: int) -> str | None:
    distances = ((_distance(name, other, edits), other) for other in known if abs(len(other) - len(name)) <= edits)
    close = min((pair for pair in distances if pair[0] <= edits), default=None)
    if close is not None:
        return close[1]
    longer = [other for other in known if _lacks_one_word(name.split("_"), other.split("_"))]
    return min(longer, key=lambda other: (len(other), other), default=None)


def _lacks_one_word(words: Sequence[str], more: Sequence[str]) -> bool:
    if len(more) != len(words) + 1:
        return False
    return any([*more[:at], *more[at + 1 :]] == list(words) for at in range(len(more)))


def _distance(name: str, other: str, most: int) -> int:
    """Edits from one name to the other; more than ``most`` where it is certain to be more."""
    row = list(range(len(other) + 1))
    for at, letter in enumerate(name, start=1):
        before, row = row, [at]
        for column, target in enumerate(other, start=1):
            row.append(min(before[column] + 1, row[-1] + 1, before[column - 1] + (letter != target)))
        if min(row) > most:
            return most + 1
    return row[-1]
