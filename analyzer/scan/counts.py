"""How often each kind of line occurs per minute.

The template of a line is what remains when every hexadecimal digit is deleted: numbers, addresses and time stamps go,
words keep enough to be told apart. Deleting is one pass in C over a block and was the fastest way measured.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet

import polars as pl

from analyzer.scan.blocks import Block
from analyzer.scan.candidates import LineStarts, NewlineMask
from analyzer.scan.lineindex import STEP, first_step

DELETED = b"0123456789abcdefABCDEF\r"

MAX_TEMPLATES = 20_000
"""Templates told apart in one source; lines of any further one are counted under ``OTHER``."""

OTHER = 0
"""Template of lines beyond ``MAX_TEMPLATES``."""

MAX_KEY_BYTES = 400
"""Part of a template that is compared."""

MAX_SAMPLE = 500
"""Bytes kept of the first line of a notable template."""

MAX_PENDING = 65_536
"""Counts held in a dictionary before they are packed into a frame."""

Stamp = Callable[[bytes], float | None]
"""Seconds on the source's own clock that a line states; None when it states none."""

COLUMNS = {"minute": pl.Int64, "template": pl.UInt64, "count": pl.Int64}
FIRST = {"template": pl.UInt64, "first_line": pl.Int64, "first_offset": pl.Int64, "sample": pl.Binary}
WHOLE = COLUMNS | FIRST


def template_of(line: bytes) -> int:
    """Number of a line's template, the same in every run."""
    return _number(line.translate(None, DELETED))


def _number(key: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(key[:MAX_KEY_BYTES], digest_size=8).digest(), "little")


def _stripped_lines(block: Block) -> list[bytes]:
    lines = bytes(block.view()).translate(None, DELETED).split(b"\n")
    if block.terminated:
        lines.pop()
    return lines


def _line_at(block: Block, offset: int) -> bytes:
    end = block.buffer.find(b"\n", offset, block.size)
    return bytes(block.buffer[offset : end if end >= 0 else block.size]).rstrip(b"\r")


class TemplateCounts:
    """Counts of one source, fed block by block."""

    def __init__(self, stamp: Stamp | None, notable: re.Pattern[bytes] | None = None) -> None:
        """Start empty.

        Args:
            stamp: Reads the seconds that a line states.
            notable: Lines whose text is worth keeping, one for each template.
        """
        self._stamp = stamp
        self._notable = notable
        self._minute: int | None = None
        self._first: dict[int, tuple[int, int, bytes | None]] = {}
        self._numbers: dict[bytes, int] = {}
        self._pending: Counter[tuple[int | None, int]] = Counter()
        self._frames: list[pl.DataFrame] = []

    def feed(self, block: Block, starts: LineStarts) -> None:
        """Count the lines of a block."""
        lines = _stripped_lines(block)
        for begin, end in self._runs(block, starts, len(lines)):
            self._count(lines, begin, end, block, starts)
        if len(self._pending) > MAX_PENDING:
            self._pack()

    def frame(self) -> pl.DataFrame:
        """One row per minute and template.

        Columns ``minute``, ``template``, ``count``, ``first_line``, ``first_offset`` and ``sample``: the beginning of
        the template's first line where that is notable, else null.
        """
        if not self._frames:
            return self._small_frame()
        self._pack()
        firsts = [(number, *place) for number, place in self._first.items()]
        counted = pl.concat(self._frames).group_by("minute", "template").agg(pl.col("count").sum())
        first = pl.DataFrame(firsts, schema=FIRST, orient="row")
        return counted.join(first, on="template", how="left").sort("minute", "first_line")

    def _small_frame(self) -> pl.DataFrame:
        """The same without a query, which would cost more than the pass over a short log."""
        rows = [(minute, number, count, *self._first[number]) for (minute, number), count in self._pending.items()]
        rows.sort(key=lambda row: (row[0] is not None, row[0] or 0, row[3]))
        columns = zip(*rows, strict=True) if rows else ((),) * len(WHOLE)
        series = (pl.Series(name, values, dtype) for (name, dtype), values in zip(WHOLE.items(), columns, strict=True))
        return pl.DataFrame(list(series))

    def _runs(self, block: Block, starts: LineStarts, lines: int) -> Iterator[tuple[int, int]]:
        """Runs of lines of one minute, while ``_minute`` is that minute; the minute is read on each 64th line."""
        begin = 0
        for place in range(first_step(starts.first_line), lines, STEP) if self._stamp else ():
            minute = self._read_minute(block, starts, place)
            if minute is not None and minute != self._minute:
                if place > begin:
                    yield begin, place
                begin, self._minute = place, minute
        if begin < lines:
            yield begin, lines

    def _read_minute(self, block: Block, starts: LineStarts, place: int) -> int | None:
        seconds = self._stamp(_line_at(block, int(starts.offsets[place]))) if self._stamp else None
        return None if seconds is None else int(seconds // 60)

    def _count(self, lines: list[bytes], begin: int, end: int, block: Block, starts: LineStarts) -> None:
        found = Counter(lines if end - begin == len(lines) else lines[begin:end])
        unknown = found.keys() - self._numbers.keys()
        if unknown:
            self._learn(unknown, lines, range(begin, end), block, starts)
        for key, count in found.items():
            self._pending[self._minute, self._numbers.get(key, OTHER)] += count

    def _learn(
        self, unknown: AbstractSet[bytes], lines: list[bytes], places: range, block: Block, starts: LineStarts
    ) -> None:
        for place in places:
            key = lines[place]
            if key in unknown and key not in self._numbers:
                number = _number(key) if len(self._numbers) < MAX_TEMPLATES else OTHER
                if number not in self._first:
                    offset = int(starts.offsets[place])
                    sample = self._sample(block, offset) if number != OTHER else None
                    self._first[number] = (starts.first_line + place, starts.base + offset, sample)
                if number != OTHER:
                    self._numbers[key] = number

    def _sample(self, block: Block, offset: int) -> bytes | None:
        if self._notable is None:
            return None
        line = _line_at(block, offset)[:MAX_SAMPLE]
        return line if self._notable.search(line) else None

    def _pack(self) -> None:
        rows = [(minute, number, count) for (minute, number), count in self._pending.items()]
        self._frames.append(pl.DataFrame(rows, schema=COLUMNS, orient="row"))
        self._pending.clear()


def line_rows(blocks: Iterable[Block]) -> Iterator[pl.DataFrame]:
    """One metadata row per line, a frame per block.

    Args:
        blocks: Blocks of a source in order, from ``BlockReader``.

    Yields:
        ``line`` from 1, ``offset`` in bytes, ``template`` as in ``template_of``.
    """
    numbers: dict[bytes, int] = {}
    newlines = NewlineMask()
    line = 1
    for block in blocks:
        starts = LineStarts(block, newlines.of(block), line)
        keys = _stripped_lines(block)
        for key in set(keys).difference(numbers):
            numbers[key] = _number(key)
        yield pl.DataFrame(
            {
                "line": pl.Series(range(line, line + len(keys)), dtype=pl.Int64),
                "offset": pl.Series(starts.offsets + block.base, dtype=pl.Int64),
                "template": pl.Series([numbers[key] for key in keys], dtype=pl.UInt64),
            }
        )
        line += len(keys)
        if len(numbers) > MAX_TEMPLATES:
            numbers.clear()
