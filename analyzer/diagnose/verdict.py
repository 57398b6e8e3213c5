"""The verdict in one word: the gravest diagnosis, or whether anything was read that could show one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import polars as pl

from analyzer.diagnose.selection import frame_of
from analyzer.diagnose.visibility import visible
from analyzer.facts.store import Store
from analyzer.model.analysis import Diagnosis, Input, Verdict


def verdict(diagnoses: Iterable[Diagnosis], inputs: Sequence[Input], could_tell: bool = True) -> Verdict:
    """``critical`` or ``warning`` by the gravest diagnosis, else ``ok``; ``unknown`` when nothing could have shown one.

    Args:
        diagnoses: Those of the incident.
        inputs: What became of every input.
        could_tell: False when what was asked about is in no input, or no input can show any fault.
    """
    severities = {diagnosis.severity for diagnosis in diagnoses}
    if "critical" in severities:
        return "critical"
    if "warning" in severities:
        return "warning"
    understood = any(item.status in ("read", "partial") and item.bytes for item in inputs)
    return "ok" if understood and could_tell else "unknown"


def could_tell(store: Store, job: str | None = None, node: str | None = None) -> bool:
    """True when the inputs could have shown a fault of what was asked about.

    Args:
        store: The facts.
        job: The job asked about; None for any.
        node: The node asked about; None for any.
    """
    return _shows_faults(store) and (job is None or _named(store, "job", job)) and (node is None or _seen(store, node))


def _shows_faults(store: Store) -> bool:
    return any(
        symptom.role == "root" and visible(frame_of(cause, name, symptom), store)
        for cause in store.rulebook.causes.values()
        for name, symptom in cause.symptoms.items()
    )


def _seen(store: Store, node: str) -> bool:
    name = store.inventory.canonical("node", node)
    return any(name in nodes for nodes in store.nodes_of.values()) or _named(store, "node", node)


def _named(store: Store, kind: str, part: str) -> bool:
    """True when some row names a part."""
    wanted = store.inventory.canonical(kind, part)
    for frame_name in store.names():
        frame = store.frame(frame_name)
        for column, info in store.schema(frame_name).items():
            if info.entity != kind:
                continue
            values = frame[column].explode() if frame.schema[column] == pl.List else frame[column]
            if any(store.inventory.canonical(kind, str(v)) == wanted for v in values.drop_nulls().unique()):
                return True
    return False
