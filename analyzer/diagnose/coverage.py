"""What was read, what could not be seen, and how to collect it."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

from analyzer.diagnose.selection import frame_of
from analyzer.diagnose.visibility import visible
from analyzer.facts.store import Store
from analyzer.model.analysis import Coverage, Diagnosis, Input, InputPart, Missing
from analyzer.model.sources import Source, Status

OF_ONE_NODE = frozenset({"kernel"})
"""Families whose sources are taken on one node."""

NO_NODE = "names no node; its lines are joined with no other log of a node"


LISTED = 64
"""Most problems listed of one input."""

NODES_LISTED = 4096
"""Most nodes listed of one input; the output of a job names all nodes of the job."""


def coverage(store: Store, diagnoses: Sequence[Diagnosis]) -> Coverage:
    """State of every input, and the inputs that would have confirmed what was found."""
    return Coverage(
        inputs=tuple(_inputs(store)),
        missing=tuple(_missing(diagnoses, store)),
    )


def _inputs(store: Store) -> Iterable[Input]:
    """One per file, in order; sources that are parts of a file laid out in several stand next to each other."""
    for _, group in itertools.groupby(store.sources, key=lambda s: (s.path, s.layout) if s.layout else s.index):
        sources = list(group)
        yield _laid_out(sources, store) if sources[0].layout else _input(sources[0], store)


def _input(source: Source, store: Store) -> Input:
    return Input(
        file=source.path,
        format=source.format,
        nodes=_nodes([source], store),
        clock=store.clocks.get(source.index, {}),
        lines=source.lines,
        bytes=source.size_bytes,
        status=source.status,
        problem=_problem([source], store),
        why=source.why,
    )


def _laid_out(sources: Sequence[Source], store: Store) -> Input:
    """A file of several parts: read if any part of it is of a known format, partial if one of these was damaged."""
    known = [source for source in sources if source.status != "unrecognised"]
    status: Status = next((s.status for s in known if s.status != "read"), "read" if known else "unrecognised")
    return Input(
        file=sources[0].path,
        format=sources[0].layout,
        nodes=_nodes(sources, store),
        clock=next((clock for s in sources if (clock := store.clocks.get(s.index))), {}),
        lines=sources[0].file_lines,
        bytes=sources[0].file_bytes,
        status=status,
        problem=_problem(known or sources, store),
        why=sources[0].layout_why,
        parts=tuple(_part(source) for source in sorted(sources, key=lambda s: (s.first_line, s.index))),
    )


def _part(source: Source) -> InputPart:
    return InputPart(
        name=source.part,
        format=source.format,
        node=next((part.node for part in source.segments if part.node), None),
        first_line=source.first_line,
        last_line=source.last_line,
        lines=source.lines,
        status=source.status,
        why=source.why,
    )


def _nodes(sources: Iterable[Source], store: Store) -> tuple[str, ...]:
    named = dict.fromkeys(node for source in sources for node in store.nodes_of.get(source.index, ()))
    return tuple(named)[:NODES_LISTED]


def _problem(sources: Iterable[Source], store: Store) -> str:
    told = [_told(p.text, p.line, p.count) for source in sources for p in source.problems]
    told += [NO_NODE for source in sources if _nameless(source, store)]
    return "; ".join(list(dict.fromkeys(told))[:LISTED])


def _nameless(source: Source, store: Store) -> bool:
    nodes = store.nodes_of.get(source.index, ())
    return not nodes and bool(source.families & OF_ONE_NODE) and source.lines > 0 and not store.sole_node


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
