"""Read-only frames of one analysis: events, tables and derived tables by name, with what their columns mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl

from analyzer.facts.inventory import Inventory
from analyzer.facts.machines import Machines
from analyzer.facts.skew import Skew
from analyzer.facts.unknown_lines import UnknownLine
from analyzer.model.sources import Source
from analyzer.model.tables import PLACE, TableSpec
from analyzer.rulebook.columns import Shape, of_event, of_table
from analyzer.rulebook.expressions import POLARS
from analyzer.rulebook.schema import EventSpec, Rulebook
from analyzer.sources.parameters import parameters

Schema = dict[str, Shape]
"""What the columns of a frame hold, in order."""

COPY: Schema = {"copy": Shape("bool")}
"""The mark of rows that repeat a row of another source, between the place columns and the declared ones."""


def event_schema(spec: EventSpec) -> Schema:
    """Columns of an event's frame: the place columns, the mark of copies, the declared fields."""
    return _with_copy(of_event(spec))


def table_schema(spec: TableSpec) -> Schema:
    """Columns of a table's frame: the place columns, the mark of copies, the declared ones."""
    return _with_copy(of_table(spec))


def _with_copy(columns: Schema) -> Schema:
    names = list(columns)
    return {name: columns[name] for name in names[: len(PLACE)]} | COPY | columns


def polars_schema(schema: Schema) -> dict[str, pl.DataType | type[pl.DataType]]:
    """The polars types of a frame's columns."""
    return {name: POLARS[info.dtype] for name, info in schema.items()}


class Store:
    """All frames of one analysis.

    Attributes:
        rulebook: The rules in force.
        sources: Every input, in order; frames refer to them by index.
        inventory: Aliases and relations of parts.
        clocks: What is known of each source's clock, by source index.
        skews: How far machines' clocks are off, by node or unnamed machine.
        machines: Names whose clock a row was stamped by.
        nodes_of: Nodes that the lines of each source are of, by source index.
        seen_tables: Tables that would have rows if there were anything to show.
        unknown_lines: Kinds of error lines that nothing knows.
        families: Families of messages that the inputs may carry.
        sole_node: The only node that any input was taken on, None if there are several or none.
    """

    def __init__(
        self,
        rulebook: Rulebook,
        sources: Sequence[Source],
        frames: Mapping[str, pl.DataFrame],
        schemas: Mapping[str, Schema],
        inventory: Inventory,
        clocks: Mapping[int, dict[str, str | float | None]] | None = None,
        skews: Mapping[str, Skew] | None = None,
        machines: Machines | None = None,
        nodes_of: Mapping[int, Sequence[str]] | None = None,
        seen_tables: frozenset[str] = frozenset(),
        unknown_lines: Sequence[UnknownLine] = (),
    ) -> None:
        self.rulebook = rulebook
        self.sources = tuple(sources)
        self.inventory = inventory
        self.clocks = dict(clocks or {})
        self.skews = dict(skews or {})
        self.machines = machines or Machines(sources)
        self.nodes_of = dict(nodes_of or {})
        self.seen_tables = seen_tables
        self.unknown_lines = tuple(unknown_lines)
        self._frames = dict(frames)
        self._schemas = schemas
        nodes = {segment.node for source in sources for segment in source.segments if segment.node}
        self.sole_node = nodes.pop() if len(nodes) == 1 else None
        self.families = frozenset(family for source in sources for family in source.families)

    def names(self) -> tuple[str, ...]:
        """Names of the frames that have rows, sorted."""
        return tuple(sorted(name for name, frame in self._frames.items() if frame.height))

    def has(self, name: str) -> bool:
        """True when the frame has at least one row."""
        return name in self._frames and self._frames[name].height > 0

    def frame(self, name: str) -> pl.DataFrame:
        """A frame by event or table name; an empty typed one when nothing was found.

        Raises:
            KeyError: No event or table of that name is declared.
        """
        frame = self._frames.get(name)
        return pl.DataFrame(schema=polars_schema(self.schema(name))) if frame is None else frame

    def schema(self, name: str) -> Schema:
        """What the columns of a frame mean."""
        return self._schemas[name]

    def clock_doubt_s(self, machine: str | None) -> float:
        """How far a machine's times may be off those of other machines, beyond the uncertainty that rows carry."""
        skew = self.skews.get(machine) if machine is not None else None
        if skew is None:
            return parameters().clocks_unknown_s / 2
        return 0.0 if skew.wrong else skew.uncertainty_s

    def text_at(self, source: int, line: int | None, event: int | None) -> str:
        """Text of a line or trace event that some table holds; empty if none does."""
        place = (pl.col("source") == source) & pl.col("line").eq_missing(line) & pl.col("event").eq_missing(event)
        for frame in self._frames.values():
            found = frame.filter(place & pl.col("text").is_not_null())
            if found.height:
                return str(found["text"][0])
        return ""
