"""Line patterns as the scan needs them, and what a scan of one source returns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from analyzer.model.formats import Problem


class LinePattern(msgspec.Struct, frozen=True):
    """One pattern of one event.

    Attributes:
        index: Position in the pattern list; hits refer to it.
        event: Name of the event it detects.
        regex: Expression with named groups in the subset common to Hyperscan, Rust regex and ``regex``; bytes
            semantics, matched against one line without its end.
        families: The source families it is tried on; empty for every source.
        bulk: True for patterns that hit a large share of lines: extracted column-wise and never capped.
        trusted: False for patterns that are not shipped; they are run with a time limit.
    """

    index: int
    event: str
    regex: str
    families: frozenset[str] = frozenset()
    bulk: bool = False
    trusted: bool = True


class Hit(msgspec.Struct, frozen=True, gc=False):
    """One line that one pattern matched.

    Attributes:
        pattern: Index of the pattern.
        line: Line number, from 1.
        offset: Byte offset of the line's start in the (decompressed) source.
        text: The line's bytes without its end, cut at ``MAX_TEXT``.
        captures: Values of the pattern's named groups in order of their number, each cut at ``MAX_CAPTURE``; None
            where a group took no part.
    """

    pattern: int
    line: int
    offset: int
    text: bytes
    captures: tuple[bytes | None, ...]


MAX_TEXT = 1_000
"""Bytes of a matched line that are kept."""

MAX_CAPTURE = 16_384
"""Bytes of one captured value that are kept."""


class BlockHit(msgspec.Struct, frozen=True):
    """Lines of one multi-line record found by a block parser's anchor.

    Attributes:
        parser: Name of the block parser's format.
        first_line: Line number of the anchor.
        lines: The record's lines without their ends, the anchor first.
    """

    parser: str
    first_line: int
    lines: Sequence[bytes]


class SourceScan(msgspec.Struct):
    """What one pass over one source found; nothing in it is resolved yet.

    Attributes:
        source: Index of the source.
        lines: Number of lines.
        size_bytes: Number of bytes.
        hits: Hits of ordinary patterns, in file order, capped per pattern.
        totals: Exact number of matching lines per pattern index, beyond the cap too.
        bulk: Per bulk pattern index a polars frame (line, offset, one column per named group).
        blocks: Multi-line records.
        counts: Template counts: a polars frame (minute, template, count, first_line, first_offset, sample), or None if
            not asked for. The minute counts from the zero of the source's own clock and is null without a stamp. The
            sample is the first line of a template that reads like an error and that no pattern knows, else null.
        index: Sparse line index: a NumPy array of byte offsets of each 64th line from the first on; None without
            counts.
        stopped: Why the pass ended before the end of the source, empty if it did not.
        problems: Lines cut short, patterns that took too long, records beyond a limit.
    """

    source: int
    lines: int = 0
    size_bytes: int = 0
    hits: list[Hit] = msgspec.field(default_factory=list)
    totals: dict[int, int] = msgspec.field(default_factory=dict)
    bulk: dict[int, Any] = msgspec.field(default_factory=dict)
    blocks: list[BlockHit] = msgspec.field(default_factory=list)
    counts: Any = None
    index: Any = None
    stopped: str = ""
    problems: list[Problem] = msgspec.field(default_factory=list)
