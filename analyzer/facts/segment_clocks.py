"""The clock of every segment: those that state a date first, then those that must be told the year or the boot."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

import msgspec
import numpy as np

from analyzer.facts.heads import LogHeads
from analyzer.facts.years import Years
from analyzer.model.sources import Segment
from analyzer.model.stamps import Prefix, StampKind
from analyzer.options import Options
from analyzer.sources.clocks import Clock, ClockHints, ClockSamples, StatedBoot, estimate, to_utc
from analyzer.sources.rotation import rotated
from analyzer.sources.stated_zones import StatedZones, zone_of_head
from analyzer.sources.zones import parse_zone

Key = tuple[int, int]
"""Source and segment."""

_ORDER = (StampKind.UTC, StampKind.LOCAL, StampKind.YEARLESS, StampKind.UPTIME)
_LAST_LINE = 1 << 62
BY_OPTION = "year by option"
BY_ROTATION = "year by the file it was rotated with"
_SHARING = frozenset({"kernel"})
"""Families whose messages appear in several logs of a node."""


def estimate_clocks(
    logs: Sequence[LogHeads], segments: Sequence[tuple[Segment, ...]], options: Options
) -> dict[Key, dict[StampKind, Clock]]:
    """Estimate the clocks of every segment: one per kind of stamp in it, the most frequent kind first.

    Args:
        logs: Heads of all sources, dumps included.
        segments: Segments of each.
        options: Zone and year of stamps that state none.
    """
    samples = {
        (log.reading.source.index, part.index): _samples(log, parts, part)
        for log, parts in zip(logs, segments, strict=True)
        for part in parts
    }
    hints = _Hints(logs, segments, options)
    years = Years({log.reading.source.index: log.reading.source.path for log in logs}, samples)
    clocks: dict[Key, dict[StampKind, Clock]] = {key: {} for key in samples}
    for kind in _ORDER:
        for key, kinds in samples.items():
            if kind in kinds:
                hint = hints.of(key, kinds[kind])
                if kind is StampKind.YEARLESS and hint.year is not None:
                    hint = msgspec.structs.replace(hint, year=hint.year + years.shift(key))
                clocks[key][kind] = estimate(kinds[kind], hint)
                hints.learn(key, kinds[kind], clocks[key][kind])
    for key, year in years.by_neighbours(clocks).items():
        sample = samples[key][StampKind.YEARLESS]
        known = estimate(sample, msgspec.structs.replace(hints.of(key, sample), year=year))
        clocks[key][StampKind.YEARLESS] = msgspec.structs.replace(known, why=known.why.replace(BY_OPTION, BY_ROTATION))
    return {key: {kind: found[kind] for kind in samples[key]} for key, found in clocks.items() if found}


def _samples(log: LogHeads, segments: tuple[Segment, ...], part: Segment) -> dict[StampKind, ClockSamples]:
    end = segments[part.index + 1].first_line if part.index + 1 < len(segments) else _LAST_LINE
    inside = sorted(n for n in log.lines if part.first_line <= n < end)
    stamps = [stamp for n in inside if (stamp := log.stamp(n)) is not None]
    anchors = [anchor for n, anchor in log.anchors if part.first_line <= n < end]
    dated = any(anchor.statement.utc_s is not None for anchor in anchors)
    samples: dict[StampKind, ClockSamples] = {}
    for kind, _ in Counter(stamp.kind for stamp in stamps).most_common():
        chosen = [stamp for stamp in stamps if stamp.kind is kind]
        samples[kind] = ClockSamples(
            kind=kind,
            raw_s=[stamp.seconds for stamp in chosen],
            anchors=anchors if not samples else [],
            walls=_walls(log, inside) if kind is StampKind.UPTIME and not dated else {},
            resolution_s=max(stamp.resolution_s for stamp in chosen),
        )
    return samples


def _walls(log: LogHeads, numbers: Iterable[int]) -> dict[str, list[float]]:
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

    def __init__(self, logs: Sequence[LogHeads], segments: Sequence[tuple[Segment, ...]], options: Options) -> None:
        self._logs = {log.reading.source.index: log for log in logs}
        self._nodes = {
            (log.reading.source.index, part.index): part.node
            for log, parts in zip(logs, segments, strict=True)
            for part in parts
        }
        self._zone = parse_zone(options.timezone) if options.timezone else None
        self._year = options.year
        self._dated: list[float] = []
        self._median_of = (0, 0.0)
        self._zones = StatedZones()
        for log, parts in zip(logs, segments, strict=True):
            source = log.reading.source
            stated = zone_of_head(log.reading.head, source.families)
            if stated is not None:
                self._zones.add(source.path, parts[0].node, stated)
        self._boots: dict[str | None, StatedBoot] = {}
        self._last = {(log.reading.source.index, parts[-1].index) for log, parts in zip(logs, segments, strict=True)}
        for log, parts in zip(logs, segments, strict=True):
            self._stated_boots(log, parts)
        self._dated_logs: dict[str | None, list[tuple[LogHeads, Clock]]] = defaultdict(list)

    def of(self, key: Key, sample: ClockSamples) -> ClockHints:
        """Hints for one segment."""
        node, source = self._nodes[key], self._logs[key[0]].reading.source
        stated = self._zones.nearest(source.path, node)
        return ClockHints(
            zone=self._zone,
            year=self._year,
            stated_zone_offset_s=stated[0] if stated else None,
            zone_why=stated[1] if stated else "",
            dated_s=self._middle(),
            modified_s=rotated(source.path).rotated_s or source.modified_s,
            walls=self._walls(node) if node is not None and sample.walls else {},
            boot=self._boots.get(node) if node is not None and key in self._last else None,
        )

    def _middle(self) -> list[float]:
        """The median of all dates known so far, which stands for them; sought again only when there are more."""
        if self._dated and self._median_of[0] != len(self._dated):
            self._median_of = (len(self._dated), float(np.median(self._dated)))
        return [self._median_of[1]] if self._dated else []

    def learn(self, key: Key, sample: ClockSamples, clock: Clock) -> None:
        """Take note of what a known clock says."""
        if not clock.known or clock.kind is StampKind.UPTIME:
            return
        node, log = self._nodes[key], self._logs[key[0]]
        self._boots_by_uptime(node, log, clock)
        times = to_utc(sample.raw_s, clock)
        finite = [float(t) for t in times if math.isfinite(t)]
        if finite and clock.kind is not StampKind.YEARLESS:
            self._dated.extend((finite[0], finite[-1]))
        if log.reading.source.families & _SHARING:
            self._dated_logs[node].append((log, clock))

    def _walls(self, node: str) -> dict[str, list[float]]:
        """Messages of the node's dated logs by UTC seconds."""
        walls: dict[str, list[float]] = defaultdict(list)
        for log, clock in self._dated_logs[node]:
            for text, seconds in _walls(log, log.lines).items():
                walls[text].extend(float(t) for t in to_utc(seconds, clock) if math.isfinite(t))
        return walls

    def _stated_boots(self, log: LogHeads, parts: Sequence[Segment]) -> None:
        """Boots that dumps of a node state outright; a local date counts in the zone stated for the node."""
        node, path = parts[0].node, log.reading.source.path
        for _, statement in log.boots:
            if statement.boot and statement.utc_s is not None:
                stated = self._zones.nearest(path, node) if statement.zone_offset_s is None else None
                zone_s = stated[0] if stated else 0.0
                self._boot(node, StatedBoot(statement.utc_s - zone_s, statement.uncertainty_s, path))

    def _boots_by_uptime(self, node: str | None, log: LogHeads, clock: Clock) -> None:
        """Boots that a log implies by how long the node has been up."""
        for line, statement in log.boots:
            stamp = log.stamp(line)
            if statement.uptime_s is not None and stamp is not None and stamp.kind is clock.kind:
                at_s = float(to_utc([stamp.seconds], clock)[0])
                if math.isfinite(at_s):
                    why = f"{log.reading.source.path}:{line}, {statement.uptime_s:.0f} s after it"
                    self._boot(node, StatedBoot(at_s - statement.uptime_s, statement.uncertainty_s, why))

    def _boot(self, node: str | None, boot: StatedBoot) -> None:
        """The last boot of a node; of two statements of one boot the more certain one."""
        known = self._boots.get(node)
        apart_s = math.inf if known is None else boot.boot_s - known.boot_s
        slack_s = 60.0 + boot.uncertainty_s
        if known is None or apart_s > slack_s or (abs(apart_s) <= slack_s and boot.uncertainty_s < known.uncertainty_s):
            self._boots[node] = boot
