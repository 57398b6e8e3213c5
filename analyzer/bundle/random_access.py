"""Bytes that can be read anywhere: of a file, or held in memory."""

from __future__ import annotations

import io
import os
import pathlib

from analyzer.bundle.limits import StreamCutError
from analyzer.bundle.streams import ByteStream, FileStream, MemoryStream

BUFFER_BYTES = 1 << 16


class FileBytes:
    """A file on disk, open as long as the object is; readers of its parts open it anew."""

    def __init__(self, path: pathlib.Path) -> None:
        self._path = path
        self._file = io.BufferedReader(FileStream.open_regular(path), BUFFER_BYTES)
        self.size_bytes = os.fstat(self._file.fileno()).st_size

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def at(self, offset: int, size: int) -> bytes:
        """Up to ``size`` bytes from ``offset``."""
        try:
            self._file.seek(offset)
            return self._file.read(size)
        except (OSError, ValueError, OverflowError) as error:
            raise StreamCutError(f"read error: {error}") from error

    def part(self, offset: int, size: int) -> ByteStream:
        """A stream of its own over a part, as far as the file goes; one that cannot be read is cut at byte 0."""
        try:
            raw = FileStream.open_regular(self._path)
            raw.seek(offset)
        except (OSError, ValueError, OverflowError) as error:
            return MemoryStream(b"", StreamCutError(f"read error: {error}"))
        return FileStream(raw, size_bytes=max(min(size, self.size_bytes - offset), 0))


class HeldBytes:
    """Bytes in memory."""

    def __init__(self, data: bytes) -> None:
        self._data = memoryview(data)
        self.size_bytes = len(data)

    def close(self) -> None:
        """Let go of the bytes."""
        self._data = memoryview(b"")

    def at(self, offset: int, size: int) -> bytes:
        """Up to ``size`` bytes from ``offset``."""
        return bytes(self._data[offset : offset + size])

    def part(self, offset: int, size: int) -> ByteStream:
        """A stream over a part, as far as the bytes go."""
        return MemoryStream(self.at(offset, size))
