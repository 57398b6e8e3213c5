"""Error lines that nothing knows, of all logs together: one row per kind of message."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

import msgspec
import polars as pl

from analyzer.bundle.display import clean
from analyzer.facts.reading import Reading

_VARIABLE = re.compile(r"0x[0-9a-fA-F]+|\b[0-9a-fA-F]{2,}(?=[:.\-]|\b)(?<=\d)|\d+")
"""What differs between two lines of one kind."""


class UnknownLine(msgspec.Struct, frozen=True):
    """A kind of message: its text with ``#`` for numbers, how often, and where it stands first."""

    template: str
    count: int
    file: str
    line: int


def unknown_lines(readings: Sequence[Reading]) -> tuple[UnknownLine, ...]:
    """Merge what the logs hold of each kind, the most frequent first.

    Args:
        readings: Every source, read with counts; without counts nothing is returned.
    """
    merged: dict[str, UnknownLine] = {}
    for found in _of_logs(readings):
        known = merged.get(found.template)
        total = found.count + (known.count if known else 0)
        merged[found.template] = msgspec.structs.replace(known or found, count=total)
    return tuple(sorted(merged.values(), key=lambda kind: (-kind.count, kind.file, kind.line)))


def _of_logs(readings: Iterable[Reading]) -> Iterator[UnknownLine]:
    for reading in readings:
        if reading.dump is None and reading.scan.counts is not None:
            for count, line, sample in _samples(reading.scan.counts):
                yield UnknownLine(_template(sample, reading), count, reading.source.path, line)


def _samples(counts: pl.DataFrame) -> list[tuple[int, int, bytes]]:
    if counts["sample"].null_count() == counts.height:
        return []
    kinds = (
        counts.lazy()
        .filter(pl.col("sample").is_not_null())
        .group_by("template", maintain_order=True)
        .agg(pl.col("count").sum(), pl.col("first_line", "sample").first())
    )
    return kinds.select("count", "first_line", "sample").collect().rows()


def _template(sample: bytes, reading: Reading) -> str:
    prefix = reading.prefix(sample) if reading.prefix else None
    message = sample[prefix.start :] if prefix else sample
    return _VARIABLE.sub("#", clean(message.decode("utf-8", "replace"))).strip()
