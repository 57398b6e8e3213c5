"""A log's lines as its parser rewrites them: forms of several lines an entry become one line each, in its place."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from analyzer.bundle.limits import StreamCutError
from analyzer.bundle.streams import ByteStream

Rewriter = Callable[[Iterable[bytes]], Iterator[bytes]]
"""Gives one line, without its end, for each line it takes."""

READ_BYTES = 1 << 18
WRITE_BYTES = 1 << 18
LONGEST_LINE_BYTES = 16 << 20
"""Of a longer line only so much is rewritten."""


def rewriter_of(parser: Any, head: bytes) -> Rewriter | None:
    """How a parser rewrites the lines of a source that begins with these bytes; None where they stay as they are."""
    choose = getattr(parser, "rewriter", None)
    return None if choose is None else choose(head)


def rewritten_head(head: bytes, rewrite: Rewriter | None) -> bytes:
    """The whole lines of a source's first bytes, rewritten; the bytes themselves where nothing is."""
    if rewrite is None:
        return head
    return b"".join(line + b"\n" for line in rewrite(head.split(b"\n")[:-1]))


def rewritten(stream: ByteStream, rewrite: Rewriter | None) -> ByteStream:
    """The stream with its lines rewritten."""
    return stream if rewrite is None else RewrittenStream(stream, rewrite)


class RewrittenStream(ByteStream):
    """The rewritten lines of a stream; offsets count in the rewritten text, line numbers are those of the stream."""

    def __init__(self, source: ByteStream, rewrite: Rewriter) -> None:
        super().__init__()
        self._source = source
        self._cut_by: StreamCutError | None = None
        self._lines = rewrite(self._read_lines())

    def close(self) -> None:
        """Close the stream underneath."""
        self._source.close()

    def _chunk(self) -> bytes:
        parts, size = [], 0
        for line in self._lines:
            parts.append(line)
            size += len(line) + 1
            if size >= WRITE_BYTES:
                break
        if parts:
            return b"\n".join(parts) + b"\n"
        if self._cut_by is not None:
            raise self._cut_by
        return b""

    def _read_lines(self) -> Iterator[bytes]:
        rest: list[bytes] = []
        held = 0
        while part := self._next_part():
            *whole, last = part.split(b"\n")
            if whole:
                yield b"".join(rest) + whole[0]
                yield from whole[1:]
                rest, held = [], 0
            if held < LONGEST_LINE_BYTES:
                rest.append(last)
                held += len(last)
        if tail := b"".join(rest):
            yield tail

    def _next_part(self) -> bytes:
        try:
            return self._source.read(READ_BYTES)
        except StreamCutError as cut:
            self._cut_by = cut
            return b""
