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
    """What one column holds: its type, the entity kind it names, and the column that names the same part."""

    dtype: DType
    entity: str = ""
    same_as: str = ""


Columns = Mapping[str, Shape]
_PLACE: dict[str, Shape] = {column.name: Shape(column.dtype, column.entity) for column in PLACE}


def of_event(spec: EventSpec) -> dict[str, Shape]:
    """Columns of an event's frame: the place columns, then the declared fields."""
    fields = {
        name: Shape(_DTYPES.get(field.type, "str"), field.entity or "", field.same_as or "")
        for name, field in spec.fields.items()
    }
    return _PLACE | fields


def of_table(spec: TableSpec) -> dict[str, Shape]:
    """Columns of a table's frame: the place columns, then the declared ones."""
    return _PLACE | {column.name: Shape(column.dtype, column.entity, column.same_as) for column in spec.columns}


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
