"""Node, boot and UTC time of every line that was found, resolved by the segment it stands in."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from analyzer.facts.reading import Reading
from analyzer.model.patterns import LinePattern
from analyzer.model.sources import Segment, Source
from analyzer.model.stamps import Prefix, StampKind
from analyzer.model.tables import Row
from analyzer.options import Options
from analyzer.sources.clocks import Anchor, Clock, ClockHints, ClockSamples, estimate, to_utc
from analyzer.sources.names import NodeNames
from analyzer.sources.nodes import Clues, attribute
from analyzer.sources.segments import boot_lines, cut, segment_of
from analyzer.sources.statements import read_statement
from analyzer.sources.zones import parse_zone

BOOT_EVENT = "kernel.boot"
"""The event whose lines open a boot."""

ClockFacts = dict[str, str | float | None]


class Placed(NamedTuple):
    """Where and when one line belongs."""

    segment: int
    node: str | None
    time_us: int | None
    uncertainty_s: float | None
    clock: str | None
    clock_s: float | None


class PlacedLines(NamedTuple):
    """The same for many lines without stamps of their own."""

    segment: NDArray[np.int64]
    node: list[str | None]
    clock: list[str | None]


class _Line(NamedTuple):
    """A line whose head was read."""

    number: int
    prefix: Prefix | None


class _Log(msgspec.Struct, eq=False):
    """Heads of one source's lines, by line number, and the statements of true time among them."""

    reading: Reading
    lines: dict[int, Prefix | None]
    banners: list[int]
    statements: list[tuple[int, Anchor]]
    head_hosts: Counter[str]


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
    logs = [_log(reading, patterns) for reading in readings]
    clues = [_clues(log) for log in logs]
    attributions, names = attribute(clues, bundle_name, _known_nodes(readings))
    segments = [
        cut(found.node, found.why, _boots(log)) for log, found in zip(logs, attributions, strict=True)
    ]
    clocks = _clocks(logs, segments, options)
    return Moments(logs, segments, clocks, names)


