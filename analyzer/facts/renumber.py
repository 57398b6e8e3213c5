"""Gives what was read of a part of a file the line numbers of the file."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
import polars as pl

from analyzer.model.formats import Dump, Problem
from analyzer.model.patterns import BlockHit, Hit, SourceScan
from analyzer.model.tables import Row
from analyzer.sources.layouts.parts import Numbering


def renumbered_scan(scan: SourceScan, numbering: Numbering) -> SourceScan:
    """A scan of a part with the file's lines and offsets; the sparse index, which counts by bytes, is dropped."""
    return msgspec.structs.replace(
        scan,
        hits=[_hit(hit, numbering) for hit in scan.hits],
        bulk={index: _frame(frame, numbering) for index, frame in scan.bulk.items()},
        blocks=[_block(block, numbering) for block in scan.blocks],
        counts=None if scan.counts is None else _counts(scan.counts, numbering),
        index=None,
        problems=problems(scan.problems, numbering),
    )


def renumbered_dump(dump: Dump, numbering: Numbering) -> Dump:
    """A dump of a part with the file's lines."""
    return msgspec.structs.replace(dump, rows=rows(dump.rows, numbering), problems=problems(dump.problems, numbering))


def rows(found: Sequence[Row], numbering: Numbering) -> list[Row]:
    """Table rows with the file's lines."""
    return [msgspec.structs.replace(row, line=numbering.line(row.line)) if row.line else row for row in found]


def problems(found: Sequence[Problem], numbering: Numbering) -> list[Problem]:
    """Problems with the file's lines."""
    return [msgspec.structs.replace(p, line=numbering.line(p.line)) if p.line else p for p in found]


def _hit(hit: Hit, numbering: Numbering) -> Hit:
    return msgspec.structs.replace(hit, line=numbering.line(hit.line), offset=numbering.start(hit.line))


def _block(block: BlockHit, numbering: Numbering) -> BlockHit:
    return msgspec.structs.replace(block, first_line=numbering.line(block.first_line))


def _frame(frame: pl.DataFrame, numbering: Numbering) -> pl.DataFrame:
    places = np.clip(frame["line"].to_numpy() - 1, 0, max(len(numbering.lines) - 1, 0))
    return frame.with_columns(
        pl.Series("line", numbering.lines[places], dtype=frame["line"].dtype),
        pl.Series("offset", numbering.starts[places], dtype=frame["offset"].dtype),
    )


def _counts(counts: pl.DataFrame, numbering: Numbering) -> pl.DataFrame:
    places = np.clip(counts["first_line"].to_numpy() - 1, 0, max(len(numbering.lines) - 1, 0))
    return counts.with_columns(
        pl.Series("first_line", numbering.lines[places], dtype=counts["first_line"].dtype),
        pl.Series("first_offset", numbering.starts[places], dtype=counts["first_offset"].dtype),
    )
