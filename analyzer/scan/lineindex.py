"""Where lines begin: a sparse index for reading a line by its number."""

from __future__ import annotations

from typing import Any

import numpy as np

from analyzer.scan.blocks import Block
from analyzer.scan.candidates import newlines

STEP = 64
"""The index has the offset of lines 1, 1 + STEP, 1 + 2 STEP ..."""


class LineStarts:
    """Starts of all lines of one block.

    Attributes:
        first_line: Number of the block's first line.
        base: Byte offset of the block in the source.
        ends: Offsets in the block of its newlines.
        offsets: Offsets in the block at which its lines start.
        first_step: Place in the block of the first line that is in the sparse index.
    """

    def __init__(self, block: Block, first_line: int) -> None:
        self.first_line = first_line
        self.base = block.base
        self.ends = newlines(block)
        starts = np.concatenate(([0], self.ends + 1))
        self.offsets = starts[:-1] if block.terminated else starts
        self.first_step = (1 - first_line) % STEP


class SparseIndex:
    """Offsets of each 64th line of one source."""

    def __init__(self) -> None:
        self._parts: list[Any] = []

    def feed(self, starts: LineStarts) -> None:
        """Add the lines of a block."""
        self._parts.append(starts.offsets[starts.first_step :: STEP] + starts.base)

    def offsets(self) -> Any:
        """Byte offsets of lines 1, 65, 129 ... as an int64 array."""
        return np.concatenate([np.empty(0, np.int64), *self._parts])
