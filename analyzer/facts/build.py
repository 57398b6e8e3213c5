"""From readings to the store: segments, nodes and times first, then frames, relations and derived tables."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from analyzer.facts import derived
from analyzer.facts.alignment import aligned
from analyzer.facts.copies import marked
from analyzer.facts.frames import event_frames, table_frames
from analyzer.facts.inventory import Inventory
from analyzer.facts.moments import resolve
from analyzer.facts.reading import Reading
from analyzer.facts.relations import relate
from analyzer.facts.store import Schema, Store, event_schema, polars_schema, table_schema
from analyzer.facts.unknown_lines import unknown_lines
from analyzer.model.patterns import LinePattern
from analyzer.options import Options
from analyzer.rulebook.patterns import group_names
from analyzer.rulebook.schema import EventSpec, Rulebook
from analyzer.sources.identify import block_names, parser


def build(
    readings: Sequence[Reading], rulebook: Rulebook, patterns: Sequence[LinePattern], bundle_name: str, options: Options
) -> Store:
    """Resolve what was read into typed frames.

    Args:
        readings: Every source, read.
        rulebook: The rules in force; its events declare the event frames.
        patterns: Patterns that hits refer to, those of clock statements behind those of the rulebook.
        bundle_name: Name of the input, which may name a node.
        options: Zone and year of stamps that state none.
    """
    moments = resolve(readings, patterns, bundle_name, options)
    inventory = Inventory(moments.node_name)
    derivations = _derivations()
    schemas = Schemas(rulebook.events, readings, derivations)
    groups = [group_names(pattern.regex) for pattern in patterns]
    frames = event_frames(readings, moments, patterns, groups, rulebook.events, schemas)
    frames |= table_frames(readings, moments, schemas)
    frames, skews = aligned(frames, moments.machines, moments.steps)
    frames = marked(frames, schemas, moments.sources)
    stating = {name for name in frames if name not in rulebook.events or rulebook.events[name].relates}
    relate(inventory, frames, schemas, stating)
    made = _derived(frames, schemas, derivations)
    relate(inventory, made, schemas, {m.SPEC.name for m in derivations if getattr(m, "RELATES", False)})
    frames |= made
    return Store(
        rulebook=rulebook,
        sources=moments.sources,
        frames=frames,
        schemas=schemas,
        inventory=inventory,
        clocks=moments.clock_facts(skews),
        skews=skews,
        machines=moments.machines,
        nodes_of=moments.nodes(),
        seen_tables=_seen_tables(readings, derivations),
        unknown_lines=unknown_lines(readings),
    )


class Schemas(dict[str, Schema]):
    """Columns of every event and table; of tables that no input filled they are looked up when asked for.

    Importing every parser for its declarations would cost a start 0.1 s.
    """

    def __init__(
        self, events: Mapping[str, EventSpec], readings: Sequence[Reading], derivations: Sequence[Any]
    ) -> None:
        used = {reading.module for reading in readings if reading.module} | set(block_names())
        tables = [spec for name in sorted(used) for spec in getattr(parser(name), "TABLES", ())]
        tables += [module.SPEC for module in derivations]
        super().__init__({name: event_schema(spec) for name, spec in events.items()})
        self.update({spec.name: table_schema(spec) for spec in tables})

    def __missing__(self, name: str) -> Schema:
        """Columns of a table that no input filled.

        Raises:
            KeyError: No such table is declared.
        """
        from analyzer.rulebook.tables import declared

        schema = self[name] = table_schema(declared()[name])
        return schema


def _derivations() -> list[Any]:
    """Modules of derived tables, so that each comes after those it needs."""
    names = [module.name for module in pkgutil.iter_modules(derived.__path__) if not module.name.startswith("_")]
    modules = [importlib.import_module(f"{derived.__name__}.{name}") for name in names]
    made = {module.SPEC.name for module in modules}
    ordered: list[Any] = []
    while modules:
        ready = [m for m in modules if not set(m.NEEDS) & made - {o.SPEC.name for o in ordered}]
        ordered.extend(ready or modules)
        modules = [m for m in modules if m not in ordered]
    return ordered


def _derived(
    frames: Mapping[str, pl.DataFrame], schemas: Mapping[str, Schema], derivations: Sequence[Any]
) -> dict[str, pl.DataFrame]:
    made: dict[str, pl.DataFrame] = {}
    for module in derivations:
        if any("." in name and name not in schemas for name in module.NEEDS):
            continue
        needed = {name: made.get(name, frames.get(name)) for name in module.NEEDS}
        if all(frame is None or not frame.height for frame in needed.values()):
            continue
        given = {name: _empty(schemas[name]) if frame is None else frame for name, frame in needed.items()}
        made[module.SPEC.name] = _conformed(module.derive(given), schemas[module.SPEC.name])
    return made


def _empty(schema: Schema) -> pl.DataFrame:
    return pl.DataFrame(schema=polars_schema(schema))


def _conformed(frame: pl.DataFrame, schema: Schema) -> pl.DataFrame:
    """The declared columns in order; a place column that the derivation left out is null, ``copy`` false."""
    wanted = polars_schema(schema)
    if "copy" in frame.columns:
        frame = frame.with_columns(pl.col("copy").fill_null(value=False))
    given = frame.schema
    if all(given.get(name) == dtype for name, dtype in wanted.items()):
        return frame.select(list(wanted))
    default = {"copy": False}
    columns = [
        pl.col(name).cast(dtype) if name in given else pl.lit(default.get(name), dtype=dtype).alias(name)
        for name, dtype in wanted.items()
    ]
    return frame.select(columns)


def _seen_tables(readings: Sequence[Reading], derivations: Sequence[Any]) -> frozenset[str]:
    """Tables that would have rows if there were anything to show: a parser of theirs read some input."""
    seen: set[str] = set()
    for reading in readings:
        if reading.dump is not None and reading.module:
            seen.update(spec.name for spec in parser(reading.module).TABLES)
    for module in derivations:
        if seen & set(module.NEEDS):
            seen.add(module.SPEC.name)
    return frozenset(seen)
