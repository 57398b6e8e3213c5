"""Cuts one source into segments: runs of lines that share node, boot and clock."""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Sequence

import msgspec
import numpy as np
import numpy.typing as npt

from analyzer.model.sources import Segment

# Records of several CPUs come a little out of order; a boot falls back by more.
REBOOT_DROP_S = 10.0
SAME_BOOT_LINES = 50
FIRST_LINES = 5


class Section(msgspec.Struct, frozen=True):
    """A part of a big file that is a log or dump of its own.

    Attributes:
        first_line: Its first line, from 1.
        node: Node it was taken on, None for that of the file.
        node_why: Why.
    """

    first_line: int
    node: str | None = None
    node_why: str = ""


def boot_lines(
    lines: Sequence[int] | npt.NDArray[np.int64],
    uptimes_s: Sequence[float] | npt.NDArray[np.float64],
    banners: Iterable[int] = (),
) -> tuple[int, ...]:
    """Find the lines at which a new boot begins, the first boot of the source not counted.

    Args:
        lines: Line numbers in file order, shape (n,).
        uptimes_s: Uptime per line, NaN where it has none, shape (n,).
        banners: Lines that open a boot: ``Linux version``, ``-- Boot``; one near a fall of the uptime or near
            another belongs to the same boot, one in the file's first lines to the first.

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
        if line > FIRST_LINES and all(abs(line - other) > SAME_BOOT_LINES for other in found):
            bisect.insort(found, line)
    return tuple(found)


def cut(
    node: str | None = None, node_why: str = "", boots: Iterable[int] = (), sections: Sequence[Section] = ()
) -> tuple[Segment, ...]:
    """Cut a source at its boots and sections.

    Args:
        node: Node of the source.
        node_why: Why.
        boots: First lines of the second and later boots (``boot_lines``).
        sections: Parts of a big file; each begins a boot count of its own, as it is a log of its own.

    Returns:
        Segments by first line; the first begins at line 1.
    """
    whole = Section(1, node, node_why)
    parts = {1: whole} | {section.first_line: section for section in sections if section.first_line >= 1}
    boundaries = sorted({*parts, *(line for line in boots if line > 1)})
    segments: list[Segment] = []
    part, boot = whole, 0
    for index, line in enumerate(boundaries):
        if line in parts:
            part, boot = parts[line], 0
        else:
            boot += 1
        own = part.node is not None
        segments.append(Segment(index, line, part.node if own else node, part.node_why if own else node_why, boot))
    return tuple(segments)


def segment_of(segments: Sequence[Segment], lines: Sequence[int] | npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Index of the segment of each line, shape (n,)."""
    starts = np.asarray([segment.first_line for segment in segments], dtype=np.int64)
    return np.maximum(np.searchsorted(starts, np.asarray(lines, dtype=np.int64), side="right") - 1, 0)
