"""The declared form of a derived table."""

from __future__ import annotations

import polars as pl

from analyzer.facts.store import polars_schema, table_schema
from analyzer.model.tables import TableSpec


def shaped(frame: pl.DataFrame, spec: TableSpec) -> pl.DataFrame:
    """The columns of the table in order and with their types; what the frame lacks is null.

    A frame without columns is a table without rows (nulls alone would make one).
    """
    wanted = polars_schema(table_schema(spec))
    if not frame.width:
        return pl.DataFrame(schema=wanted)
    return frame.select(
        (pl.col(name) if name in frame.columns else pl.lit(None).alias(name)).cast(dtype)
        for name, dtype in wanted.items()
    )
