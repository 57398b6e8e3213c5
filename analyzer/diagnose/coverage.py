"""What was read, what could not be seen, and how to collect it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from analyzer.diagnose.selection import frame_of
from analyzer.diagnose.visibility import visible
from analyzer.facts.store import Store
from analyzer.model.analysis import Coverage, Diagnosis, Input, Missing
from analyzer.model.sources import Source

OF_ONE_NODE = frozenset({"kernel"})
"""Families whose sources are taken on one node."""

NO_NODE = "names no node; its lines are joined with no other log of a node"


LISTED = 64
"""Most nodes listed of one input."""


def coverage(store: Store, diagnoses: Sequence[Diagnosis]) -> Coverage:
    """State of every input, and the inputs that would have confirmed what was found."""
    return Coverage(
        inputs=tuple(_input(source, store) for source in store.sources),
        missing=tuple(_missing(diagnoses, store)),
    )


def _input(source: Source, store: Store) -> Input:
    nodes = store.nodes_of.get(source.index, ())
    told = [_told(p.text, p.line, p.count) for p in source.problems]
    if not nodes and source.families & OF_ONE_NODE and source.lines and not store.sole_node:
        told.append(NO_NODE)
    return Input(
        file=source.path,
        format=source.format,
        nodes=tuple(nodes)[:LISTED],
        clock=store.clocks.get(source.index, {}),
        lines=source.lines,
        bytes=source.size_bytes,
        status=source.status,
        problem="; ".join(told),
        why=source.why,
    )


def _told(text: str, line: int, count: int) -> str:
    place = f" (line {line})" if line else ""
    times = f" x{count:,}" if count > 1 else ""
    return f"{text}{place}{times}"


def _missing(diagnoses: Iterable[Diagnosis], store: Store) -> Iterable[Missing]:
    """What would have confirmed the causes found: each source once, for the first cause that needs it."""
    told: set[str] = set()
    for diagnosis in (d for d in diagnoses if d.severity != "info"):
        cause = store.rulebook.causes[diagnosis.cause]
        for name, symptom in cause.symptoms.items():
            frame = frame_of(cause, name, symptom)
            if symptom.role == "consequence" or visible(frame, store):
                continue
            for family in _families(frame, store):
                entry = store.rulebook.collect.get(family)
                if entry is not None and family not in told:
                    told.add(family)
                    yield Missing(for_=diagnosis.cause, needs=entry.what, how=entry.how)


def _families(frame: str, store: Store) -> tuple[str, ...]:
    spec = store.rulebook.events.get(frame)
    return spec.formats if spec is not None else (frame,)
