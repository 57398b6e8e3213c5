"""Readings and heads of lines for the tests of facts, without a file to read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from analyzer.facts.heads import LogHeads
from analyzer.facts.reading import Reading
from analyzer.model.formats import Dump
from analyzer.model.patterns import Hit, LinePattern, SourceScan
from analyzer.model.sources import Source
from analyzer.model.stamps import Prefix, RawStamp, StampKind
from analyzer.model.tables import Row

PATTERNS = (LinePattern(0, "example.down", r"down (?P<port>\S+)"), LinePattern(1, "kernel.boot", "boot"))


def reading(
    index: int = 0, path: str = "log.txt", hits: Sequence[Hit] = (), rows: Sequence[Row] = (),
    node: str | None = None, taken_s: float | None = None,
) -> Reading:  # fmt: skip
    """One source with its hits and the rows of its dump; ``node`` and ``taken_s`` are what the dump states."""
    source = Source(index, path, "dmesg", "", frozenset({"kernel"}))
    dump = Dump(rows, node=node, taken_s=taken_s) if rows or node or taken_s is not None else None
    return Reading(source, SourceScan(index, hits=list(hits)), dump)


def hit(line: int, *captures: str, pattern: int = 0, text: str = "down") -> Hit:
    """A hit of the example pattern, or of another of ``PATTERNS``."""
    return Hit(pattern, line, 0, text.encode(), tuple(captured.encode() for captured in captures))


def up(seconds: float, host: str | None = None) -> Prefix:
    """A line stamped by the seconds since boot."""
    return Prefix(RawStamp(StampKind.UPTIME, seconds, 1e-6), host)


def utc(seconds: float, host: str | None = None) -> Prefix:
    """A line stamped in UTC, in whole seconds."""
    return Prefix(RawStamp(StampKind.UTC, seconds), host)


def heads(lines: Mapping[int, Prefix | None], index: int = 0) -> LogHeads:
    """Heads of the lines of one source, by line number."""
    return LogHeads(reading(index), dict(lines))
