"""Byte streams with ``readinto``, ``read`` and ``peek`` over files, memory and parts of other streams."""

from __future__ import annotations

import errno
import io
import os
import pathlib
import stat
from collections.abc import Callable
from types import TracebackType
from typing import Protocol

from analyzer.bundle.limits import Meter, StreamCutError

CHUNK_BYTES = 1 << 18
FIRST_CHUNK_BYTES = 1 << 12
_KEPT_INLINE_BYTES = 1 << 16
"""Small files may take no blocks of their own."""

_OPEN_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


class ByteStream:
    """Base of all streams: delivers every byte there is, then ends (0 or ``b""``) or raises ``StreamCutError``.

    A context manager; leaving it closes the stream. Sub-classes implement ``_chunk`` and may refine ``_fill``.
    """

    def __init__(self) -> None:
        self._held = memoryview(b"")
        self._cut: StreamCutError | None = None

    def __enter__(self) -> ByteStream:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def cut(self) -> StreamCutError | None:
        """Why the stream ends early, once reading or peeking met that point."""
        return self._cut

    def close(self) -> None:
        """Release what the stream holds; may be called again."""

    def readinto(self, buffer: bytearray | memoryview) -> int:
        """Fill ``buffer`` with the next bytes, at least one unless the stream is at its end.

        Returns:
            Number of bytes written; 0 at the end.

        Raises:
            StreamCutError: The data ends before it should, after all of it was delivered.
        """
        target = memoryview(buffer).cast("B")
        if not target:
            return 0
        if self._held:
            size = min(len(self._held), len(target))
            target[:size] = self._held[:size]
            self._held = self._held[size:]
            return size
        if self._cut is not None:
            raise self._cut
        return self._fill(target)

    def read(self, size: int = -1) -> bytes:
        """Read exactly ``size`` bytes, fewer only at the end or before a cut; all of them if negative."""
        parts: list[bytes | memoryview] = []
        missing = size
        while missing:
            part = self._take(missing)
            if not part:
                break
            parts.append(part)
            missing -= len(part) if size >= 0 else 0
        if not parts and missing and self._cut is not None:
            raise self._cut
        return bytes(parts[0]) if len(parts) == 1 else b"".join(parts)

    def peek(self, size: int) -> bytes:
        """Look at the next ``size`` bytes, fewer only at the end or before a cut, and leave them in the stream."""
        parts: list[bytes | memoryview] = [self._held]
        have = len(self._held)
        while have < size:
            chunk = self._safe_chunk()
            if not chunk:
                break
            parts.append(chunk)
            have += len(chunk)
        if len(parts) > 1:
            self._held = memoryview(b"".join(parts))
        return bytes(self._held[:size])

    def drain(self) -> None:
        """Read and drop everything up to the end or a cut."""
        self._held = memoryview(b"")
        while self._safe_chunk():
            pass

    def _take(self, size: int) -> bytes | memoryview:
        if not self._held:
            self._held = memoryview(self._safe_chunk())
        part = self._held if size < 0 else self._held[:size]
        self._held = self._held[len(part) :]
        return part

    def _safe_chunk(self) -> bytes:
        if self._cut is not None:
            return b""
        try:
            return self._chunk()
        except StreamCutError as cut:
            self._cut = cut
            return b""

    def _fill(self, target: memoryview) -> int:
        chunk = self._safe_chunk()
        if not chunk:
            if self._cut is not None:
                raise self._cut
            return 0
        self._held = memoryview(chunk)
        return self.readinto(target)

    def _chunk(self) -> bytes:
        """Return the next bytes, ``b""`` at the end, or raise ``StreamCutError``."""
        raise NotImplementedError


class RawFile(Protocol):
    """What a ``FileStream`` reads: an unbuffered binary file."""

    def readinto(self, buffer: memoryview, /) -> int | None:
        """Fill the buffer."""

    def close(self) -> None:
        """Close the file."""


