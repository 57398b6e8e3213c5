"""The lines around cited lines, fetched in one further pass over the inputs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from analyzer.bundle.text import read_lines

Around = dict[tuple[str, int], tuple[int, tuple[str, ...]]]
"""File and line to the number of the first line given and the lines."""


def lines_around(paths: Sequence[str], cited: Iterable[tuple[str, int]], around: int) -> Around:
    """Fetch ``around`` lines before and after each cited line, itself included.

    Args:
        paths: The inputs as the user gave them.
        cited: File and line number of each cited line.
        around: Lines on each side.
    """
    places = set(cited)
    wanted: dict[str, set[int]] = defaultdict(set)
    for file, line in places:
        wanted[file].update(range(max(1, line - around), line + around + 1))
    texts = read_lines(paths, wanted)
    found: Around = {}
    for file, line in places:
        known = texts.get(file, {})
        numbers = [n for n in range(max(1, line - around), line + around + 1) if n in known]
        if line in known:
            found[file, line] = (numbers[0], tuple(known[n] for n in numbers))
    return found