class Moments:
    """Answers where and when a line belongs.

    Attributes:
        sources: The sources with their segments.
    """

    def __init__(
        self, logs: Sequence[_Log], segments: Sequence[tuple[Segment, ...]],
        clocks: Mapping[tuple[int, int], Clock], names: NodeNames,
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

    def node_name(self, name: str) -> str:
        """Canonical name of a node from any of its spellings."""
        return self._names.canonical(name)

    def of_line(self, source: int, line: int) -> Placed:
        """Where and when a line belongs."""
        placed = self._placed[source].get(line)
        if placed is not None:
            return placed
        index = int(segment_of(self._segments[source], [line])[0])
        return self._whole[source]._replace(segment=index, node=self._segments[source][index].node)

    def of_lines(self, source: int, lines: NDArray[np.int64]) -> PlacedLines:
        """The segment, node and clock of lines whose own stamps were not read."""
        index = segment_of(self._segments[source], lines)
        nodes = [segment.node for segment in self._segments[source]]
        return PlacedLines(index, [nodes[i] for i in index], [None] * len(lines))

    def of_row(self, source: int, row: Row) -> Placed:
        """Where and when a table row belongs: what the row states wins."""
        placed = self.of_line(source, row.line) if row.line else self._whole[source]
        if row.node:
            placed = placed._replace(node=self.node_name(row.node))
        if row.stamp_s is not None:
            placed = placed._replace(time_us=round(row.stamp_s * 1e6), uncertainty_s=0.5)
        return placed

    def clock_facts(self) -> dict[int, ClockFacts]:
        """What is known of each source's clock, for coverage."""
        facts: dict[int, ClockFacts] = {}
        for (source, index), clock in sorted(self._clocks.items(), reverse=True):
            del index
            facts[source] = {
                "kind": str(clock.kind),
                "why": clock.why,
                "zone_offset_s": clock.zone_offset_s,
                "uncertainty_s": clock.uncertainty_s if clock.known else None,
            }
        return facts

    def _default(self, log: _Log, first: Segment) -> Placed:
        taken_s = log.reading.dump.taken_s if log.reading.dump else None
        time_us = None if taken_s is None else round(taken_s * 1e6)
        return Placed(0, first.node, time_us, None if taken_s is None else 0.5, None, None)

    def _place(self, log: _Log) -> dict[int, Placed]:
        source = log.reading.source.index
        segments = self._segments[source]
        numbers = sorted(number for number, prefix in log.lines.items() if prefix is not None)
        of = segment_of(segments, numbers) if numbers else np.zeros(0, dtype=np.int64)
        placed: dict[int, Placed] = {}
        for index, segment in enumerate(segments):
            inside = [number for number, i in zip(numbers, of, strict=True) if i == index]
            placed |= self._place_segment(log, segment, inside)
        return placed

    def _place_segment(self, log: _Log, segment: Segment, numbers: Sequence[int]) -> dict[int, Placed]:
        source = log.reading.source.index
        clock = self._clocks.get((source, segment.index))
        raw = np.asarray([_raw(log.lines[n], clock) for n in numbers])
        times = to_utc(raw, clock) if clock is not None and numbers else np.full(len(numbers), np.nan)
        uptime = clock is not None and clock.kind is StampKind.UPTIME
        placed: dict[int, Placed] = {}
        for number, raw_s, time_s in zip(numbers, raw, times, strict=True):
            prefix = log.lines[number]
            host = prefix.host if prefix else None
            node = self.node_name(host) if host and host.lower() != "localhost" else segment.node
            name = f"{node or source}/{segment.boot}" if uptime else f"{source}/{segment.index}"
            known = clock is not None and np.isfinite(time_s)
            placed[number] = Placed(
                segment.index,
                node,
                round(float(time_s) * 1e6) if known else None,
                clock.uncertainty_s if known and clock is not None else None,
                None if np.isnan(raw_s) else name,
                None if np.isnan(raw_s) else float(raw_s),
            )
        return placed


def _log(reading: Reading, patterns: Sequence[LinePattern]) -> _Log:
    log = _Log(reading, {}, [], [], Counter())
    if reading.prefix is None:
        return log
    for hit in reading.scan.hits:
        if hit.line not in log.lines:
            log.lines[hit.line] = reading.prefix(hit.text)
        prefix = log.lines[hit.line]
        event = patterns[hit.pattern].event
        if event == BOOT_EVENT:
            log.banners.append(hit.line)
        if event.startswith("clock.") and prefix is not None and prefix.stamp is not None:
            statement = read_statement(event, hit.captures)
            if statement is not None:
                log.statements.append((hit.line, Anchor(prefix.stamp.seconds, statement)))
    for block in reading.scan.blocks:
        log.lines.setdefault(block.first_line, reading.prefix(block.lines[0]))
    for line in reading.head.split(b"\n")[:400]:
        found = reading.prefix(line)
        if found is not None and found.host:
            log.head_hosts[found.host] += 1
    return log


def _clues(log: _Log) -> Clues:
    reading = log.reading
    hosts = Counter(prefix.host for prefix in log.lines.values() if prefix is not None and prefix.host)
    return Clues(
        path=reading.source.path,
        head=reading.head,
        families=reading.source.families,
        stated=reading.dump.node if reading.dump else None,
        host_lines=dict(hosts + log.head_hosts),
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


def _boots(log: _Log) -> tuple[int, ...]:
    stamped = sorted(
        (number, prefix.stamp.seconds)
        for number, prefix in log.lines.items()
        if prefix is not None and prefix.stamp is not None and prefix.stamp.kind is StampKind.UPTIME
    )
    return boot_lines([n for n, _ in stamped], [s for _, s in stamped], log.banners)


def _raw(prefix: Prefix | None, clock: Clock | None) -> float:
    """Seconds of a stamp of the segment's kind, NaN for any other."""
    if prefix is None or prefix.stamp is None or clock is None or prefix.stamp.kind is not clock.kind:
        return float("nan")
    return prefix.stamp.seconds


def _clocks(
    logs: Sequence[_Log], segments: Sequence[tuple[Segment, ...]], options: Options
) -> dict[tuple[int, int], Clock]:
    """Dated clocks first: they tell the year and the boot time of the others."""
    samples = {
        (log.reading.source.index, part.index): found
        for log, parts in zip(logs, segments, strict=True)
        for part in parts
        if (found := _samples(log, parts, part)) is not None
    }
    hints = _Hints(logs, segments, options)
    clocks: dict[tuple[int, int], Clock] = {}
    for kind in (StampKind.UTC, StampKind.LOCAL, StampKind.YEARLESS, StampKind.UPTIME):
        for key, sample in samples.items():
            if sample.kind is kind:
                clocks[key] = estimate(sample, hints.of(key))
                hints.learn(key, sample, clocks[key])
    return clocks


def _samples(log: _Log, segments: tuple[Segment, ...], part: Segment) -> ClockSamples | None:
    end = segments[part.index + 1].first_line if part.index + 1 < len(segments) else 1 << 62
    inside = sorted(n for n in log.lines if part.first_line <= n < end)
    stamps = [p.stamp for n in inside if (p := log.lines[n]) is not None and p.stamp is not None]
    head = log.reading.head if part.index == 0 else b""
    reader = log.reading.prefix
    early = [p.stamp for line in head.split(b"\n")[:50] if reader and (p := reader(line)) and p.stamp]
    kinds = Counter(stamp.kind for stamp in (*early, *stamps))
    if not kinds:
        return None
    kind = kinds.most_common(1)[0][0]
    chosen = [stamp for stamp in (*early, *stamps) if stamp.kind is kind]
    return ClockSamples(
        kind=kind,
        raw_s=[stamp.seconds for stamp in chosen],
        anchors=[anchor for n, anchor in log.statements if part.first_line <= n < end],
        walls=_walls(log, inside) if kind is StampKind.UPTIME else {},
        resolution_s=max(stamp.resolution_s for stamp in chosen),
    )


def _walls(log: _Log, numbers: Collection[int]) -> dict[str, list[float]]:
    """Raw seconds per message text."""
    wanted = set(numbers)
    walls: dict[str, list[float]] = defaultdict(list)
    for hit in log.reading.scan.hits:
        prefix = log.lines.get(hit.line)
        if hit.line in wanted and prefix is not None and prefix.stamp is not None:
            walls[_message(hit.text, prefix)].append(prefix.stamp.seconds)
    return walls


def _message(text: bytes, prefix: Prefix) -> str:
    return text[prefix.start :].strip().decode("utf-8", "replace")


class _Hints:
    """What the sources whose clocks are known say to the others."""

    def __init__(
        self, logs: Sequence[_Log], segments: Sequence[tuple[Segment, ...]], options: Options
    ) -> None:
        self._logs = {log.reading.source.index: log for log in logs}
        self._nodes = {
            (log.reading.source.index, part.index): part.node
            for log, parts in zip(logs, segments, strict=True)
            for part in parts
        }
        self._zone = parse_zone(options.timezone) if options.timezone else None
        self._year = options.year
        self._dated: list[float] = []
        self._stated: dict[str | None, tuple[float, str]] = {}
        self._walls: dict[str | None, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))

    def of(self, key: tuple[int, int]) -> ClockHints:
        """Hints for one segment."""
        node = self._nodes[key]
        stated = self._stated.get(node)
        return ClockHints(
            zone=self._zone,
            year=self._year,
            stated_zone_offset_s=stated[0] if stated else None,
            zone_why=stated[1] if stated else "",
            dated_s=self._dated,
            modified_s=self._logs[key[0]].reading.source.modified_s,
            walls=self._walls.get(node, {}) if node is not None else {},
        )

    def learn(self, key: tuple[int, int], sample: ClockSamples, clock: Clock) -> None:
        """Take note of what a known clock says."""
        if not clock.known or clock.kind is StampKind.UPTIME:
            return
        node, log = self._nodes[key], self._logs[key[0]]
        times = to_utc(sample.raw_s, clock)
        finite = times[np.isfinite(times)]
        if finite.size and clock.kind is not StampKind.YEARLESS:
            self._dated.extend((float(finite[0]), float(finite[-1])))
        if clock.kind is StampKind.LOCAL and not clock.zone_assumed:
            self._stated.setdefault(node, (clock.zone_offset_s, log.reading.source.path))
        for text, seconds in _walls(log, log.lines).items():
            self._walls[node][text].extend(float(t) for t in to_utc(seconds, clock) if np.isfinite(t))
