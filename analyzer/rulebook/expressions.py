"""``where`` expressions: polars SQL over one row, checked by running them on an empty typed frame."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import polars as pl

from analyzer.model.tables import DType
from analyzer.rulebook.columns import Columns

POLARS: dict[DType, pl.DataType | type[pl.DataType]] = {
    "str": pl.String,
    "int": pl.Int64,
    "float": pl.Float64,
    "bool": pl.Boolean,
    "time": pl.Datetime("us", "UTC"),
    "strs": pl.List(pl.String),
}
"""Polars type per declared type of a column."""

_QUOTED = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"")
_CALL = re.compile(r"\b([A-Za-z_][A-Za-z0-9_]*)\s*\(")
_WORD = re.compile(r"\b(?:SELECT|OVER|EXISTS|ANY|ALL)\b", re.IGNORECASE)

ROW_LOCAL = frozenset({
    "abs", "and", "array_contains", "array_length", "between", "case", "cast", "ceil", "coalesce", "concat",
    "contains", "date", "else", "ends_with", "extract", "floor", "greatest", "if", "ifnull", "ilike", "in",
    "interval", "is", "least", "left", "length", "like", "lower", "ltrim", "mod", "not", "nullif", "octet_length",
    "or", "pow", "regexp_like", "replace", "right", "round", "rtrim", "sign", "starts_with", "strpos", "substr",
    "substring", "then", "trim", "try_cast", "upper", "when",
})  # fmt: skip
"""Functions and keywords that may stand before a bracket; all look at one row only."""


def wrong(expression: str, columns: Columns, extra: Mapping[str, pl.DataType] | None = None) -> str | None:
    """Say what is wrong with a ``where`` expression; None if nothing is.

    Args:
        expression: The SQL text.
        columns: Columns of the frame.
        extra: Further columns with their polars types (those of a catalogue).
    """
    return _not_row_local(expression) or _not_boolean(expression, columns, extra or {})


def catalogue(name: str, path: str) -> pl.DataFrame:
    """A catalogue as a look-up joins it: columns are named ``<catalogue>_<column>``, the first one is the key.

    Raises:
        polars.exceptions.PolarsError: The file is no CSV.
    """
    frame = pl.read_csv(Path(path), infer_schema_length=None)
    return frame.rename({column: f"{name}_{column}" for column in frame.columns})


def _not_row_local(expression: str) -> str | None:
    bare = _QUOTED.sub("''", expression)
    word = _WORD.search(bare)
    if word:
        return f"{word[0].upper()} looks beyond the row"
    for name in _CALL.findall(bare):
        if name.lower() not in ROW_LOCAL:
            return f"function {name}() is not among the row-local ones"
    return None


def _not_boolean(expression: str, columns: Columns, extra: Mapping[str, pl.DataType]) -> str | None:
    schema = {name: POLARS[shape.dtype] for name, shape in columns.items()} | dict(extra)
    try:
        compiled = pl.sql_expr(expression)
        if not compiled.meta.root_names():
            return "no column is used"
        result = pl.LazyFrame(schema=schema).select(compiled).collect()
    except (pl.exceptions.PolarsError, TypeError, ValueError) as error:
        return str(error).strip().split("\n")[0]
    dtype = result.dtypes[0]
    return None if dtype == pl.Boolean else f"gives {dtype}, not true or false"
