"""Columns that a symptom's frame has: those of every frame, declared fields or columns, and a catalogue's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from analyzer.model.tables import PLACE, DType, TableSpec
from analyzer.rulebook.patterns import group_names
from analyzer.rulebook.schema import EventSpec, FieldSpec

_DTYPES: dict[str, DType] = {"int": "int", "float": "float"}


class Shape(NamedTuple):
    """Data type and entity kind (empty: none) of one column."""

    dtype: DType
    entity: str = ""


Columns = Mapping[str, Shape]
_PLACE: dict[str, Shape] = {column.name: Shape(column.dtype, column.entity) for column in PLACE}


def of_event(spec: EventSpec) -> Columns:
    """Columns of an event's frame."""
    fields = complete(spec).fields
    return _PLACE | {name: Shape(_DTYPES.get(field.type, "str"), field.entity or "") for name, field in fields.items()}


def of_table(spec: TableSpec) -> Columns:
    """Columns of a table's frame."""
    return _PLACE | {column.name: Shape(column.dtype, column.entity) for column in spec.columns}


def complete(spec: EventSpec) -> EventSpec:
    """The event with every captured group among its fields; a group that is not declared is text."""
    groups = dict.fromkeys(name for line in spec.lines for name in group_names(line))
    missing = {name: FieldSpec() for name in groups if name not in spec.fields}
    if not missing:
        return spec
    return msgspec.structs.replace(spec, fields=spec.fields | missing)


def names(columns: Columns, name: str) -> bool:
    """True when ``name`` is a column, or an entity kind that some column names."""
    return name in columns or any(shape.entity == name for shape in columns.values())
