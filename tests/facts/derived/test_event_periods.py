"""The period at which PCIe links are lost."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import polars as pl

from analyzer.facts.derived import event_periods
from analyzer.facts.store import polars_schema, table_schema
from analyzer.model.tables import Column, TableSpec

START = datetime(2026, 3, 2, tzinfo=UTC)
COLUMNS = {
    "aer_records": ("device", "severity"),
    "dpc.event": ("port",),
    "nvrm.fallen_off_bus": ("gpu",),
    "pciehp.slot": ("port", "change"),
}
Loss = tuple[str, str, float]
"""Node, device and seconds after the start."""


def frame(name: str, rows: Sequence[dict[str, str | datetime | int]]) -> pl.DataFrame:
    spec = TableSpec(name, "given", tuple(Column(column, "str", "given") for column in COLUMNS[name]))
    columns = polars_schema(table_schema(spec))
    place = {"source": 0, "copy": False}
    records = [dict.fromkeys(columns) | place | {"line": line} | row for line, row in enumerate(rows, 1)]
    return pl.DataFrame(records, schema=columns)


def periods(losses: Sequence[Loss], severity: str = "fatal") -> pl.DataFrame:
    rows: list[dict[str, str | datetime | int]] = [
        {"node": node, "device": device, "severity": severity, "time": START + timedelta(seconds=at_s)}
        for node, device, at_s in losses
    ]
    frames = {name: frame(name, rows if name == "aer_records" else []) for name in COLUMNS}
    return event_periods.derive(frames)


def rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)


def series(losses: Sequence[Loss], scope: str) -> tuple[int, int, float | None, float | None, float | None]:
    """Occurrences, nodes, period, regularity and coverage of the one series of a scope."""
    found = periods(losses).filter(pl.col("scope") == scope)
    row = found.row(0, named=True)
    return row["count"], row["nodes"], row["period_s"], rounded(row["regularity"]), row["coverage"]


def test_losses_in_step_have_their_interval() -> None:
    losses = [("gpu-01", "0000:3a:01.0", 1800.0 * cycle) for cycle in range(6)]

    assert series(losses, "device") == (6, 1, 1800.0, 1.0, 1.0)


def test_nodes_that_skip_cycles_share_one_interval() -> None:
    losses = [("gpu-01", "a", 0.0), ("gpu-02", "b", 1800.0), ("gpu-01", "c", 3600.0), ("gpu-03", "d", 5400.0)]

    assert series(losses, "all") == (4, 3, 1800.0, 1.0, 1.0)


def test_losses_at_random_are_not_regular() -> None:
    at = (0.0, 700.0, 4100.0, 4900.0, 11300.0, 12050.0, 20100.0)
    regularity = series([("gpu-01", "a", at_s) for at_s in at], "node")[3]

    assert regularity is not None
    assert regularity < 0.95


def test_lines_of_one_loss_count_once() -> None:
    losses = [("gpu-01", "a", base + line) for base in (0.0, 600.0, 1200.0) for line in (0.0, 0.1, 5.0)]

    assert series(losses, "device")[0] == 3


def test_two_losses_have_no_interval() -> None:
    assert series([("gpu-01", "a", 0.0), ("gpu-01", "a", 600.0)], "device") == (2, 1, None, None, None)


def test_corrected_errors_are_no_losses() -> None:
    assert periods([("gpu-01", "a", 600.0 * n) for n in range(4)], severity="corrected").height == 0
