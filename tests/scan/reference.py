"""The plain way to find patterns: every line, every pattern. Slow, and obviously right."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from typing import NamedTuple

from analyzer.model.patterns import MAX_TEXT, Hit, LinePattern, SourceScan
from analyzer.scan.engine import Scanner

ENGINES = ("hyperscan", "ahocorasick")
KERNEL = frozenset({"kernel"})


class PlainHit(NamedTuple):
    pattern: int
    line: int
    offset: int
    text: bytes
    captures: tuple[bytes | None, ...]


def pattern(index: int, regex: str, **options: object) -> LinePattern:
    return LinePattern(index, f"event{index}", regex, **options)  # type: ignore[arg-type]


def patterns(*regexes: str) -> list[LinePattern]:
    return [pattern(index, regex) for index, regex in enumerate(regexes)]


def plain_hits(data: bytes, wanted: Sequence[LinePattern]) -> list[PlainHit]:
    found = []
    offset = 0
    for number, line in enumerate(split_lines(data), 1):
        text = line.rstrip(b"\r")
        for one in wanted:
            compiled = re.compile(one.regex.encode())
            match = compiled.search(text)
            if match:
                captures = tuple(match[group] for group in sorted(compiled.groupindex.values()))
                found.append(PlainHit(one.index, number, offset, text[:MAX_TEXT], captures))
        offset += len(line) + 1
    return found


def split_lines(data: bytes) -> list[bytes]:
    lines = data.split(b"\n")
    return lines[:-1] if lines[-1] == b"" else lines


def as_plain(hits: Sequence[Hit]) -> list[PlainHit]:
    return [PlainHit(hit.pattern, hit.line, hit.offset, hit.text, hit.captures) for hit in hits]


def scan(data: bytes, scanner: Scanner, families: frozenset[str] = KERNEL) -> SourceScan:
    return scanner.scan(io.BytesIO(data), families, 0)
