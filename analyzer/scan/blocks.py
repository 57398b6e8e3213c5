"""Whole-line blocks of a byte stream in one reused buffer, without colours and wrappings (see ``plain``)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol

from analyzer.scan.plain import unwrap

BLOCK_BYTES = 1 << 20
"""Block size; 256 KiB to 1 MiB stay in the second-level cache and were fastest."""

LINE_LIMIT_BYTES = 16 << 20
"""Longest line that is scanned; the rest of a longer one is skipped and the line counts as truncated."""


class Readable(Protocol):
    """A binary stream, decompressed or not."""

    def readinto(self, buffer: memoryview, /) -> int | None:
        """Fill the buffer from its start and return the number of bytes read, 0 at the end."""


class Block(NamedTuple):
    """Bytes that start at the start of a line and end at the end of one.

    The bytes are overwritten when the next block is read.

    Attributes:
        buffer: The shared buffer; only the first ``size`` bytes belong to the block.
        size: Number of bytes.
        base: Byte offset of the block in the stream.
        terminated: Whether the last line ends with a newline.
    """

    buffer: bytearray
    size: int
    base: int
    terminated: bool

    def view(self) -> memoryview:
        """The block's bytes without a copy."""
        return memoryview(self.buffer)[: self.size]


class BlockReader:
    """Cuts a stream into blocks at the last newline and carries the rest over to the next one.

    Attributes:
        size_bytes: Bytes read so far.
        truncated_lines: Lines longer than the limit, of which only the beginning was handed out.
        stopped: Why the stream broke off, empty if it did not.
    """

    def __init__(
        self, stream: Readable, block_bytes: int = BLOCK_BYTES, line_limit_bytes: int = LINE_LIMIT_BYTES
    ) -> None:
        self.size_bytes = 0
        self.truncated_lines = 0
        self.stopped = ""
        # a buffered reader that fails half-way loses what it had put into a large buffer, unless read piece by piece
        self._readinto = getattr(stream, "readinto1", stream.readinto)
        self._limit = max(line_limit_bytes, block_bytes)
        self._buffer = bytearray(block_bytes)
        self._filled = 0
        self._base = 0

    def __iter__(self) -> Iterator[Block]:
        while self._fill():
            cut = self._buffer.rfind(b"\n", 0, self._filled) + 1
            if cut:
                unwrap(self._buffer, cut)
                yield Block(self._buffer, cut, self._base, True)
                self._drop(cut)
            elif len(self._buffer) < self._limit:
                self._grow()
            else:
                self.truncated_lines += 1
                yield Block(self._buffer, self._filled, self._base, False)
                self._skip_line()
        yield from self._remainder()

    def _fill(self) -> bool:
        """Fill the buffer; False when the stream ended before it was full."""
        view = memoryview(self._buffer)
        while self._filled < len(view):
            count = self._read(view[self._filled :])
            if not count:
                return False
            self._filled += count
        return True

    def _read(self, target: memoryview) -> int:
        try:
            count = self._readinto(target) or 0
        except Exception as error:  # noqa: BLE001 - every codec has its own errors; what was read still counts
            self.stopped = str(error) or type(error).__name__
            return 0
        self.size_bytes += count
        return count

    def _drop(self, count: int) -> None:
        tail = bytes(memoryview(self._buffer)[count : self._filled])
        self._buffer[: len(tail)] = tail
        self._filled = len(tail)
        self._base += count

    def _grow(self) -> None:
        larger = bytearray(min(2 * len(self._buffer), self._limit))
        larger[: self._filled] = memoryview(self._buffer)[: self._filled]
        self._buffer = larger

    def _skip_line(self) -> None:
        """Throw away the rest of a line that is longer than the limit."""
        self._drop(self._filled)
        while count := self._read(memoryview(self._buffer)):
            self._filled = count
            end = self._buffer.find(b"\n", 0, count) + 1
            self._drop(end or count)
            if end:
                return

    def _remainder(self) -> Iterator[Block]:
        cut = self._buffer.rfind(b"\n", 0, self._filled) + 1
        if cut:
            unwrap(self._buffer, cut)
            yield Block(self._buffer, cut, self._base, True)
            self._drop(cut)
        if self._filled:
            unwrap(self._buffer, self._filled)
            yield Block(self._buffer, self._filled, self._base, False)
