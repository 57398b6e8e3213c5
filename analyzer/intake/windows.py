"""Reads a file that its head shows to be laid out in parts, a bounded run of lines at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec
import numpy as np

from analyzer.bundle import ByteStream, Member, StreamCutError
from analyzer.bundle.encoding import as_utf8
from analyzer.bundle.streams import CallStream
from analyzer.facts.reading import Reading
from analyzer.intake.sources import Reader
from analyzer.model.formats import Problem
from analyzer.model.sources import Source
from analyzer.sources.layouts.choose import INTERLEAVED, Layout, Piece
from analyzer.sources.layouts.parts import Numbering, Part

WINDOW_BYTES = 64 << 20
WHOLE_BYTES = 256 << 20
"""Largest file whose parts are sections, which cannot be cut at any line."""

Cut = Callable[[bytes], Layout | None]


class _Text:
    """The text of a stream, read in runs of whole lines."""

    def __init__(self, stream: ByteStream) -> None:
        self._stream = stream
        self.problems: list[Problem] = []
        self.lines = 0
        self.size_bytes = 0

    def run(self, limit: int) -> bytes:
        """The next lines, at most ``limit`` bytes unless one line is longer; empty at the end."""
        parts: list[bytes] = []
        size = 0
        while size < limit:
            part = self._read(1 << 20)
            if not part:
                break
            parts.append(part)
            size += len(part)
        while parts and not parts[-1].endswith(b"\n") and (more := self._line_end()):
            parts.append(more)
        return b"".join(parts)

    def took(self, data: bytes) -> None:
        """Count a run that was cut into parts."""
        self.lines += data.count(b"\n") + (not data.endswith(b"\n"))
        self.size_bytes += len(data)

    def more(self) -> bool:
        """Whether text is left."""
        return bool(self._stream.peek(1))

    def _line_end(self) -> bytes:
        """What is left of the line that a run was cut in."""
        ahead = self._stream.peek(1 << 16)
        return self._read(ahead.find(b"\n") + 1 or len(ahead)) if ahead else b""

    def _read(self, size: int) -> bytes:
        try:
            return self._stream.read(size)
        except StreamCutError as cut:
            self.problems.append(Problem(str(cut)))
            return b""


def in_parts(stream: ByteStream, cut: Cut, member: Member, reader: Reader) -> tuple[list[Reading], ByteStream]:
    """Read a file in parts.

    Args:
        stream: The file at its start.
        cut: Cuts its text, or a run of its lines, into parts.
        member: The file.
        reader: Reads each part.

    Returns:
        The readings, and a stream at the start of the file for when there are none: its text showed no parts.
    """
    text = _Text(as_utf8(stream))
    first = text.run(WINDOW_BYTES)
    layout = cut(first)
    if layout is not None and layout.name != INTERLEAVED and text.more():
        first += text.run(WHOLE_BYTES - WINDOW_BYTES)
        layout = cut(first)
    if layout is None:
        return [], _again(first, stream)
    runs = list(_pieces(first, layout, text, cut))
    if text.more():
        text.problems.append(Problem(f"only the first {WHOLE_BYTES >> 20} MiB were read"))
    whole = Source(0, member.path, "", "", frozenset(), text.lines, text.size_bytes, modified_s=member.modified_s)
    read = [reader.piece(piece, layout, whole) for piece in runs]
    if text.problems:
        source = read[0].source
        status = "partial" if source.status == "read" else source.status
        problems = (*source.problems, *text.problems)
        read[0].source = msgspec.structs.replace(source, problems=problems, status=status)
    return read, stream


def _pieces(first: bytes, layout: Layout, text: _Text, cut: Cut) -> Iterator[Piece]:
    """All parts of a file; an interleaved one is cut run by run, so that its size does not matter."""
    text.took(first)
    yield from layout.pieces
    while layout.name == INTERLEAVED and (data := text.run(WINDOW_BYTES)):
        lines, size_bytes = text.lines, text.size_bytes
        text.took(data)
        later = cut(data)
        for piece in later.pieces if later else ():
            yield _moved(piece, lines, size_bytes)


def _moved(piece: Piece, lines: int, size_bytes: int) -> Piece:
    part = piece.part
    numbering = Numbering(part.numbering.lines + np.int64(lines), part.numbering.starts + np.int64(size_bytes))
    moved = Part(part.data, numbering, part.title, part.node, part.node_why, part.known)
    return Piece(moved, piece.identified)


def _again(first: bytes, rest: ByteStream) -> ByteStream:
    """A stream over text that was read and what follows it."""
    waiting = [first]

    def chunk() -> bytes:
        return waiting.pop() if waiting else rest.read(1 << 20)

    return CallStream(chunk, rest.close)
