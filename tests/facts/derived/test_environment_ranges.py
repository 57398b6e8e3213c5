"""``environment_ranges``: bounds of each reading by rack."""

from __future__ import annotations

import polars as pl

from analyzer.facts.derived import environment_ranges
from analyzer.facts.store import polars_schema, table_schema
from parsers import environment


def ranges(text: str) -> pl.DataFrame:
    rows = [
        {**row.values, "source": 0, "segment": 0, "line": row.line, "text": row.text}
        for row in environment.parse(text.encode(), "x").rows
    ]
    schema = polars_schema(table_schema(environment.ENVIRONMENT))
    return environment_ranges.derive({"environment": pl.DataFrame(rows, schema=schema)})


def test_the_bounds_of_a_rack_are_cited_by_their_own_lines() -> None:
    found = ranges(
        "time,rack,inlet_c\n2026-01-01 00:00:00,R1,22\n2026-01-01 00:05:00,R1,26\n2026-01-01 00:10:00,R1,21\n"
    )
    assert found.select("bound", "line", "extreme", "median", "samples", "span_s").rows() == [
        ("high", 3, 26.0, 22.0, 3, 600.0),
        ("low", 4, 21.0, 22.0, 3, 600.0),
    ]


def test_a_single_outlier_does_not_move_the_typical_reading() -> None:
    found = ranges("rack,humidity_rh\n" + "R1,45\n" * 30 + "R1,12\n")
    low = found.filter(pl.col("bound") == "low")
    assert (low["extreme"].item(), low["typical"].item()) == (12.0, 45.0)
