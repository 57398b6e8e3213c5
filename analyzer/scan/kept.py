"""Hits of one source: the first and the last of each pattern, and how many there were."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from analyzer.model.patterns import MAX_CAPTURE, MAX_TEXT, Hit
from analyzer.scan.verify import MAX_TIMEOUTS, Captures, Verifier

OnHit = Callable[[Hit], None]

Place = tuple[int, int, bytes]
"""Line number, offset of the line, its text."""


class KeptHits:
    """Hits of one pattern in one source, capped.

    Attributes:
        total: Lines that matched, whether kept or not.
        timeouts: Lines on which the pattern took too long.
    """

    __slots__ = ("_first", "_first_cap", "_last", "_on_hit", "_pattern", "_verifier", "timeouts", "total")

    def __init__(self, pattern: int, cap: int, verifier: Verifier, on_hit: OnHit | None) -> None:
        self.total = 0
        self.timeouts = 0
        self._pattern = pattern
        self._verifier = verifier
        self._on_hit = on_hit
        self._first: list[Hit] = []
        self._first_cap = cap - cap // 2
        self._last: deque[tuple[Place, Captures | None]] = deque(maxlen=cap // 2)

    @property
    def saturated(self) -> bool:
        """Whether the first half is full, so that a further hit may only be one of the last."""
        return len(self._first) >= self._first_cap

    @property
    def last_cap(self) -> int:
        """Most hits that the last half can hold."""
        return self._last.maxlen or 0

    def take(self, line: int, offset: int, text: bytes) -> None:
        """Verify a line and count it if it matches."""
        captures = self._captures(text)
        if captures is None:
            return
        self.total += 1
        if len(text) > MAX_TEXT:
            text, captures = _bounded(text, captures)
        if len(self._first) >= self._first_cap:
            self._last.append(((line, offset, text), captures))
            return
        hit = Hit(self._pattern, line, offset, text, captures)
        self._first.append(hit)
        if self._on_hit is not None:
            self._on_hit(hit)

    def take_proven(self, line: int, offset: int, text: bytes) -> None:
        """Count a line known to match, whose fields are captured only if it stays among the last."""
        self.total += 1
        if len(text) <= MAX_TEXT:
            self._last.append(((line, offset, text), None))
        elif (captures := self._captures(text)) is not None:
            text, captures = _bounded(text, captures)
            self._last.append(((line, offset, text), captures))

    def last_hits(self) -> list[Hit]:
        """The kept hits of the last half, in file order."""
        return [hit for place, captures in self._last if (hit := self._late(place, captures))]

    def first_hits(self) -> list[Hit]:
        """The kept hits of the first half, in file order."""
        return self._first

    def _captures(self, text: bytes) -> Captures | None:
        if self.timeouts >= MAX_TIMEOUTS:
            return None
        try:
            return self._verifier.captures(text)
        except TimeoutError:
            self.timeouts += 1
            return None

    def _late(self, place: Place, captures: Captures | None) -> Hit | None:
        if captures is None:
            captures = self._captures(place[2])
        return None if captures is None else Hit(self._pattern, *place, captures)


def _bounded(text: bytes, captures: Captures) -> tuple[bytes, Captures]:
    """Cut what is kept of an overlong line."""
    return text[:MAX_TEXT], tuple(value and value[:MAX_CAPTURE] for value in captures)
