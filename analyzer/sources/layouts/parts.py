"""A part of a file: its text, and which lines of the file that text was taken from."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.int64]


class Numbering(msgspec.Struct, frozen=True, eq=False):
    """Which line of the file each line of a part was.

    Attributes:
        lines: Line number in the file per line of the part, shape (n,).
        starts: Byte offset in the file at which that line starts, shape (n,).
    """

    lines: Numbers
    starts: Numbers

    def line(self, number: int) -> int:
        """Number in the file of the part's line ``number`` (from 1); one past the end is that of the last line."""
        if not len(self.lines) or number < 1:
            return number
        return int(self.lines[min(number, len(self.lines)) - 1])

    def start(self, number: int) -> int:
        """Offset in the file of the part's line ``number``."""
        return int(self.starts[min(number, len(self.starts)) - 1]) if len(self.starts) and number > 0 else 0

    def of(self, inner: Numbering) -> Numbering:
        """The numbering of a part of this part."""
        places = np.clip(inner.lines - 1, 0, max(len(self.lines) - 1, 0))
        return Numbering(self.lines[places], self.starts[places])


class Part(msgspec.Struct, frozen=True, eq=False):
    """A part of a file that is a log or dump of its own.

    Attributes:
        data: Its text.
        numbering: Where its lines stand in the file.
        title: What the file says it is: a command, a path, a prefix; empty if nothing.
        node: Node it was taken on, None if the file does not say.
        node_why: How that is known.
        known: Whether the title names a program or log that is known, so that a weak resemblance is enough.
    """

    data: bytes
    numbering: Numbering
    title: str = ""
    node: str | None = None
    node_why: str = ""
    known: bool = False


class Lines:
    """Lines of a text without copying them.

    Attributes:
        data: The text.
        starts: Offset of each line, shape (n,).
        ends: Offset behind each line's text, its end not counted, shape (n,).
    """

    def __init__(self, data: bytes) -> None:
        self.data = data
        newlines = np.flatnonzero(np.frombuffer(data, np.uint8) == 10).astype(np.int64)
        self.starts: Numbers = np.concatenate((np.zeros(1, np.int64), newlines + 1))
        self.ends: Numbers = np.concatenate((newlines, np.asarray([len(data)], np.int64)))
        if len(self.starts) > 1 and self.starts[-1] == len(data):
            self.starts, self.ends = self.starts[:-1], self.ends[:-1]

    def __len__(self) -> int:
        return len(self.starts)

    def text(self, index: int) -> bytes:
        """Text of a line, counted from 0, without its end."""
        return self.data[self.starts[index] : self.ends[index]].rstrip(b"\r")

    def run(self, first: int, stop: int) -> Part:
        """Lines ``first`` to ``stop`` (from 0, excluded) as a part."""
        if first >= stop:
            return Part(b"", Numbering(np.zeros(0, np.int64), np.zeros(0, np.int64)))
        end = int(self.starts[stop]) if stop < len(self) else len(self.data)
        numbers = np.arange(first + 1, stop + 1, dtype=np.int64)
        return Part(self.data[self.starts[first] : end], Numbering(numbers, self.starts[first:stop]))


def joined(parts: Sequence[Part]) -> Part:
    """Parts of one file as one, in the order of their lines."""
    ordered = sorted((part for part in parts if part.data), key=lambda part: part.numbering.line(1))
    if not ordered:
        return Part(b"", Numbering(np.zeros(0, np.int64), np.zeros(0, np.int64)))
    numbering = Numbering(
        np.concatenate([part.numbering.lines for part in ordered]),
        np.concatenate([part.numbering.starts for part in ordered]),
    )
    data = b"".join(part.data if part.data.endswith(b"\n") else part.data + b"\n" for part in ordered)
    return Part(data, numbering, ordered[0].title, ordered[0].node, ordered[0].node_why)
