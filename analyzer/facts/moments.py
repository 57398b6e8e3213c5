"""Node, boot and UTC time of every line that was found, resolved by the segment it stands in."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from analyzer.facts.alignment import ClockStep, significant
from analyzer.facts.clock_facts import ClockFacts, clock_facts
from analyzer.facts.heads import LogHeads, read_heads
from analyzer.facts.machines import Machines
from analyzer.facts.placing import Clocks, Placed, place
from analyzer.facts.reading import Reading
from analyzer.facts.segment_clocks import Key, estimate_clocks
from analyzer.facts.skew import Skew
from analyzer.model.patterns import LinePattern
from analyzer.model.sources import Segment, Source
from analyzer.model.stamps import StampKind
from analyzer.model.tables import Row
from analyzer.options import Options
from analyzer.sources.names import NodeNames
from analyzer.sources.nodes import Clues, attribute
from analyzer.sources.segments import boot_lines, cut, segment_of


class PlacedLines(NamedTuple):
    """Segment and node of lines without stamps of their own, in the order asked for."""

    segment: NDArray[np.int64]
    node: list[str | None]


def resolve(
    readings: Sequence[Reading], patterns: Sequence[LinePattern], bundle_name: str, options: Options
) -> Moments:
    """Attribute every source to its node, cut it into boots and estimate its clocks.

    Args:
        readings: The sources.
        patterns: Patterns that hits refer to, those of clock statements included.
        bundle_name: Name of the input, which may name a node.
        options: Zone and year of stamps that state none.
    """
    logs = [read_heads(reading, patterns) for reading in readings]
    clues = [_clues(log) for log in logs]
    attributions, names = attribute(clues, bundle_name, _known_nodes(readings))
    segments = [
        cut(found.node, found.why, _boots(log), log.reading.source.first_line)
        for log, found in zip(logs, attributions, strict=True)
    ]
    clocks = estimate_clocks(logs, segments, options)
    return Moments(logs, segments, clocks, names)


class Moments:
    """Answers where and when a line belongs.

    Attributes:
        sources: The sources with their segments.
        machines: Names whose clock a row was stamped by.
        steps: Where clocks were set, in order of time.
    """

    def __init__(
        self, logs: Sequence[LogHeads], segments: Sequence[tuple[Segment, ...]],
        clocks: Mapping[Key, Clocks], names: NodeNames,
    ) -> None:  # fmt: skip
        self._segments = segments
        self._clocks = clocks
        self._names = names
        self._placed = {log.reading.source.index: self._place(log) for log in logs}
        self._whole = {
            log.reading.source.index: self._default(log, parts[0]) for log, parts in zip(logs, segments, strict=True)
        }
        self.sources: tuple[Source, ...] = tuple(
            msgspec.structs.replace(log.reading.source, segments=parts)
            for log, parts in zip(logs, segments, strict=True)
        )
        self.machines = Machines(self.sources, _zone_assumed(clocks))
        self.steps = significant([step for log in logs for step in self._steps(log)])

    def node_name(self, name: str) -> str:
        """Canonical name of a node from any of its spellings."""
        return self._names.canonical(name)

    def nodes(self) -> dict[int, tuple[str, ...]]:
        """Nodes that the lines of each source are of, that of the source first."""
        found: dict[int, tuple[str, ...]] = {}
        for source, segments in zip(self.sources, self._segments, strict=True):
            of_lines = sorted({placed.node for placed in self._placed[source.index].values() if placed.node})
            own = [segment.node for segment in segments if segment.node]
            found[source.index] = tuple(dict.fromkeys([*own, *of_lines]))
        return found

    def of_line(self, source: int, line: int) -> Placed:
        """Where and when a line belongs."""
        placed = self._placed[source].get(line)
        if placed is not None:
            return placed
        segments = self._segments[source]
        if len(segments) == 1:
            return self._whole[source]
        index = int(segment_of(segments, [line])[0])
        return self._whole[source]._replace(segment=index, node=segments[index].node)

    def of_lines(self, source: int, lines: NDArray[np.int64]) -> PlacedLines:
        """The segment and node of lines whose own stamps were not read."""
        index = segment_of(self._segments[source], lines)
        nodes = [segment.node for segment in self._segments[source]]
        return PlacedLines(index, [nodes[i] for i in index])

    def of_row(self, source: int, row: Row) -> Placed:
        """Where and when a table row belongs: what the row states wins."""
        placed = self.of_line(source, row.line) if row.line else self._whole[source]
        if row.node:
            placed = placed._replace(node=self.node_name(row.node))
        if row.stamp_s is not None:
            placed = placed._replace(time_us=round(row.stamp_s * 1e6), uncertainty_s=0.5)
        return placed

    def clock_facts(self, skews: Mapping[str, Skew]) -> dict[int, ClockFacts]:
        """What is known of each source's clock, for coverage.

        Args:
            skews: How far the machines' clocks are off.
        """
        facts: dict[int, ClockFacts] = {}
        for (source, segment), clocks in sorted(self._clocks.items(), reverse=True):
            clock = next(iter(clocks.values()))
            skew = skews.get(self.machines.of(source, self._segments[source][segment].node))
            facts[source] = clock_facts(clock, skew)
        return facts

    def _steps(self, log: LogHeads) -> Iterable[ClockStep]:
        source = log.reading.source.index
        for line, step_s in log.steps:
            placed = self._placed[source].get(line)
            if placed is not None and placed.time_us is not None:
                yield ClockStep(source, placed.node, line, placed.time_us / 1e6, step_s)

    def _default(self, log: LogHeads, first: Segment) -> Placed:
        taken_s = log.reading.dump.taken_s if log.reading.dump else None
        time_us = None if taken_s is None else round(taken_s * 1e6)
        return Placed(0, first.node, time_us, None if taken_s is None else 0.5, None, None)

    def _place(self, log: LogHeads) -> dict[int, Placed]:
        source = log.reading.source.index
        segments = self._segments[source]
        numbers = sorted(log.lines)
        of = segment_of(segments, numbers) if numbers else np.zeros(0, dtype=np.int64)
        placed: dict[int, Placed] = {}
        for index, segment in enumerate(segments):
            inside = [number for number, i in zip(numbers, of, strict=True) if i == index]
            placed |= place(log, segment, inside, self._clocks.get((source, index), {}), self._names.canonical)
        return placed


def _clues(log: LogHeads) -> Clues:
    reading = log.reading
    return Clues(
        path=reading.source.path,
        head=reading.head,
        families=reading.source.families,
        stated=reading.node or (reading.dump.node if reading.dump else None),
        stated_why=reading.node_why if reading.node else "",
        host_lines=dict(log.hosts),
    )


def _known_nodes(readings: Iterable[Reading]) -> Collection[str]:
    """Nodes that dumps name: node lists of the scheduler, ends of links."""
    known: set[str] = set()
    for reading in readings:
        for row in reading.dump.rows if reading.dump else ():
            for column in ("node", "host", "hca_node", "peer_host"):
                if isinstance(value := row.values.get(column), str):
                    known.add(value)
    return known


def _boots(log: LogHeads) -> tuple[int, ...]:
    stamped = sorted(
        (number, prefix.stamp.seconds)
        for number, prefix in log.lines.items()
        if prefix is not None and prefix.stamp is not None and prefix.stamp.kind is StampKind.UPTIME
    )
    first = log.reading.source.first_line
    return boot_lines([n for n, _ in stamped], [s for _, s in stamped], log.banners, first)


def _zone_assumed(clocks: Mapping[Key, Clocks]) -> set[int]:
    """Sources of local times whose zone was assumed."""
    return {source for (source, _), kinds in clocks.items() if any(clock.zone_assumed for clock in kinds.values())}
