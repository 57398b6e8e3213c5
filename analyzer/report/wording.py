"""Words that every face of an answer shares: counts, the verdict, places, the order of kinds of parts."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from analyzer.bundle.display import clean
from analyzer.facts.ports import link_name, port_name
from analyzer.model.analysis import Analysis, Evidence

PARTS_FIRST = ("node", "gpu", "port", "link", "cable", "fibre", "switch", "rank", "job", "user", "process", "rack")
"""Kinds of parts that tell most, in the order in which they are shown."""

_ADDRESS = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}|0x[0-9a-f]{16}(?:/\d+)?|[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7}")
_SPELT: Mapping[str, Callable[[str], str]] = {
    "node": str.lower,
    "switch": str.lower,
    "port": port_name,
    "link": link_name,
}
"""Kinds of parts that have addresses beside names, with what makes two spellings alike."""


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


def names_told(kind: str, names: Sequence[str]) -> list[str]:
    """Names of parts for people: each part once, by name where it has one.

    Args:
        kind: Kind of the parts.
        names: All spellings, as a diagnosis lists them.
    """
    if kind not in _SPELT:
        return list(names)
    plain = [name for name in names if not _ADDRESS.fullmatch(name)] or list(names)
    same = _SPELT[kind]
    return list({same(name): name for name in reversed(plain)}.values())[::-1]


def place(evidence: Evidence) -> str:
    """File and line, or file and event of a trace."""
    number = f"event {evidence.event}" if evidence.event is not None else f"{evidence.line}"
    return f"{clean(evidence.file)}:{number}"
