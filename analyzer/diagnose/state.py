"""Whether a fault still held when the logs ended: active, recovered, or unknown."""

from __future__ import annotations

import math
from collections.abc import Iterable

import polars as pl

from analyzer.diagnose.candidates import Candidate
from analyzer.facts.store import Store
from analyzer.model.analysis import State
from analyzer.sources.recoveries import Ending, Recovery, recoveries


def state(candidate: Candidate, store: Store) -> State:
    """State of a diagnosis at the end of the logs.

    The rule's own end of the fault decides first; then what ends any fault of its kind (a reboot, a link that is up, a
    node that is back; ``rules/recoveries.toml``) if it came later; then snapshots that show the part out of service.

    Args:
        candidate: The cause and its observations.
        store: The facts.
    """
    known = _by_rule(candidate)
    if known is not None:
        return known
    if math.isnan(candidate.last_s):
        return "active" if _still(candidate, store) else "unknown"
    if any(
        _ended(candidate, ending, store) for ending in recoveries().ending if candidate.cause.layer in ending.layers
    ):
        return "recovered"
    return "active" if _still(candidate, store) else "unknown"


def _by_rule(candidate: Candidate) -> State | None:
    recovery = candidate.cause.recovers
    if recovery is None or math.isnan(candidate.last_s):
        return None
    ends = [group.last_s for group in candidate.groups.get(recovery, ())]
    return "recovered" if any(end >= candidate.last_s for end in ends) else "active"


def _ended(candidate: Candidate, ending: Ending, store: Store) -> bool:
    """True when the ending was seen on every accused part that its kind names, after the fault was seen last."""
    parts = candidate.key(ending.kind)
    if not parts or not store.has(ending.event):
        return False
    frame = store.frame(ending.event).filter(pl.col("time").is_not_null())
    if ending.where:
        frame = frame.filter(pl.sql_expr(ending.where).fill_null(value=False))
    stamp = pl.col("time").dt.epoch("us").cast(pl.Float64) / 1e6 - pl.col("uncertainty_s").fill_null(0.0)
    later = frame.filter(stamp > candidate.last_s)
    return parts <= _names(later, ending.kind, ending.column, store)


def _still(candidate: Candidate, store: Store) -> bool:
    return any(_shows(candidate, snapshot, store) for snapshot in recoveries().out_of_service)


def _shows(candidate: Candidate, snapshot: Recovery, store: Store) -> bool:
    parts = candidate.key(snapshot.kind) if candidate.cause.layer in snapshot.layers else frozenset()
    if not parts or not store.has(snapshot.table):
        return False
    out = store.frame(snapshot.table).filter(pl.sql_expr(snapshot.where).fill_null(value=False))
    return bool(parts & _names(out, snapshot.kind, snapshot.column, store))


def _names(frame: pl.DataFrame, kind: str, column: str, store: Store) -> frozenset[str]:
    pairs: Iterable[tuple[str | None, object]] = (
        frame.select("node", pl.col(column).alias("_part")).unique().iter_rows()
    )
    return frozenset(
        store.inventory.canonical(kind, str(value), node)
        for node, part in pairs
        for value in (part if isinstance(part, list) else [part])
        if value is not None
    )
