"""Heads of one source's lines: their stamps and hosts, the boots they open, the true times they state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import msgspec

from analyzer.facts.reading import Reading
from analyzer.model.patterns import LinePattern
from analyzer.model.stamps import Prefix, RawStamp
from analyzer.sources.clocks import Anchor, anchor
from analyzer.sources.parameters import parameters
from analyzer.sources.statements import Statement

STATEMENTS = "clock."
"""Beginning of the events whose lines state the true time or the zone."""

HEAD_LINES = 100


class LogHeads(msgspec.Struct, eq=False):
    """What the heads of one source's lines say.

    Attributes:
        reading: The source.
        lines: Prefix by line number, of the first lines and of every line that was found.
        banners: Lines that open a boot.
        anchors: Line number and true time beside the line's own stamp.
        steps: Line number and seconds by which the clock was set forward just before it.
        boots: Line number and what it states of when the node booted.
        hosts: Lines per host named by the lines themselves.
    """

    reading: Reading
    lines: dict[int, Prefix | None] = msgspec.field(default_factory=dict)
    banners: list[int] = msgspec.field(default_factory=list)
    anchors: list[tuple[int, Anchor]] = msgspec.field(default_factory=list)
    steps: list[tuple[int, float]] = msgspec.field(default_factory=list)
    boots: list[tuple[int, Statement]] = msgspec.field(default_factory=list)
    hosts: Counter[str] = msgspec.field(default_factory=Counter)

    def stamp(self, line: int) -> RawStamp | None:
        """Stamp of a line, None if it has none."""
        prefix = self.lines.get(line)
        return None if prefix is None else prefix.stamp


def read_heads(reading: Reading, patterns: Sequence[LinePattern]) -> LogHeads:
    """Read the heads of all lines that were found, and of the first ones.

    Args:
        reading: The source.
        patterns: Patterns that its hits refer to.
    """
    heads = LogHeads(reading)
    if reading.prefix is not None:
        _read_lines(heads, reading)
    boot_event = parameters().boot_event
    for hit in reading.scan.hits:
        event = patterns[hit.pattern].event
        if event == boot_event:
            heads.banners.append(hit.line)
        elif event.startswith(STATEMENTS):
            stated = anchor(event, hit.captures, heads.stamp(hit.line))
            if stated is not None:
                _note(heads, hit.line, stated)
    return heads


def _note(heads: LogHeads, line: int, stated: Anchor) -> None:
    statement = stated.statement
    if statement.step_s is not None:
        heads.steps.append((line, statement.step_s))
    elif statement.boot or statement.uptime_s is not None:
        heads.boots.append((line, statement))
    else:
        heads.anchors.append((line, stated))


def _read_lines(heads: LogHeads, reading: Reading) -> None:
    prefix = reading.prefix
    assert prefix is not None
    early = reading.head.split(b"\n")[:-1][:HEAD_LINES]
    numbers = reading.head_lines if reading.head_lines is not None else range(1, len(early) + 1)
    heads.lines = {
        number: found for number, line in zip(numbers, early, strict=False) if (found := prefix(line)) is not None
    }
    for hit in reading.scan.hits:
        if hit.line not in heads.lines:
            heads.lines[hit.line] = prefix(hit.text)
    for block in reading.scan.blocks:
        heads.lines.setdefault(block.first_line, prefix(block.lines[0]))
    heads.hosts.update(found.host for found in heads.lines.values() if found and found.host)
