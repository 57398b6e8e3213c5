"""Cuts one source into segments: runs of lines that share node, boot and clock."""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from analyzer.model.sources import Segment

# Records of several CPUs come a little out of order; a boot falls back by more.
REBOOT_DROP_S = 10.0
SAME_BOOT_LINES = 50
FIRST_LINES = 5


def boot_lines(
    lines: Sequence[int] | npt.NDArray[np.int64],
    uptimes_s: Sequence[float] | npt.NDArray[np.float64],
    banners: Iterable[int] = (),
    first_line: int = 1,
) -> tuple[int, ...]:
    """Find the lines at which a new boot begins, the first boot of the source not counted.

    Args:
        lines: Line numbers in file order, shape (n,).
        uptimes_s: Uptime per line, NaN where it has none, shape (n,).
        banners: Lines that open a boot: ``Linux version``, ``-- Boot``; one near a fall of the uptime or near
            another belongs to the same boot, one in the source's first lines to the first.
        first_line: First line of the source, more than 1 where it is a part of a file.

    Returns:
        Line numbers, ascending.
    """
    numbers = np.asarray(lines, dtype=np.int64)
    uptimes = np.asarray(uptimes_s, dtype=np.float64)
    known = ~np.isnan(uptimes)
    numbers, uptimes = numbers[known], uptimes[known]
    falls = [int(line) for line in numbers[1:][np.diff(uptimes) < -REBOOT_DROP_S]] if len(uptimes) > 1 else []
    found = list(falls)
    for line in sorted(banners):
        if line >= first_line + FIRST_LINES and all(abs(line - other) > SAME_BOOT_LINES for other in found):
            bisect.insort(found, line)
    return tuple(found)


def cut(
    node: str | None = None, node_why: str = "", boots: Iterable[int] = (), first_line: int = 1
) -> tuple[Segment, ...]:
    """Cut a source at its boots.

    Args:
        node: Node of the source.
        node_why: Why.
        boots: First lines of the second and later boots (``boot_lines``).
        first_line: First line of the source.

    Returns:
        Segments by first line; the first begins with the source.
    """
    starts = [first_line, *sorted({line for line in boots if line > first_line})]
    return tuple(Segment(index, line, node, node_why, index) for index, line in enumerate(starts))


def segment_of(segments: Sequence[Segment], lines: Sequence[int] | npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Index of the segment of each line, shape (n,)."""
    starts = np.asarray([segment.first_line for segment in segments], dtype=np.int64)
    return np.maximum(np.searchsorted(starts, np.asarray(lines, dtype=np.int64), side="right") - 1, 0)
