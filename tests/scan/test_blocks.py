"""Blocks hold whole lines, and together they are the stream."""

from __future__ import annotations

import gzip
import io
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.scan.blocks import BlockReader


class Trickle(io.RawIOBase):
    """A stream that hands out a few bytes at a time and may break off."""

    def __init__(self, data: bytes, step: int, error: Exception | None = None) -> None:
        super().__init__()
        self._data, self._step, self._error = data, step, error

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        if not self._data and self._error:
            raise self._error
        part = self._data[: min(self._step, len(buffer))]
        buffer[: len(part)] = part
        self._data = self._data[len(part) :]
        return len(part)


def read(reader: BlockReader) -> list[tuple[int, bytes]]:
    return [(block.base, bytes(block.view())) for block in reader]


@given(st.lists(st.sampled_from([b"", b"a", b"bb\r", b"c" * 30, b"\x00\xff"])), st.booleans(), st.integers(4, 40))
def test_blocks_join_to_the_stream_and_break_only_after_newlines(lines: list[bytes], ended: bool, size: int) -> None:
    data = b"\n".join(lines) + (b"\n" if ended else b"")
    blocks = read(BlockReader(Trickle(data, 7), size))
    assert b"".join(content for _, content in blocks) == data
    assert [base for base, _ in blocks] == [data.find(content, base) for base, content in blocks]
    assert all(content.endswith(b"\n") for _, content in blocks[:-1])


def test_a_line_longer_than_a_block_stays_whole() -> None:
    data = b"short\n" + b"x" * 100 + b"\nend\n"
    assert read(BlockReader(io.BytesIO(data), 16)) == [(0, b"short\n"), (6, b"x" * 100 + b"\nend\n")]


def test_the_rest_of_a_line_beyond_the_limit_is_skipped_and_counted() -> None:
    reader = BlockReader(io.BytesIO(b"a\n" + b"x" * 100 + b"\nend\n"), 16, line_limit_bytes=32)
    assert read(reader) == [(0, b"a\n"), (2, b"x" * 32), (103, b"end\n")]
    assert reader.truncated_lines == 1
    assert reader.size_bytes == 107


def test_an_endless_last_line_ends_with_the_stream() -> None:
    reader = BlockReader(io.BytesIO(b"x" * 100), 16, line_limit_bytes=32)
    assert read(reader) == [(0, b"x" * 32)]
    assert reader.size_bytes == 100


@pytest.mark.parametrize("error", [OSError("device gone"), EOFError("cut short"), zlib.error("bad data")])
def test_what_came_before_a_failure_is_handed_out(error: Exception) -> None:
    reader = BlockReader(Trickle(b"one\ntw", 3, error), 64)
    assert read(reader) == [(0, b"one\n"), (4, b"tw")]
    assert reader.stopped == str(error)


def test_a_truncated_gzip_gives_its_readable_lines() -> None:
    packed = gzip.compress(b"".join(b"line %d\n" % number for number in range(5000)))
    reader = BlockReader(gzip.GzipFile(fileobj=io.BytesIO(packed[: len(packed) // 2])), 1024)
    content = b"".join(content for _, content in read(reader))
    assert content.startswith(b"line 0\nline 1\n")
    assert reader.stopped.startswith("Compressed file ended")