class FileStream(ByteStream):
    """A file of the file system or standard input, read without a buffer in between."""

    def __init__(
        self, raw: RawFile, meter: Meter | None = None, *, given: bool = False, size_bytes: int | None = None
    ) -> None:
        """Take over an open file.

        Args:
            raw: The file.
            meter: Counts what is delivered.
            given: What is delivered is input whose size was not known before; the meter is told.
            size_bytes: Where the stream ends: a log that grows while it is read must end too.
        """
        super().__init__()
        self._raw = raw
        self._meter = meter
        self._given = given
        self._left = size_bytes
        self._chunk_bytes = FIRST_CHUNK_BYTES

    @classmethod
    def of(cls, path: pathlib.Path, meter: Meter | None = None) -> FileStream:
        """Open a regular file; raises OSError if that is not possible.

        Another file may have taken its place since it was looked at: a pipe does not block, a device is not read.
        """
        raw = cls.open_regular(path)
        status = os.fstat(raw.fileno())
        # files that a kernel makes up (/proc, /sys) state no size, or that of a page
        known = status.st_size if status.st_size and status.st_blocks else None
        return cls(raw, meter, size_bytes=known)

    @staticmethod
    def open_regular(path: pathlib.Path) -> io.FileIO:
        """Open a regular file without a buffer; raises OSError for any other kind."""
        raw = io.FileIO(os.open(path, _OPEN_FLAGS), "rb")
        if not stat.S_ISREG(os.fstat(raw.fileno()).st_mode):
            raw.close()
            raise OSError(errno.EINVAL, "no longer a regular file")
        return raw

    def close(self) -> None:
        """Close the file."""
        self._raw.close()

    def _fill(self, target: memoryview) -> int:
        wanted = target if self._left is None else target[: self._left]
        if not wanted:
            return 0
        try:
            size = self._raw.readinto(wanted) or 0
            self._account(size)
        except OSError as error:
            self._cut = StreamCutError(f"read error: {error.strerror or error}")
            raise self._cut from error
        except StreamCutError as cut:
            self._cut = cut
            raise
        return size

    def _account(self, size: int) -> None:
        if self._left is not None:
            if not size:
                raise StreamCutError("became shorter while it was read")
            self._left -= size
        if self._meter is not None:
            if self._given:
                self._meter.give(size)
            self._meter.count(size)

    def _chunk(self) -> bytes:
        buffer = bytearray(self._chunk_bytes)
        self._chunk_bytes = CHUNK_BYTES
        return bytes(memoryview(buffer)[: self._fill(memoryview(buffer))])


def stored_bytes(path: pathlib.Path) -> int:
    """Bytes that a file takes on its disk: those of the holes of a sparse file are not among them."""
    status = path.stat()
    blocks: int | None = getattr(status, "st_blocks", None)
    if blocks is None:
        return status.st_size
    return max(blocks * 512, min(status.st_size, _KEPT_INLINE_BYTES))


class MemoryStream(ByteStream):
    """Bytes held in memory, with the reason if they are not all there should be."""

    def __init__(
        self, data: bytes, cut: StreamCutError | None = None, release: Callable[[], None] = lambda: None
    ) -> None:
        super().__init__()
        self._held = memoryview(data)
        self._cut = cut
        self._release = release

    def close(self) -> None:
        """Drop the bytes and tell their owner."""
        self._held = memoryview(b"")
        self._release()

    def _chunk(self) -> bytes:
        return b""


class PartStream(ByteStream):
    """The next ``size`` bytes of another stream, which stays open.

    Raises ``StreamCutError`` when the other stream ends before, and when it has moved on.
    """

    def __init__(self, whole: ByteStream, size: int) -> None:
        super().__init__()
        self.size_bytes = size
        self._whole = whole
        self._left = size
        self._stale = False

    @property
    def left_bytes(self) -> int:
        """Bytes that were not read yet."""
        return self._left

    def retire(self) -> None:
        """Skip what is left, so that the other stream stands behind this part."""
        self.drain()
        self._stale = True

    def _fill(self, target: memoryview) -> int:
        if self._stale:
            raise StreamCutError("no longer available: the archive was read on")
        if not self._left:
            return 0
        size = self._whole.readinto(target[: self._left])
        if not size:
            self._cut = StreamCutError("truncated")
            raise self._cut
        self._left -= size
        return size

    def _chunk(self) -> bytes:
        buffer = bytearray(min(self._left, CHUNK_BYTES) or 1)
        return bytes(memoryview(buffer)[: self._fill(memoryview(buffer))])


class CallStream(ByteStream):
    """Chunks that a function returns one by one, ``b""`` at the end."""

    def __init__(self, chunk: Callable[[], bytes], close: Callable[[], None] = lambda: None) -> None:
        super().__init__()
        self._call = chunk
        self._close = close

    def close(self) -> None:
        """Close what feeds the stream."""
        self._close()

    def _chunk(self) -> bytes:
        return self._call()
