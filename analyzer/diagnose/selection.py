"""Which rows of which frame each condition selects, and the observations they make."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

import msgspec
import polars as pl

from analyzer.diagnose.groups import Group, grouped
from analyzer.diagnose.qualifiers import counted, lasting, looked_up, odd_ones
from analyzer.facts.store import Store
from analyzer.rulebook.schema import Cause, Explains, Lookup, Symptom

Selected = dict["Condition", pl.DataFrame]


class Condition(msgspec.Struct, frozen=True):
    """What selects rows: a frame, an optional catalogue to join, an optional expression."""

    frame: str
    where: str | None = None
    lookup: Lookup | None = None


def frame_of(cause: Cause, name: str, symptom: Symptom) -> str:
    """Name of the frame that a symptom reads; inline patterns have events of their own."""
    return symptom.event or symptom.table or f"{cause.cause.replace('-', '_')}.{name}"


def condition_of(cause: Cause, name: str, symptom: Symptom) -> Condition:
    """The condition of a symptom."""
    return Condition(frame_of(cause, name, symptom), symptom.where, symptom.lookup)


def explained_condition(edge: Explains) -> Condition | None:
    """The condition of an ``explains`` entry that names rows; None for one that names a cause."""
    frame = edge.event or edge.table
    return Condition(frame, edge.where) if frame else None


def select(conditions: Iterable[Condition], store: Store) -> Selected:
    """Evaluate all conditions, one pass over each frame, and number the rows (column ``row``).

    Rows that a benign signature claims are left out everywhere.
    """
    by_frame: dict[str, list[Condition]] = defaultdict(list)
    for condition in dict.fromkeys(conditions):
        if store.has(condition.frame):
            by_frame[condition.frame].append(condition)
    selected: Selected = {}
    for name, wanted in by_frame.items():
        selected.update(_select_in(name, wanted, store))
    return selected


def _select_in(name: str, wanted: list[Condition], store: Store) -> Selected:
    frame = store.frame(name).with_row_index("row").filter(~pl.col("copy"))
    harmless = [b.where for b in store.rulebook.benign.values() if name in (b.event, b.table)]
    if None in harmless:
        return {}
    for where in harmless:
        frame = frame.filter(~pl.sql_expr(str(where)).fill_null(value=False))
    plain = [c for c in wanted if c.lookup is None]
    masks = [pl.sql_expr(c.where).fill_null(value=False).alias(f"_{i}") for i, c in enumerate(plain) if c.where]
    marked = frame.with_columns(masks)
    chosen = {
        c: marked.filter(pl.col(f"_{i}")).select(frame.columns) if c.where else frame for i, c in enumerate(plain)
    }
    for condition in wanted:
        if condition.lookup is not None:
            chosen[condition] = looked_up(frame, condition.lookup, condition.where, store)
    return chosen


def observations(cause: Cause, selected: Mapping[Condition, pl.DataFrame], store: Store) -> dict[str, list[Group]]:
    """Groups per symptom of one cause, after its qualifiers; symptoms without rows are left out."""
    found: dict[str, list[Group]] = {}
    apart = _columns_apart(cause)
    for name, symptom in cause.symptoms.items():
        condition = condition_of(cause, name, symptom)
        rows = selected.get(condition)
        if rows is None or not rows.height:
            continue
        rows = _qualified(cause, symptom, condition.frame, rows, selected, store)
        groups = grouped(name, condition.frame, rows, store, apart.get(name, ()))
        if groups:
            found[name] = groups
    return found


def _columns_apart(cause: Cause) -> dict[str, list[str]]:
    """Columns per symptom by which a rule names its subject or joins: rows that differ there are never one."""
    apart: dict[str, list[str]] = defaultdict(list)
    named = next(iter(cause.subject.values()))
    references = [text for text in ((named,) if isinstance(named, str) else named) if not text.startswith("=")]
    for name, symptom in cause.symptoms.items():
        apart[name].extend(symptom.on or ())
        references.extend((symptom.on or {}).values())
    for symptom_name, dot, column in (text.partition(".") for text in references):
        if dot:
            apart[symptom_name].append(column)
    return apart


def _qualified(
    cause: Cause, symptom: Symptom, frame: str, rows: pl.DataFrame, selected: Mapping[Condition, pl.DataFrame],
    store: Store,
) -> pl.DataFrame:  # fmt: skip
    if symptom.odd is not None:
        rows = odd_ones(rows, symptom.odd)
    if symptom.lasts is not None:
        ending = symptom.lasts.ended_by
        ended = selected.get(condition_of(cause, ending, cause.symptoms[ending]))
        rows = lasting(rows, symptom.lasts, ended, store.schema(frame))
    if symptom.count is not None:
        rows = counted(rows, symptom.count, store.schema(frame))
    return rows
