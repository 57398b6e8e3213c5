"""Hits of one source: the first and the last of each pattern, and how many there were."""

from __future__ import annotations

from collections import deque

from analyzer.model.patterns import MAX_CAPTURE, MAX_TEXT, Hit
from analyzer.scan.verify import Captures, Verifier

Place = tuple[int, int, bytes]
"""Line number, offset of the line, its text."""


class KeptHits:
    """Hits of one pattern in one source, capped.

    Attributes:
        total: Lines that matched, whether kept or not.
    """

    __slots__ = ("_first", "_first_cap", "_last", "_pattern", "_verifier", "total")

    def __init__(self, pattern: int, cap: int, verifier: Verifier) -> None:
        self.total = 0
        self._pattern = pattern
        self._verifier = verifier
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

    def add(self, place: Place, captures: Captures) -> Hit | None:
        """Count a verified hit; it is returned when it is one of the first."""
        self.total += 1
        place, captures = _bounded(place, captures)
        if self.saturated:
            self._last.append((place, captures))
            return None
        hit = Hit(self._pattern, *place, captures)
        self._first.append(hit)
        return hit

    def add_proven(self, place: Place) -> None:
        """Count a hit known to match, whose fields are captured only if it stays among the last."""
        if len(place[2]) > MAX_TEXT:
            self._resolve(place)
        else:
            self._last.append((place, None))
        self.total += 1

    def last_hits(self) -> list[Hit]:
        """The kept hits of the last half, in file order."""
        return [hit for place, captures in self._last if (hit := self._late(place, captures))]

    def first_hits(self) -> list[Hit]:
        """The kept hits of the first half, in file order."""
        return self._first

    def _resolve(self, place: Place) -> None:
        captures = self._captures(place[2])
        if captures is not None:
            self._last.append(_bounded(place, captures))

    def _captures(self, text: bytes) -> Captures | None:
        try:
            return self._verifier.captures(text)
        except TimeoutError:
            return None

    def _late(self, place: Place, captures: Captures | None) -> Hit | None:
        if captures is None:
            captures = self._captures(place[2])
        return None if captures is None else Hit(self._pattern, *place, captures)


def _bounded(place: Place, captures: Captures) -> tuple[Place, Captures]:
    """Cut what is kept of an overlong line."""
    line, offset, text = place
    if len(text) <= MAX_TEXT:
        return place, captures
    return (line, offset, text[:MAX_TEXT]), tuple(value and value[:MAX_CAPTURE] for value in captures)
