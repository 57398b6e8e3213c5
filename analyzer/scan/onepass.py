"""The state of one pass: what was found so far in one source."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from analyzer.model.formats import BlockParser, Problem
from analyzer.model.patterns import Hit, LinePattern, SourceScan
from analyzer.scan.blocks import Block, BlockReader
from analyzer.scan.candidates import (
    Candidate,
    HitTable,
    LineBatch,
    LineStarts,
    NewlineMask,
    by_gaps,
    count_lines,
    is_dense,
)
from analyzer.scan.database import Search
from analyzer.scan.kept import KeptHits
from analyzer.scan.lineindex import SparseIndex
from analyzer.scan.plan import NUMBER_BITS
from analyzer.scan.records import Anchor, Anchors, RecordCollector
from analyzer.scan.verify import Verifier

if TYPE_CHECKING:
    from analyzer.scan.bulk import BulkColumns
    from analyzer.scan.counts import TemplateCounts


class Sink(Protocol):
    """Takes the lines that one pattern or anchor may match."""

    @property
    def timeouts(self) -> int:
        """Lines on which its pattern took too long."""

    def take(self, line: int, offset: int, text: bytes) -> None:
        """Take one line: its number, its offset in the source, its text without the end."""

    def takes_batches(self, lines: int, proven: bool) -> bool:
        """Whether so many lines of a block may come at once; ``proven`` when all of them surely match."""

    def take_batch(self, batch: LineBatch, proven: bool) -> None:
        """Take many lines at once; ``proven`` when all of them surely match."""


class Options(NamedTuple):
    """What to keep.

    Attributes:
        cap: Hits kept per ordinary pattern.
        counts: Whether to count templates and index lines.
        notable: Lines of which one for each template is kept as a sample, None for no samples.
    """

    cap: int
    counts: bool
    notable: re.Pattern[bytes] | None = None


class Applicable(NamedTuple):
    """Patterns and record parsers that apply to a source, numbered by their place here.

    Attributes:
        patterns: The pattern at each place, None where there is a parser.
        parsers: The record parser at each place, None where there is a pattern.
        verifiers: The verifier at each place.
        search: Plan over these places, and its matcher.
        targets: Places that each expression stands for, those tried on every line last.
        numbers_of: Expressions that stand for each place.
        exact: Expressions whose hit proves a match.
    """

    patterns: tuple[LinePattern | None, ...]
    parsers: tuple[BlockParser | None, ...]
    verifiers: tuple[Verifier, ...]
    search: Search
    targets: tuple[tuple[int, ...], ...]
    numbers_of: dict[int, list[int]]
    exact: frozenset[int]

    @classmethod
    def of(
        cls,
        patterns: tuple[LinePattern | None, ...],
        parsers: tuple[BlockParser | None, ...],
        verifiers: tuple[Verifier, ...],
        search: Search,
    ) -> Applicable:
        """Derive once what every pass needs."""
        targets = (*search.plan.targets, search.plan.every_line)
        exact = frozenset(number for number, proves in enumerate(search.plan.exact) if proves)
        return cls(patterns, parsers, verifiers, search, targets, _numbers_of(targets), exact)


class OnePass:
    """Takes the blocks of one source in order."""

    def __init__(
        self,
        applicable: Applicable,
        options: Options,
        source: int,
        on_hit: Callable[[Hit], None] | None,
        stamp: Callable[[bytes], float | None] | None,
    ) -> None:
        self._applicable = applicable
        self._plan = applicable.search.plan
        self._targets = applicable.targets
        self._numbers_of = applicable.numbers_of
        self._exact = applicable.exact
        self._source = source
        self._cap = options.cap
        self._on_hit = on_hit
        self._newlines = NewlineMask()
        self._lines = 0
        self._sinks: dict[int, Sink] = {}
        self._kept: dict[int, KeptHits] = {}
        self._bulk: dict[int, BulkColumns] = {}
        self._records = RecordCollector()
        self._anchors: list[Anchor] = []
        self._index = SparseIndex() if options.counts else None
        self._counts = _template_counts(stamp, options.notable) if options.counts else None

    def feed(self, block: Block) -> None:
        """Search one block."""
        matcher = self._applicable.search.matcher
        events = matcher.events(block) if matcher else []
        every_line = bool(self._plan.every_line)
        mask = self._newlines.of(block)
        starts: LineStarts | None = None
        if self._counts or every_line or is_dense(block, events):
            starts = LineStarts(block, mask, self._lines + 1)
        if every_line and starts:
            number = len(self._plan.targets)
            events += ((starts.offsets + 1) << NUMBER_BITS | number).tolist()
        self._anchors.clear()
        self._take_events(block, mask, events, starts)
        self._records.feed(block, self._anchors)
        self._count(block, mask, starts)

    def finish(self, reader: BlockReader, stopped: str) -> SourceScan:
        """Put together what was found."""
        last = [hit for kept in self._kept.values() for hit in kept.last_hits()]
        last.sort(key=_place)
        if self._on_hit:
            for hit in last:
                self._on_hit(hit)
        hits = [hit for kept in self._kept.values() for hit in kept.first_hits()] + last
        bulk = {self._index_of(place): columns.frame() for place, columns in self._bulk.items()}
        totals = {self._index_of(place): kept.total for place, kept in self._kept.items() if kept.total}
        return SourceScan(
            source=self._source,
            lines=self._lines,
            size_bytes=reader.size_bytes,
            hits=sorted(hits, key=_place),
            totals=totals | {index: frame.height for index, frame in bulk.items() if frame.height},
            bulk=bulk,
            blocks=self._records.finish(),
            counts=self._counts.frame() if self._counts else None,
            index=self._index.offsets() if self._index else None,
            stopped=stopped or reader.stopped,
            problems=list(self._problems(reader)),
        )

    def _take_events(self, block: Block, mask: Any, events: list[int], starts: LineStarts | None) -> None:
        if not events:
            return
        if starts is None or not is_dense(block, events):
            self._take(block, by_gaps(block, mask, events))
            return
        table = HitTable(block, events, starts)
        self._take(block, table.candidates(), self._take_batches(block, table))

    def _take_batches(self, block: Block, table: HitTable) -> set[int]:
        """Take at once the lines of bulk patterns and of patterns beyond their cap; returns the places served."""
        totals = table.totals()
        content = b""
        plain_ends = block.buffer.find(b"\r", 0, block.size) < 0
        served: set[int] = set()
        for place in {place for number in totals for place in self._targets[number]}:
            numbers = [number for number in self._numbers_of[place] if number in totals]
            sink = self._sinks.get(place)
            proven = plain_ends and self._exact.issuperset(numbers)
            if sink is None or not sink.takes_batches(sum(totals[number] for number in numbers), proven):
                continue
            content = content or bytes(block.view())
            sink.take_batch(table.batch(numbers, content), proven)
            served.add(place)
        table.drop([number for number in totals if served.issuperset(self._targets[number])])
        return served

    def _take(self, block: Block, candidates: Iterable[Candidate], served: AbstractSet[int] = frozenset()) -> None:
        targets, sinks = self._targets, self._sinks
        view, base, first_line = block.view(), block.base, self._lines + 1
        for line, start, stop, numbers in candidates:
            text = bytes(view[start:stop]).rstrip(b"\r")
            if len(numbers) == 1:
                places: Iterable[int] = targets[numbers[0]]
            else:
                places = {place for number in numbers for place in targets[number]}
            for place in places:
                if place not in served:
                    sink = sinks.get(place) or self._new_sink(place)
                    sink.take(first_line + line, base + start, text)

    def _new_sink(self, place: int) -> Sink:
        verifier = self._applicable.verifiers[place]
        parser, pattern = self._applicable.parsers[place], self._applicable.patterns[place]
        sink: Sink
        if parser is not None:
            sink = Anchors(parser, verifier, self._anchors)
        elif pattern is not None and pattern.bulk:
            from analyzer.scan.bulk import BulkColumns

            sink = self._bulk[place] = BulkColumns(verifier)
        else:
            sink = self._kept[place] = KeptHits(self._index_of(place), self._cap, verifier, self._on_hit)
        self._sinks[place] = sink
        return sink

    def _count(self, block: Block, mask: Any, starts: LineStarts | None) -> None:
        if starts is None:
            self._lines += count_lines(block, mask)
            return
        if self._counts and self._index:
            self._counts.feed(block, starts)
            self._index.feed(starts)
        self._lines += len(starts.offsets)

    def _index_of(self, place: int) -> int:
        pattern = self._applicable.patterns[place]
        return pattern.index if pattern else -1

    def _problems(self, reader: BlockReader) -> Iterable[Problem]:
        if reader.truncated_lines:
            yield Problem("line longer than the limit, its rest was not read", count=reader.truncated_lines)
        if self._records.dropped:
            yield Problem("records of several lines beyond the limit were not kept", count=self._records.dropped)
        for place, sink in sorted(self._sinks.items()):
            if sink.timeouts:
                yield Problem(f"pattern of {self._name_of(place)} took too long on a line", count=sink.timeouts)

    def _name_of(self, place: int) -> str:
        pattern, parser = self._applicable.patterns[place], self._applicable.parsers[place]
        return pattern.event if pattern else parser.FORMAT.name if parser else ""


def _numbers_of(targets: Sequence[Sequence[int]]) -> dict[int, list[int]]:
    """Expressions that stand for each place."""
    numbers: dict[int, list[int]] = {}
    for number, places in enumerate(targets):
        for place in places:
            numbers.setdefault(place, []).append(number)
    return numbers


def _template_counts(
    stamp: Callable[[bytes], float | None] | None, notable: re.Pattern[bytes] | None
) -> TemplateCounts:
    from analyzer.scan.counts import TemplateCounts

    return TemplateCounts(stamp, notable)


def _place(hit: Hit) -> tuple[int, int]:
    return hit.line, hit.pattern
