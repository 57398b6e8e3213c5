"""Error lines that no rule knows, as the report lists them: seen, counted, and blamed on nothing."""

from __future__ import annotations

from collections.abc import Sequence

from analyzer.facts.unknown_lines import UnknownLine
from analyzer.model.analysis import Template

LISTED = 50
"""Kinds of lines that a report lists."""


def not_understood(found: Sequence[UnknownLine]) -> tuple[Template, ...]:
    """The most frequent kinds of lines.

    Args:
        found: All kinds, the most frequent first.
    """
    return tuple(
        Template(template=kind.template, count=kind.count, example={"file": kind.file, "line": kind.line})
        for kind in found[:LISTED]
    )
