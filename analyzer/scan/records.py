"""Records of several lines: collects the lines that follow an anchor, across blocks and interleaved."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from analyzer.model.formats import BlockParser
from analyzer.model.patterns import BlockHit
from analyzer.scan.blocks import Block
from analyzer.scan.candidates import LineBatch
from analyzer.scan.verify import Attempts, Verifier

MAX_OPEN = 64
"""Records collected at the same time."""

MAX_RECORDS = 500
"""Records kept of one source."""

MAX_LINE_BYTES = 16_384
"""Bytes kept of one line of a record."""

Anchor = tuple[int, int, BlockParser]
"""Line number, offset of the line in the source, parser of the record that begins there."""


class _Open:
    __slots__ = ("ends", "first_line", "lines", "max_lines", "name")

    def __init__(self, parser: BlockParser, first_line: int) -> None:
        self.name = parser.FORMAT.name
        self.ends: Callable[[bytes, int], bool] = parser.ends
        self.max_lines = parser.MAX_LINES
        self.first_line = first_line
        self.lines: list[bytes] = []

    def take(self, line: bytes) -> bool:
        """Add a line; True when the record is complete with it."""
        self.lines.append(line[:MAX_LINE_BYTES])
        count = len(self.lines) - 1
        return len(self.lines) >= self.max_lines or (count > 0 and self.ends(line, count))


class Anchors:
    """Lines of the current block on which records of one parser begin."""

    def __init__(self, parser: BlockParser, verifier: Verifier, found: list[Anchor]) -> None:
        self._parser = parser
        self._attempts = Attempts(verifier)
        self._found = found

    @property
    def timeouts(self) -> int:
        """Lines on which the anchor's pattern took too long."""
        return self._attempts.timeouts

    def takes_batches(self, lines: int, proven: bool) -> bool:  # noqa: ARG002
        """Anchors are looked at one by one."""
        return False

    def take_batch(self, batch: LineBatch, proven: bool) -> None:
        """Never called, because batches are not taken."""
        raise NotImplementedError

    def take(self, line: int, offset: int, text: bytes) -> None:
        """Verify a line and note it if a record begins there."""
        if self._attempts.captures(text) is not None:
            self._found.append((line, offset, self._parser))


class RecordCollector:
    """The records of one source.

    Attributes:
        dropped: Anchors whose records were not kept because of the limits.
    """

    def __init__(self) -> None:
        self.dropped = 0
        self._open: list[_Open] = []
        self._done: list[BlockHit] = []

    def feed(self, block: Block, anchors: Sequence[Anchor]) -> None:
        """Read the lines of a block that belong to records.

        Args:
            block: The block.
            anchors: The anchors in the block, in file order.
        """
        start = 0
        for number, offset, parser in anchors:
            anchor_start = offset - block.base
            if self._open:
                self._advance(block, start, anchor_start)
            start = anchor_start
            self._begin(parser, number)
        if self._open:
            self._advance(block, start, block.size)

    def finish(self) -> list[BlockHit]:
        """All records in file order, those still open at the end of the source among them."""
        hits = self._done + [_block_hit(record) for record in self._open]
        return sorted(hits, key=lambda hit: hit.first_line)

    def _begin(self, parser: BlockParser, number: int) -> None:
        if len(self._open) >= MAX_OPEN or len(self._done) + len(self._open) >= MAX_RECORDS:
            self.dropped += 1
        else:
            self._open.append(_Open(parser, number))

    def _advance(self, block: Block, start: int, stop: int) -> None:
        """Give the lines from ``start`` up to ``stop`` to the open records."""
        while self._open and start < stop:
            end = block.buffer.find(b"\n", start, block.size)
            end = block.size if end < 0 else end
            self._take(bytes(block.buffer[start:end]).rstrip(b"\r"))
            start = end + 1

    def _take(self, text: bytes) -> None:
        complete = [record for record in self._open if record.take(text)]
        for record in complete:
            self._open.remove(record)
            self._done.append(_block_hit(record))


def _block_hit(record: _Open) -> BlockHit:
    return BlockHit(record.name, record.first_line, tuple(record.lines))
