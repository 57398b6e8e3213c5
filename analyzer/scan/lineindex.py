"""Where lines begin: a sparse index for reading a line by its number."""

from __future__ import annotations

from typing import Any

import numpy as np

from analyzer.scan.candidates import LineStarts

STEP = 64
"""The index has the offset of lines 1, 1 + STEP, 1 + 2 STEP ..."""


def first_step(first_line: int) -> int:
    """Place of the first line that is in the index, in a block that starts with line ``first_line``."""
    return (1 - first_line) % STEP


class SparseIndex:
    """Offsets of each 64th line of one source."""

    def __init__(self) -> None:
        self._parts: list[Any] = []

    def feed(self, starts: LineStarts) -> None:
        """Add the lines of a block."""
        self._parts.append(starts.offsets[first_step(starts.first_line) :: STEP] + starts.base)

    def offsets(self) -> Any:
        """Byte offsets of lines 1, 65, 129 ... as an int64 array."""
        return np.concatenate([np.empty(0, np.int64), *self._parts])
