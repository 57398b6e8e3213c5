"""Words that every face of an answer shares: counts, the verdict, places, the order of kinds of parts."""

from __future__ import annotations

from analyzer.bundle.display import clean
from analyzer.model.analysis import Analysis, Evidence

PARTS_FIRST = ("node", "gpu", "port", "link", "cable", "fibre", "switch", "rank", "job", "user", "process", "rack")
"""Kinds of parts that tell most, in the order in which they are shown."""


def many(count: int, one: str, several: str | None = None) -> str:
    """A count with its noun."""
    return f"{count:,} {one if count == 1 else several or one + 's'}"


def answer(analysis: Analysis, one: str, several: str | None = None) -> str:
    """The verdict in a few words; ``one`` and ``several`` are the noun for what was found."""
    if analysis.verdict == "unknown":
        return "no verdict: too little could be read"
    grave = sum(diagnosis.severity != "info" for diagnosis in analysis.diagnoses)
    return many(grave, one, several) if grave else "nothing wrong found in what was read"


def seen(analysis: Analysis) -> str:
    """How much was read: inputs, lines and nodes."""
    inputs = analysis.coverage.inputs
    nodes = {node for item in inputs for node in item.nodes}
    lines = sum(item.lines for item in inputs)
    return f"{many(len(inputs), 'input')}, {many(lines, 'line')}, {many(len(nodes), 'node')}"


def place(evidence: Evidence) -> str:
    """File and line, or file and event of a trace."""
    number = f"event {evidence.event}" if evidence.event is not None else f"{evidence.line}"
    return f"{clean(evidence.file)}:{number}"
