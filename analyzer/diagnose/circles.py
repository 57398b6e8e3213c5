"""Explanations without circles: of two candidates that explain each other the earlier one stays on top."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence


def without_circles(layers: Sequence[Mapping[int, Sequence[int]]], begins_s: Sequence[float]) -> dict[int, list[int]]:
    """Parents by child, in which nothing stands above itself.

    Args:
        layers: Parents by child, the layer that goes first in front: what a rule states of another cause, then what
            follows from shared rows.
        begins_s: Onset of each candidate, minus infinity where unknown; what begins earlier explains first.
    """
    kept: dict[int, list[int]] = {}
    for parents in layers:
        edges = {(parent, child) for child, above in parents.items() for parent in above}
        ordered = sorted(edges, key=lambda edge: (begins_s[edge[0]], edge))
        for parent, of_parent in itertools.groupby(ordered, key=lambda edge: edge[0]):
            above = _ancestors(kept, parent)
            for _, child in of_parent:
                if child not in above and parent not in kept.get(child, ()):
                    kept.setdefault(child, []).append(parent)
    return kept


def _ancestors(parents: Mapping[int, Sequence[int]], start: int) -> set[int]:
    """``start`` and everything above it."""
    front, seen = [start], {start}
    while front:
        for above in parents.get(front.pop(), ()):
            if above not in seen:
                seen.add(above)
                front.append(above)
    return seen
