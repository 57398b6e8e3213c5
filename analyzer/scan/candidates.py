"""From hits in a block to the lines they fall on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from analyzer.scan.blocks import Block
from analyzer.scan.plan import NUMBER_BITS

NUMBER_MASK = (1 << NUMBER_BITS) - 1
LINE_FEED = 10
DENSE_GAP_BYTES = 2_048
"""Below this mean distance between hits all newlines of the block are located at once."""

Candidate = tuple[int, int, int, list[int]]
"""Line's place in the block from 0, its start and end (without the newline), expressions that hit it.

A plain tuple: one is made for every line that is hit.
"""


class NewlineMask:
    """Which bytes of a block are newlines, in memory that is used again for the next block."""

    def __init__(self) -> None:
        self._memory = np.empty(0, np.bool_)

    def of(self, block: Block) -> Any:
        """One truth value per byte, valid until the next block."""
        if len(self._memory) < block.size:
            self._memory = np.empty(len(block.buffer), np.bool_)
        mask = self._memory[: block.size]
        np.equal(np.frombuffer(block.buffer, np.uint8, block.size), LINE_FEED, out=mask)
        return mask


class LineStarts:
    """Starts of all lines of one block.

    Attributes:
        first_line: Number of the block's first line.
        base: Byte offset of the block in the source.
        ends: Offsets in the block of its newlines.
        offsets: Offsets in the block at which its lines start.
    """

    def __init__(self, block: Block, mask: Any, first_line: int) -> None:
        self.first_line = first_line
        self.base = block.base
        self.ends = np.flatnonzero(mask)
        starts = np.concatenate(([0], self.ends + 1))
        self.offsets = starts[:-1] if block.terminated else starts


def count_lines(block: Block, mask: Any) -> int:
    """Number of lines of a block."""
    return int(np.count_nonzero(mask)) + (not block.terminated)


def is_dense(block: Block, events: list[int]) -> bool:
    """Whether locating all newlines pays."""
    return len(events) * DENSE_GAP_BYTES > block.size


def by_gaps(block: Block, mask: Any, events: list[int]) -> Iterator[Candidate]:
    """Lines hit, in order, counting newlines from one hit to the next: for few hits."""
    buffer = block.buffer
    line = counted = start = 0
    stop = -1
    numbers: list[int] = []
    for event in sorted(events):
        last = (event >> NUMBER_BITS) - 1
        if last > stop:
            if numbers:
                yield line, start, stop, numbers
            numbers = []
            start = buffer.rfind(b"\n", 0, last) + 1
            stop = buffer.find(b"\n", last, block.size)
            if stop < 0:
                stop = block.size
            line += int(np.count_nonzero(mask[counted:start]))
            counted = start
        numbers.append(event & NUMBER_MASK)
    if numbers:
        yield line, start, stop, numbers


class LineBatch(NamedTuple):
    """Some lines of one block.

    Attributes:
        lines: Their numbers in the source, ascending, as an int64 array.
        offsets: Their offsets in the source, likewise.
        base: Offset of the block in the source.
        stops: Offsets in the source of their ends, without the newline.
        content: The block's bytes.
    """

    lines: Any
    offsets: Any
    stops: Any
    base: int
    content: bytes

    def last(self, count: int) -> LineBatch:
        """The last lines only."""
        return self.pick(slice(max(len(self.lines) - count, 0), None))

    def pick(self, places: Sequence[int] | slice) -> LineBatch:
        """Some of the lines."""
        chosen: Any = places if isinstance(places, slice) else np.array(places, np.int64)
        return self._replace(lines=self.lines[chosen], offsets=self.offsets[chosen], stops=self.stops[chosen])

    def has_longer(self, size_bytes: int) -> bool:
        """Whether one of them is longer than this."""
        return bool(((self.stops - self.offsets) > size_bytes).any())

    def texts(self) -> list[bytes]:
        """Their texts without their ends."""
        content = self.content
        starts, stops = (self.offsets - self.base).tolist(), (self.stops - self.base).tolist()
        texts = [content[start:stop] for start, stop in zip(starts, stops, strict=True)]
        return [text.rstrip(b"\r") for text in texts] if b"\r" in content else texts


class HitTable:
    """Distinct pairs of line and expression of one block, located all at once: for many hits.

    Attributes:
        lines: Line's place in the block from 0, ascending.
        numbers: Expression that hit it.
    """

    def __init__(self, block: Block, events: list[int], starts: LineStarts) -> None:
        packed = np.array(events, np.int64)
        lines = np.searchsorted(starts.ends, (packed >> NUMBER_BITS) - 1)
        keys = lines << NUMBER_BITS | packed & NUMBER_MASK
        keys.sort()
        keys = keys[np.concatenate(([True], keys[1:] != keys[:-1]))]
        self.lines = keys >> NUMBER_BITS
        self.numbers = keys & NUMBER_MASK
        self._block = block
        self._first_line = starts.first_line
        self._starts = starts.offsets
        self._stops = starts.ends if block.terminated else np.append(starts.ends, block.size)

    def totals(self) -> dict[int, int]:
        """How many lines each expression hit, those that hit any."""
        totals = np.bincount(self.numbers)
        return {number: int(totals[number]) for number in np.flatnonzero(totals).tolist()}

    def batch(self, numbers: Sequence[int], content: bytes) -> LineBatch:
        """Lines that one of these expressions hit; ``content`` is the block's bytes."""
        lines = self.lines[np.isin(self.numbers, numbers)]
        if len(numbers) > 1:
            lines = np.unique(lines)
        base = self._block.base
        return LineBatch(lines + self._first_line, self._starts[lines] + base, self._stops[lines] + base, base, content)

    def drop(self, numbers: Sequence[int]) -> None:
        """Forget the hits of these expressions."""
        kept = np.isin(self.numbers, numbers, invert=True)
        self.lines, self.numbers = self.lines[kept], self.numbers[kept]

    def candidates(self) -> Iterator[Candidate]:
        """The remaining lines, in order."""
        starts = self._starts[self.lines].tolist()
        stops = self._stops[self.lines].tolist()
        current = -1
        start = stop = 0
        numbers: list[int] = []
        for line, number, start_, stop_ in zip(self.lines.tolist(), self.numbers.tolist(), starts, stops, strict=True):
            if line != current:
                if numbers:
                    yield current, start, stop, numbers
                current, start, stop, numbers = line, start_, stop_, []
            numbers.append(number)
        if numbers:
            yield current, start, stop, numbers
