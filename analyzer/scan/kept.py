"""Hits of one source: the first and the last of each pattern, and how many there were."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from itertools import repeat
from typing import TYPE_CHECKING

from analyzer.model.patterns import MAX_CAPTURE, MAX_TEXT, Hit
from analyzer.scan.candidates import LineBatch
from analyzer.scan.verify import Attempts, Captures, Verifier

if TYPE_CHECKING:
    from analyzer.scan.columns import ColumnFilter

PROVEN_LINES = 64
"""Lines of a block from which on taking them at once pays when they need no look."""

FILTER_LINES = 512
"""Lines of a block from which on filtering them in columns pays."""

MAX_MISSES = 256
"""Lines looked at in vain before further ones are filtered many at once; to load polars takes as long as many lines."""

OnHit = Callable[[Hit], None]

_Late = tuple[int, int, bytes, Captures | None]
"""Line number, offset of the line, its text, its captures if they are known already."""


class KeptHits:
    """Hits of one pattern in one source, capped.

    Attributes:
        total: Lines that matched, whether kept or not.
    """

    __slots__ = (
        "_attempts",
        "_captures",
        "_filter",
        "_first",
        "_first_cap",
        "_last",
        "_misses",
        "_on_hit",
        "_pattern",
        "total",
    )

    def __init__(self, pattern: int, cap: int, verifier: Verifier, on_hit: OnHit | None) -> None:
        self.total = 0
        self._attempts = Attempts(verifier)
        self._captures = self._attempts.captures
        self._pattern = pattern
        self._on_hit = on_hit
        self._misses = 0
        self._filter: ColumnFilter | None = None
        self._first: list[Hit] = []
        self._first_cap = cap - cap // 2
        self._last: deque[_Late] = deque(maxlen=cap // 2)

    @property
    def timeouts(self) -> int:
        """Lines on which the pattern took too long."""
        return self._attempts.timeouts

    def takes_batches(self, lines: int, proven: bool) -> bool:
        """Lines may come many at once when the first half is full, or when most lines do not match anyway."""
        wanted = len(self._first) >= self._first_cap or self._misses >= MAX_MISSES
        return wanted and lines >= (PROVEN_LINES if proven else FILTER_LINES)

    def take(self, line: int, offset: int, text: bytes) -> None:
        """Verify a line and count it if it matches."""
        captures = self._captures(text)
        if captures is None:
            self._misses += 1
            return
        self.total += 1
        if len(text) > MAX_TEXT:
            text, captures = _bounded(text, captures)
        if len(self._first) >= self._first_cap:
            self._last.append((line, offset, text, captures))
            return
        hit = Hit(self._pattern, line, offset, text, captures)
        self._first.append(hit)
        if self._on_hit is not None:
            self._on_hit(hit)

    def take_batch(self, batch: LineBatch, proven: bool) -> None:
        """Count lines at once; fields are captured only of those that stay among the last.

        Args:
            batch: The lines.
            proven: Whether all of them are known to match.
        """
        if not proven:
            batch = batch.pick(self._matching(batch.texts()))
        missing = self._first_cap - len(self._first)
        if missing > 0:
            head = batch.pick(slice(missing))
            for line, offset, text in zip(head.lines.tolist(), head.offsets.tolist(), head.texts(), strict=True):
                self.take(line, offset, text)
            batch = batch.pick(slice(missing, None))
        self.total += len(batch.lines)
        tail = batch.last(self._last.maxlen or 0)
        late = zip(tail.lines.tolist(), tail.offsets.tolist(), tail.texts(), repeat(None))
        self._last.extend(map(self._bounded_late, late) if tail.has_longer(MAX_TEXT) else late)

    def last_hits(self) -> list[Hit]:
        """The kept hits of the last half, in file order."""
        return [hit for late in self._last if (hit := self._resolve(*late))]

    def first_hits(self) -> list[Hit]:
        """The kept hits of the first half, in file order."""
        return self._first

    def _matching(self, texts: list[bytes]) -> list[int]:
        if self._filter is None:
            from analyzer.scan.columns import ColumnFilter

            self._filter = ColumnFilter(self._attempts)
        return self._filter.matching(texts)

    def _bounded_late(self, late: _Late) -> _Late:
        line, offset, text, captures = late
        if len(text) > MAX_TEXT and (captures := self._captures(text)):
            text, captures = _bounded(text, captures)
        return line, offset, text[:MAX_TEXT], captures

    def _resolve(self, line: int, offset: int, text: bytes, captures: Captures | None) -> Hit | None:
        if captures is None:
            captures = self._captures(text)
        return None if captures is None else Hit(self._pattern, line, offset, text, captures)


def _bounded(text: bytes, captures: Captures) -> tuple[bytes, Captures]:
    """Cut what is kept of an overlong line."""
    return text[:MAX_TEXT], tuple(value and value[:MAX_CAPTURE] for value in captures)
