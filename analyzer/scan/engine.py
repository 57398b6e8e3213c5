"""One pass over a source for every pattern that applies to it."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Sequence
from typing import Literal

from analyzer.model.formats import BlockParser
from analyzer.model.patterns import Hit, LinePattern, SourceScan
from analyzer.scan.blocks import BLOCK_BYTES, LINE_LIMIT_BYTES, BlockReader, Readable
from analyzer.scan.database import Search, choose_engine, open_search
from analyzer.scan.onepass import Applicable, OnePass, Options
from analyzer.scan.verify import Verifier

Engine = Literal["auto", "hyperscan", "ahocorasick"]


class Scanner:
    """Finds patterns and multi-line records in sources; threads may share one.

    Construction is cheap: engines are imported and databases opened when the first source needs them.
    """

    def __init__(
        self,
        patterns: Sequence[LinePattern],
        blocks: Sequence[BlockParser] = (),
        *,
        engine: Engine = "auto",
        cap_per_pattern: int = 2000,
        counts: bool = False,
        notable: str = "",
        block_bytes: int = BLOCK_BYTES,
        line_limit_bytes: int = LINE_LIMIT_BYTES,
    ) -> None:
        """Prepare a scanner.

        Args:
            patterns: All patterns; ``index`` is their position.
            blocks: Parsers of multi-line records.
            engine: Search engine; ``auto`` takes Hyperscan where it is installed.
            cap_per_pattern: Hits kept per ordinary pattern and source, half of them the first and half the last.
            counts: Also count templates per minute and index the lines.
            notable: Lines of which, with ``counts``, one for each template is kept if no pattern knows it.
            block_bytes: Bytes read at a time.
            line_limit_bytes: Longest line that is scanned whole.
        """
        self._patterns = tuple(patterns)
        self._parsers = tuple(blocks)
        self._engine = engine
        self._options = Options(cap_per_pattern, counts, re.compile(notable.encode()) if notable else None)
        self._block_bytes = block_bytes
        self._line_limit_bytes = line_limit_bytes
        self._lock = threading.Lock()
        self._by_families: dict[frozenset[str], Applicable] = {}
        self._applicable: dict[tuple[int, ...], Applicable] = {}
        self._verifiers: dict[int, Verifier] = {}

    @property
    def patterns(self) -> Sequence[LinePattern]:
        """All patterns, each at its index."""
        return self._patterns

    def scan(
        self,
        stream: Readable,
        families: frozenset[str],
        source: int,
        on_hit: Callable[[Hit], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
        stamp: Callable[[bytes], float | None] | None = None,
    ) -> SourceScan:
        """Read a stream to its end.

        Args:
            stream: Decompressed bytes of the source, at its start.
            families: Families of messages the source may carry.
            source: Index of the source.
            on_hit: Called with each kept hit once: with the first ones of each pattern as they are found, with the
                last ones at the end.
            cancelled: Asked before each block; True ends the pass.
            stamp: Seconds that a line states on the source's own clock, for the minutes of the counts.

        Returns:
            What was found; if the stream broke off, everything before, with the reason in ``stopped``.
        """
        reader = BlockReader(stream, self._block_bytes, self._line_limit_bytes)
        applicable = self._for_families(families)
        one_pass = OnePass(applicable, self._options, source, on_hit, stamp)
        stopped = ""
        for block in reader:
            if cancelled is not None and cancelled():
                stopped = "cancelled"
                break
            one_pass.feed(block)
        found = one_pass.finish(reader, stopped)
        if self._options.notable and found.counts is not None:
            from analyzer.scan.unknown import without_known

            found.counts = without_known(found, applicable)
        return found

    def _for_families(self, families: frozenset[str]) -> Applicable:
        known = self._by_families.get(families)
        if known is None:
            known = self._by_families[families] = self._choose(families)
        return known

    def _choose(self, families: frozenset[str]) -> Applicable:
        chosen = [number for number, pattern in enumerate(self._patterns) if _applies(pattern.families, families)]
        parsers = [
            number
            for number, parser in enumerate(self._parsers, len(self._patterns))
            if _applies(parser.FORMAT.families, families)
        ]
        key = (*chosen, *parsers)
        with self._lock:
            if key not in self._applicable:
                self._applicable[key] = self._open(key)
            return self._applicable[key]

    def _open(self, numbers: Sequence[int]) -> Applicable:
        regexes = [(place, self._regex(number)) for place, number in enumerate(numbers)]
        search = open_search(regexes, choose_engine(self._engine)) if regexes else None
        count = len(self._patterns)
        return Applicable.of(
            patterns=tuple(self._patterns[number] if number < count else None for number in numbers),
            parsers=tuple(self._parsers[number - count] if number >= count else None for number in numbers),
            verifiers=tuple(self._verifier(number) for number in numbers),
            search=search or Search.empty(),
        )

    def _regex(self, number: int) -> str:
        count = len(self._patterns)
        return self._patterns[number].regex if number < count else self._parsers[number - count].ANCHOR

    def _verifier(self, number: int) -> Verifier:
        if number not in self._verifiers:
            trusted = number >= len(self._patterns) or self._patterns[number].trusted
            self._verifiers[number] = Verifier(self._regex(number), trusted)
        return self._verifiers[number]


def _applies(wanted: frozenset[str], families: frozenset[str]) -> bool:
    return not wanted or bool(wanted & families)
