"""Lines and trace events as a derived row cites them: ``source:line:event``, 0 for the one that does not apply."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import polars as pl

Place = tuple[int, int | None, int | None]
"""Source, line, event."""

CITATION = pl.format("{}:{}:0", "source", "line")
"""Citation of the lines of an event's frame."""


def citation(row: Mapping[str, Any]) -> str:
    """Citation of one row by its place columns; a column left out does not apply."""
    return f"{row['source']}:{row.get('line') or 0}:{row.get('event') or 0}"


def citations(rows: Iterable[Mapping[str, Any]]) -> list[str]:
    """Citations of rows, each place once, in their order."""
    return list(dict.fromkeys(citation(row) for row in rows))


def place_of(text: str) -> Place:
    """The place behind a citation."""
    source, line, event = (int(number) for number in text.split(":"))
    return source, line or None, event or None
