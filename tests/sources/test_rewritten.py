"""Streams whose lines a parser rewrites."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pytest

from analyzer.bundle.limits import StreamCutError
from analyzer.bundle.streams import ByteStream
from analyzer.sources.rewritten import RewrittenStream, rewritten, rewritten_head


class Parts(ByteStream):
    """Gives its parts, then ends, or breaks off."""

    def __init__(self, *parts: bytes, cut: bool = False) -> None:
        super().__init__()
        self._parts = list(parts)
        self._broken = cut

    def _chunk(self) -> bytes:
        if self._parts:
            return self._parts.pop(0)
        if self._broken:
            raise StreamCutError("ends early")
        return b""


def upper(lines: Iterable[bytes]) -> Iterator[bytes]:
    for line in lines:
        yield line.upper()


def test_lines_are_rewritten_across_the_parts_of_the_stream() -> None:
    assert RewrittenStream(Parts(b"on", b"e\nt", b"wo\n\nthree"), upper).read() == b"ONE\nTWO\n\nTHREE\n"


def test_a_cut_is_reported_behind_the_last_line() -> None:
    stream = RewrittenStream(Parts(b"one\ntw", cut=True), upper)
    assert stream.read(7) == b"ONE\nTW\n"
    with pytest.raises(StreamCutError, match="ends early"):
        stream.read(1)


def test_without_a_rewriter_the_stream_stays() -> None:
    stream = Parts(b"one\n")
    assert rewritten(stream, None) is stream


def test_the_head_is_rewritten_up_to_its_last_whole_line() -> None:
    assert rewritten_head(b"one\ntwo\nthr", upper) == b"ONE\nTWO\n"
