"""The one exception that ends a stream early, and the meter that counts what a bundle delivers."""

from __future__ import annotations

import threading

from analyzer.model.limits import MIB, Limits, raised_by

__all__ = ["MIB", "Limits", "Meter", "StreamCutError"]


BUNDLE_FLOORS = 4
"""The ratio of the whole bundle is judged from four times the output on: what stands beside one bomb is still read."""


class StreamCutError(EOFError):
    """A stream ends before its data does: truncated, damaged, unreadable or over a limit.

    Every byte before that point has been delivered when it is raised; its text is the reason.
    """


class Meter:
    """Counts the bytes that all streams of one bundle deliver, against ``Limits.total_bytes`` and ``Limits.ratio``.

    Attributes:
        held_bytes: Bytes held in memory for members that were handed over and not yet closed.
        reason: Why nothing more is read, for a reader of the report; empty while the limits hold.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.held_bytes = 0
        self.reason = ""
        self._given_bytes = 0
        self._total_bytes = 0
        self._lock = threading.Lock()

    @property
    def exhausted(self) -> bool:
        """True once the bundle delivered more than it may."""
        return bool(self.reason)

    def give(self, size: int) -> None:
        """Note ``size`` bytes of input as they are stored: the ratio of the bundle is judged by their sum."""
        with self._lock:
            self._given_bytes += size

    def hold(self, size: int) -> None:
        """Note that ``size`` bytes more (fewer if negative) are held in memory for members not yet read."""
        with self._lock:
            self.held_bytes += size

    def count(self, size: int) -> None:
        """Add ``size`` delivered bytes.

        Raises:
            StreamCutError: The bundle exceeds its total, or expands beyond the permitted ratio.
        """
        with self._lock:
            self._total_bytes += size
            self.reason = self.reason or self._excess()
        if self.reason:
            raise StreamCutError(self.reason)

    def check_ratio(self, packed_bytes: int, unpacked_bytes: int) -> None:
        """Judge one compressed stream so far.

        Raises:
            StreamCutError: It expands beyond the permitted ratio.
        """
        if self._bursts(packed_bytes, unpacked_bytes, self.limits.ratio_floor_bytes):
            raise StreamCutError(self._burst())

    def _excess(self) -> str:
        limit = self.limits.total_bytes
        if self._total_bytes > limit:
            remedy = raised_by("total_bytes")
            return f"the bundle holds more than {limit:,} bytes; the rest was not read ({remedy})"
        floor = self.limits.ratio_floor_bytes * BUNDLE_FLOORS
        if self._given_bytes and self._bursts(self._given_bytes, self._total_bytes, floor):
            return f"the bundle {self._burst()}"
        return ""

    def _bursts(self, packed_bytes: int, unpacked_bytes: int, floor_bytes: int) -> bool:
        return unpacked_bytes > floor_bytes and unpacked_bytes > self.limits.ratio * max(packed_bytes, 1)

    def _burst(self) -> str:
        return f"expands more than {self.limits.ratio} times; the rest was not read ({raised_by('ratio')})"
