"""The window that was asked about: stated, or that of a job."""

from __future__ import annotations

import polars as pl

from analyzer.diagnose.incident import Asked, iso
from analyzer.facts.store import Store
from analyzer.options import Options
from analyzer.sources.parameters import parameters


def asked(store: Store, options: Options) -> Asked:
    """The window in force.

    ``--since`` and ``--until`` win. For a job it reaches from its first to its last line, and a while around for what
    made it fail and what it left; a job that no line with a time names opens every window.

    Args:
        store: The facts.
        options: What the user asked for.
    """
    if options.since_s is not None or options.until_s is not None:
        return Asked(options.since_s, options.until_s)
    seen = _seen(store, options.job) if options.job else None
    if seen is None:
        return Asked()
    first_s, last_s = seen
    lead_s = parameters().job_lead_s
    why = f"job {options.job}, seen from {iso(first_s)} to {iso(last_s)}, and {lead_s / 60:.0f} minutes around"
    return Asked(first_s - lead_s, last_s + lead_s, why)


def _seen(store: Store, job: str) -> tuple[float, float] | None:
    """First and last time at which any line names a job."""
    times: list[float] = []
    for name in store.names():
        columns = [column for column, info in store.schema(name).items() if info.entity == "job"]
        columns = [column for column in columns if store.frame(name).schema[column] == pl.String]
        if not columns:
            continue
        rows = store.frame(name).filter(pl.any_horizontal(pl.col(column) == job for column in columns))
        stamps = rows["time"].drop_nulls()
        times.extend(stamp.timestamp() for stamp in (stamps.min(), stamps.max()) if stamp is not None)  # type: ignore[union-attr]
    return (min(times), max(times)) if times else None
