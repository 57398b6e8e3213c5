"""Declared shapes of tables: what a dump or a derived view holds, with types and units."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

DType = Literal["str", "int", "float", "bool", "time", "strs"]


class Column(msgspec.Struct, frozen=True):
    """One declared column.

    Attributes:
        name: Column name; a unit ends the name (``loss_db``, ``length_m``, ``rate_gbps``).
        dtype: ``strs`` is a list of strings, ``time`` a UTC time stamp with microseconds.
        doc: What it holds, in a few words.
        entity: Entity kind named by the value (``node``, ``gpu``, ``port``, ``link``, ``fibre`` ...), if it names one.
        same_as: Another column of the row that names the same part (a GPU by UUID and by address).
    """

    name: str
    dtype: DType
    doc: str
    entity: str = ""
    same_as: str = ""


class TableSpec(msgspec.Struct, frozen=True):
    """A declared table.

    Every table also has the columns of ``PLACE`` below, filled in by the facts stage.

    Attributes:
        name: Name that rules refer to, e.g. ``ib_links``.
        doc: What one row is.
        columns: The declared columns, in order.
        snapshot: True when rows are a state at the time of the dump and have no onset.
    """

    name: str
    doc: str
    columns: tuple[Column, ...]
    snapshot: bool = True

    def names(self) -> tuple[str, ...]:
        """Names of the declared columns, in order."""
        return tuple(column.name for column in self.columns)


MAX_TEXT = 1_000
"""Characters of a line that a row keeps."""

PLACE: tuple[Column, ...] = (
    Column("source", "int", "index of the source in the bundle"),
    Column("segment", "int", "index of the segment of that source"),
    Column("line", "int", "line number, from 1; null for a trace event"),
    Column("event", "int", "number of the event in a trace file, from 1; null elsewhere"),
    Column("text", "str", f"the line as read, cut at {MAX_TEXT:,} characters"),
    Column("node", "str", "canonical node name, null if unattributed", "node"),
    Column("time", "time", "UTC time, null if unknown"),
    Column("uncertainty_s", "float", "half-width of the time's interval in seconds"),
    Column("clock", "str", "name of the clock that clock_s counts on (a node's boot)"),
    Column("clock_s", "float", "seconds on that clock, for order when the UTC time is unknown"),
)
"""Columns of every event frame and every table, before the declared ones."""


class Row(msgspec.Struct, frozen=True):
    """One row of a table as a parser found it.

    Attributes:
        table: Name of the table.
        values: Value per declared column; a column left out is null.
        line: Line number in the dump, from 1 (0 when the row is an ``event``).
        text: The line's text.
        event: Event number in a trace file, from 1; 0 elsewhere.
        node: Node this very row belongs to, when the dump names it.
        stamp_s: Epoch seconds (UTC) of this row when the dump states an absolute time.
    """

    table: str
    values: Mapping[str, Any]
    line: int = 0
    text: str = ""
    event: int = 0
    node: str | None = None
    stamp_s: float | None = None
