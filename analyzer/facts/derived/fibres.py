"""One row per measured fibre: its ends, sums of losses, and what the measurements have in common with others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from analyzer.facts.citations import citations
from analyzer.facts.derived import _fibre_columns as columns
from analyzer.facts.derived._fibre_runs import Fibre, Run, Values, fibres, rows
from analyzer.facts.store import polars_schema, table_schema
from analyzer.model.tables import PLACE, Column, TableSpec

SPEC = TableSpec(
    "fibres",
    "One measured fibre as a whole.",
    (
        *columns.FIBRE,
        *(
            Column(f"total_{nm}_db", "float", f"sum of event losses and attenuation at {nm} nm")
            for nm in columns.WAVELENGTHS
        ),
        Column("totals", "str", "the sums in words"),
        Column("stated_total_db", "float", "largest total loss that a trace states"),
        Column("orl_db", "float", "lowest return loss that a trace states"),
        Column("first_loss_db", "float", "loss at the instrument's port; null if the trace has no event there"),
        Column("first_reflectance_db", "float", "strongest reflectance at the instrument's port"),
        Column("events", "int", "events of all its counted traces"),
        Column("complete", "bool", "no trace file of it is cut or broken"),
        Column("samples", "int", "samples of its largest trace; null for reports"),
        Column("taken_s", "float", "earliest time of its traces in Unix seconds"),
        Column("twins", "strs", "other fibres with a bit-identical trace"),
        Column("comment", "str", "comment of the operator"),
        Column("evidence", "strs", "end and start events and the schedule's row, as source:line:event"),
    ),
)
NEEDS = ("otdr_events", "otdr_traces", "cable_schedule")


def derive(frames: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Build the table from ``otdr_events``, ``otdr_traces`` and, for design lengths and ports, ``cable_schedule``."""
    copies = _copies(rows(frames, "otdr_traces"))
    found = [_row(fibre, copies) for fibre in fibres(frames)]
    return pl.DataFrame(found, schema=polars_schema(table_schema(SPEC)), orient="row")


def _copies(traces: Sequence[Values]) -> dict[str, set[str]]:
    """Fibres per digest of samples."""
    found: dict[str, set[str]] = defaultdict(set)
    for trace in traces:
        if trace["trace_digest"]:
            found[trace["trace_digest"]].add(trace["fibre"])
    return found


def _row(fibre: Fibre, copies: Mapping[str, set[str]]) -> dict[str, Any]:
    first = fibre.runs[0].trace
    starts = [point.row for run in fibre.runs for point in run.points if point.row["is_start"]]
    totals = [run.trace["total_loss_db"] for run in fibre.runs if run.trace["total_loss_db"] is not None]
    returns = [run.trace["orl_db"] for run in fibre.runs if run.trace["orl_db"] is not None]
    digests = [run.trace["trace_digest"] for run in fibre.runs if run.trace["trace_digest"]]
    sums = {nm: _total(fibre, nm) for nm in columns.WAVELENGTHS}
    return {
        **{column.name: first[column.name] for column in PLACE},
        **columns.fibre_values(fibre),
        **{f"total_{nm}_db": total for nm, total in sums.items()},
        "totals": columns.in_words(sums, "dB"),
        "stated_total_db": max(totals, default=None),
        "orl_db": min(returns, default=None),
        "first_loss_db": max((row["loss_db"] for row in starts if row["loss_db"] is not None), default=None),
        "first_reflectance_db": max(
            (row["reflectance_db"] for row in starts if row["reflectance_db"] is not None), default=None
        ),
        "events": sum(len(run.points) for run in fibre.runs),
        "complete": all(run.trace["complete"] for run in fibre.runs),
        "samples": max((run.trace["samples"] for run in fibre.runs if run.trace["samples"]), default=None),
        "taken_s": min((run.trace["taken_s"] for run in fibre.runs if run.trace["taken_s"]), default=None),
        "twins": sorted({name for digest in digests for name in copies[digest]} - {fibre.key}),
        "comment": fibre.first("comment"),
        "evidence": _evidence(fibre, starts),
    }


def _total(fibre: Fibre, wavelength_nm: int) -> float | None:
    """Events and attenuation from the first connector to the end; the mean of both directions."""
    sums = [_run_total(run) for run in fibre.runs if run.wavelength_nm == wavelength_nm]
    known = [total for total in sums if total is not None]
    return round(sum(known) / len(known), 3) if known else None


def _run_total(run: Run) -> float | None:
    if not run.trace["has_end_event"] or run.end_m is None:
        return None
    total, last_m = 0.0, 0.0
    for row in sorted((point.row for point in run.points), key=lambda row: float(row["position_m"])):
        at_m = row["position_m"] - run.origin_m
        if at_m < -run.tolerance_m(at_m) or at_m > run.end_m + run.tolerance_m(at_m):
            continue
        total += (row["slope_db_km"] or 0.0) * max(0.0, at_m - last_m) / 1000
        total += 0.0 if row["is_end"] else (row["loss_db"] or 0.0)
        last_m = max(last_m, at_m)
    return total


def _evidence(fibre: Fibre, starts: Sequence[Values]) -> list[str]:
    ends = [point.row for run in fibre.runs for point in run.points if point.row["is_end"]]
    found: list[Values] = [*(ends or [run.points[-1].row for run in fibre.runs if run.points]), *starts]
    if fibre.schedule is not None:
        found.append(fibre.schedule)
    return citations(found)
