"""Hits and rows as typed polars frames: one per event, one per table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl

from analyzer.facts.moments import Moments
from analyzer.facts.placing import Placed
from analyzer.facts.reading import Reading
from analyzer.facts.store import COPY, Schema, polars_schema
from analyzer.facts.values import CONVERT, hosts
from analyzer.model.patterns import Hit, LinePattern
from analyzer.model.tables import MAX_TEXT, PLACE, Row
from analyzer.rulebook.schema import EventSpec

Columns = dict[str, list[Any]]


def event_frames(
    readings: Sequence[Reading],
    moments: Moments,
    patterns: Sequence[LinePattern],
    groups: Sequence[tuple[str, ...]],
    events: Mapping[str, EventSpec],
    schemas: Mapping[str, Schema],
) -> dict[str, pl.DataFrame]:
    """One frame per event that was found.

    Args:
        readings: The sources.
        moments: Node and time of every line.
        patterns: Patterns that hits refer to.
        groups: Names of each pattern's groups, in the order of captures.
        events: Declared events.
        schemas: Columns per event.
    """
    frames = _hit_frames(readings, moments, patterns, groups, events, schemas)
    for index, parts in _bulk_parts(readings).items():
        name = patterns[index].event
        made = _bulk_frame(parts, moments, events[name], schemas[name])
        frames[name] = pl.concat([frames[name], made]) if name in frames else made
    return frames


def table_frames(
    readings: Sequence[Reading], moments: Moments, schemas: Mapping[str, Schema]
) -> dict[str, pl.DataFrame]:
    """One frame per table that some dump or multi-line record filled."""
    columns: dict[str, Columns] = defaultdict(lambda: defaultdict(list))
    for reading in readings:
        for row in reading.dump.rows if reading.dump else ():
            _append_row(columns[row.table], reading, row, moments, schemas[row.table])
        for row in reading.blocks:
            _append_row(columns[row.table], reading, row, moments, schemas[row.table])
    return {name: _frame(data, schemas[name]) for name, data in columns.items()}


def _hit_frames(
    readings: Sequence[Reading],
    moments: Moments,
    patterns: Sequence[LinePattern],
    groups: Sequence[tuple[str, ...]],
    events: Mapping[str, EventSpec],
    schemas: Mapping[str, Schema],
) -> dict[str, pl.DataFrame]:
    columns: dict[str, Columns] = defaultdict(lambda: defaultdict(list))
    for reading in readings:
        for hit in _once_per_line(reading.scan.hits, patterns):
            event = patterns[hit.pattern].event
            if event in events:
                for values in _spread(_fields(hit, groups[hit.pattern], events[event]), events[event]):
                    _append(columns[event], reading, hit, moments, values, schemas[event])
    return {name: _frame(data, schemas[name]) for name, data in columns.items()}


def _once_per_line(hits: Iterable[Hit], patterns: Sequence[LinePattern]) -> Iterator[Hit]:
    """A line that several patterns of one event match is one row, by the first of them."""
    seen: dict[str, int] = {}
    for hit in hits:
        event = patterns[hit.pattern].event
        if seen.get(event) != hit.line:
            seen[event] = hit.line
            yield hit


def _bulk_parts(readings: Iterable[Reading]) -> dict[int, list[tuple[Reading, pl.DataFrame]]]:
    """Columns that the scan extracted, by pattern."""
    parts: dict[int, list[tuple[Reading, pl.DataFrame]]] = defaultdict(list)
    for reading in readings:
        for index, frame in reading.scan.bulk.items():
            if frame.height:
                parts[index].append((reading, frame))
    return parts


def _fields(hit: Hit, names: Sequence[str], spec: EventSpec) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for name, value in zip(names, hit.captures, strict=True):
        if value is not None and name in spec.fields:
            fields[name] = CONVERT[spec.fields[name].type](value.decode("utf-8", "replace").strip())
    return fields


def _spread(fields: dict[str, Any], spec: EventSpec) -> list[dict[str, Any]]:
    """One set of values per host of a host list."""
    lists = [name for name, field in spec.fields.items() if field.type == "hostlist" and fields.get(name)]
    if not lists:
        return [fields]
    name = lists[0]
    return [fields | {name: host} for host in hosts(fields[name])] or [fields]


def _append(
    columns: Columns, reading: Reading, hit: Hit, moments: Moments, values: Mapping[str, Any], schema: Schema
) -> None:
    placed = moments.of_line(reading.source.index, hit.line)
    _place(columns, reading.source.index, hit.line, None, hit.text.decode("utf-8", "replace"), placed)
    for name in list(schema)[_FIXED:]:
        columns[name].append(values.get(name))


def _append_row(columns: Columns, reading: Reading, row: Row, moments: Moments, schema: Schema) -> None:
    placed = moments.of_row(reading.source.index, row)
    _place(columns, reading.source.index, row.line or None, row.event or None, row.text[:MAX_TEXT], placed)
    for name in list(schema)[_FIXED:]:
        columns[name].append(row.values.get(name))
    if node := row.values.get("node"):
        columns["node"][-1] = moments.node_name(str(node))


_FIXED = len(PLACE) + len(COPY)
"""Columns before the declared ones."""


def _place(columns: Columns, source: int, line: int | None, event: int | None, text: str, placed: Placed) -> None:
    columns["source"].append(source)
    columns["segment"].append(placed.segment)
    columns["line"].append(line)
    columns["event"].append(event)
    columns["text"].append(text)
    columns["node"].append(placed.node)
    columns["time"].append(placed.time_us)
    columns["uncertainty_s"].append(placed.uncertainty_s)
    columns["clock"].append(placed.clock)
    columns["clock_s"].append(placed.clock_s)
    columns["copy"].append(False)


def _frame(columns: Columns, schema: Schema) -> pl.DataFrame:
    wanted = polars_schema(schema)
    raw = {name: pl.Int64 if name == "time" else dtype for name, dtype in wanted.items()}
    frame = pl.DataFrame({name: columns[name] for name in wanted}, schema=raw, strict=False)
    return frame.with_columns(pl.col("time").cast(wanted["time"]))


def _bulk_frame(
    parts: Sequence[tuple[Reading, pl.DataFrame]], moments: Moments, spec: EventSpec, schema: Schema
) -> pl.DataFrame:
    """Columns that the scan extracted, typed; a line's node is the ``writer`` it names, else that of its segment."""
    wanted = polars_schema(schema)
    whole = pl.concat([frame for _, frame in parts])
    placed = [moments.of_lines(reading.source.index, frame["line"].to_numpy()) for reading, frame in parts]
    sources = np.repeat([reading.source.index for reading, _ in parts], [frame.height for _, frame in parts])
    typed = [_typed(whole, name, spec, wanted[name]) for name in wanted if name in whole.columns]
    known = whole.select(typed).with_columns(
        pl.Series("source", sources, dtype=pl.Int64),
        pl.Series("segment", np.concatenate([p.segment for p in placed]), dtype=pl.Int64),
        _nodes(whole, pl.Series("node", [node for p in placed for node in p.node], dtype=pl.String), moments),
        pl.lit(value=False).alias("copy"),
    )
    missing = [pl.lit(None, dtype=dtype).alias(name) for name, dtype in wanted.items() if name not in known.columns]
    return known.with_columns(missing).select(list(wanted))


def _nodes(frame: pl.DataFrame, of_segments: pl.Series, moments: Moments) -> pl.Series:
    if "writer" not in frame.columns:
        return of_segments
    names = {text: moments.node_name(text) for text in frame["writer"].unique().drop_nulls()}
    stated = frame["writer"].replace_strict(names, default=None, return_dtype=pl.String)
    return stated.fill_null(of_segments).alias("node")


def _typed(frame: pl.DataFrame, name: str, spec: EventSpec, dtype: pl.DataType | type[pl.DataType]) -> pl.Expr:
    if name in spec.fields and spec.fields[name].type in ("pci", "guid", "host", "ip"):
        convert = CONVERT[spec.fields[name].type]
        distinct = frame[name].unique().drop_nulls().to_list()
        return pl.col(name).replace_strict({text: convert(text) for text in distinct}, default=None)
    return pl.col(name).cast(dtype, strict=False)
