"""Patterns that hit a large share of lines: their fields are extracted column by column, none is dropped."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from analyzer.scan.candidates import LineBatch
from analyzer.scan.columns import MATCHED, column_expression, text_column
from analyzer.scan.verify import Attempts, Verifier, group_names

PLACED_LINES = 16
"""Lines of a block from which on taking them at once pays."""

BATCH_LINES = 16_384
"""Candidate lines collected before they are extracted at once."""

FEW_LINES = 64
"""Candidate lines of a whole source up to which a query costs more than looking at each."""


class BulkColumns:
    """Candidate lines of one bulk pattern in one source and what was extracted from them."""

    def __init__(self, verifier: Verifier) -> None:
        self._names = group_names(verifier.regex)
        self._attempts = Attempts(verifier)
        self._lines: list[int] = []
        self._offsets: list[int] = []
        self._texts: list[bytes] = []
        self._frames: list[pl.DataFrame] = []

    @property
    def timeouts(self) -> int:
        """Lines on which the pattern took too long."""
        return self._attempts.timeouts

    def take(self, line: int, offset: int, text: bytes) -> None:
        """Take a line that the pattern may match."""
        self._lines.append(line)
        self._offsets.append(offset)
        self._texts.append(text)
        if len(self._lines) >= BATCH_LINES:
            self._flush()

    def takes_batches(self, lines: int, proven: bool) -> bool:  # noqa: ARG002
        """Lines may always come many at once; they are verified when they are extracted."""
        return lines >= PLACED_LINES

    def take_batch(self, batch: LineBatch, proven: bool) -> None:  # noqa: ARG002
        """Take several lines at once."""
        self._lines += batch.lines.tolist()
        self._offsets += batch.offsets.tolist()
        self._texts += batch.texts()
        if len(self._lines) >= BATCH_LINES:
            self._flush()

    def frame(self) -> pl.DataFrame:
        """One row per matching line: ``line``, ``offset`` and one text column per named group."""
        if not self._frames and len(self._lines) <= FEW_LINES:
            return self._rows(range(len(self._lines)))
        self._flush()
        return pl.concat(self._frames).rechunk()

    def _flush(self) -> None:
        if not self._lines:
            return
        expression = column_expression(self._attempts.regex)
        if expression and all(map(bytes.isascii, self._texts)):
            self._frames.append(self._columns(expression, self._lines, self._offsets, self._texts))
        else:
            self._flush_mixed(expression)
        self._lines, self._offsets, self._texts = [], [], []

    def _flush_mixed(self, expression: str | None) -> None:
        """Lines outside ASCII line by line, so that bytes keep their meaning; then all in file order."""
        plain = [place for place, text in enumerate(self._texts) if expression and text.isascii()]
        other = sorted(set(range(len(self._texts))).difference(plain))
        frames = []
        if expression and plain:
            lines, offsets = [self._lines[place] for place in plain], [self._offsets[place] for place in plain]
            frames.append(self._columns(expression, lines, offsets, [self._texts[place] for place in plain]))
        self._frames.append(pl.concat([*frames, self._rows(other)]).sort("line"))

    def _columns(
        self, expression: str, lines: Sequence[int], offsets: Sequence[int], texts: Sequence[bytes]
    ) -> pl.DataFrame:
        groups = text_column(texts).str.extract_groups(expression).struct.unnest()
        frame = groups.with_columns(line=pl.Series(lines, dtype=pl.Int64), offset=pl.Series(offsets, dtype=pl.Int64))
        return frame.filter(pl.col(MATCHED).is_not_null()).select("line", "offset", *self._names)

    def _rows(self, places: Sequence[int]) -> pl.DataFrame:
        rows = []
        for place in places:
            captures = self._attempts.captures(self._texts[place])
            if captures is not None:
                rows.append((self._lines[place], self._offsets[place], *map(_lossy, captures)))
        schema = {"line": pl.Int64, "offset": pl.Int64} | dict.fromkeys(self._names, pl.String)
        columns = zip(*rows, strict=True) if rows else ((),) * len(schema)
        return pl.DataFrame(
            [pl.Series(name, values, dtype) for (name, dtype), values in zip(schema.items(), columns, strict=True)]
        )


def _lossy(value: bytes | None) -> str | None:
    return None if value is None else value.decode("utf-8", "replace")
