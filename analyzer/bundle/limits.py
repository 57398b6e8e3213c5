"""Caps on what a stranger's bundle may cost, and the one exception that ends a stream early."""

from __future__ import annotations

import threading

import msgspec

MIB = 1 << 20


class Limits(msgspec.Struct, frozen=True):
    """Caps on one bundle; whatever was read before one is reached stays.

    Attributes:
        total_bytes: Bytes of all members together, after decompression.
        members: Number of members.
        ratio: Decompressed bytes per compressed byte of one stream.
        ratio_floor_bytes: Output up to which the ratio is not judged; repetitive logs compress well.
        nesting: Levels of archives: 2 is an archive inside an archive.
        buffered_bytes: Members of a streamed archive up to this size are handed over in memory.
        held_bytes: Such members held in memory at a time; further ones must be read before the next is asked for.
        nested_zip_bytes: Largest zip file that is read from inside another archive (it must be held in memory).
    """

    total_bytes: int = 256 * 1024 * MIB
    members: int = 1_000_000
    ratio: int = 250
    ratio_floor_bytes: int = 256 * MIB
    nesting: int = 2
    buffered_bytes: int = 8 * MIB
    held_bytes: int = 48 * MIB
    nested_zip_bytes: int = 64 * MIB


class StreamCutError(EOFError):
    """A stream ends before its data does: truncated, damaged, unreadable or over a limit.

    Every byte before that point has been delivered when it is raised; its text is the reason.
    """


class Meter:
    """Counts the bytes that all streams of one bundle deliver, against ``Limits.total_bytes``.

    Attributes:
        held_bytes: Bytes held in memory for members that were handed over and not yet closed.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.held_bytes = 0
        self._total_bytes = 0
        self._lock = threading.Lock()

    @property
    def exhausted(self) -> bool:
        """True once the bundle delivered more than it may."""
        return self._total_bytes > self.limits.total_bytes

    @property
    def reason(self) -> str:
        """The message for a reader of the report."""
        return f"the bundle holds more than {self.limits.total_bytes:,} bytes; the rest was not read"

    def hold(self, size: int) -> None:
        """Note that ``size`` bytes more (fewer if negative) are held in memory for members not yet read."""
        with self._lock:
            self.held_bytes += size

    def count(self, size: int) -> None:
        """Add ``size`` delivered bytes.

        Raises:
            StreamCutError: The bundle exceeds its total.
        """
        with self._lock:
            self._total_bytes += size
        if self.exhausted:
            raise StreamCutError(self.reason)

    def check_ratio(self, packed_bytes: int, unpacked_bytes: int) -> None:
        """Judge one compressed stream so far.

        Raises:
            StreamCutError: It expands beyond the permitted ratio.
        """
        if unpacked_bytes <= self.limits.ratio_floor_bytes:
            return
        if unpacked_bytes > self.limits.ratio * max(packed_bytes, 1):
            raise StreamCutError(f"expands more than {self.limits.ratio} times; the rest was not read")
