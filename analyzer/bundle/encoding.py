"""Text encodings: what a byte order mark announces, and UTF-8 streams over UTF-16 files."""

from __future__ import annotations

import codecs

from analyzer.bundle.limits import StreamCutError
from analyzer.bundle.streams import ByteStream

CHUNK_BYTES = 1 << 18
_MARKS: tuple[tuple[bytes, str], ...] = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
LONGEST_MARK = 4


def marked_encoding(head: bytes) -> tuple[str, int] | None:
    """Encoding that a byte order mark announces and the mark's length; None without a mark."""
    for mark, name in _MARKS:
        if head.startswith(mark):
            return name, len(mark)
    return None


def to_utf8(data: bytes) -> bytes:
    """A whole dump as UTF-8 without byte order mark; bytes without a mark are returned as they are."""
    found = marked_encoding(data)
    if found is None:
        return data
    name, length = found
    if name == "utf-8":
        return data[length:]
    return data[length:].decode(name, "replace").encode("utf-8", "replace")


def decode(data: bytes) -> str:
    """Text of a line or a dump: by its byte order mark, else UTF-8 with replacement characters."""
    return to_utf8(data).decode("utf-8", "replace")


def as_utf8(stream: ByteStream) -> ByteStream:
    """The same text in UTF-8 without byte order mark.

    A stream without a mark is returned as it is, so that byte offsets are those of the file. Offsets in any other
    stream count in the transcoded text.
    """
    found = marked_encoding(stream.peek(LONGEST_MARK))
    if found is None:
        return stream
    name, length = found
    stream.read(length)
    return stream if name == "utf-8" else TranscodedStream(stream, name)


class TranscodedStream(ByteStream):
    """UTF-8 bytes of a stream in another encoding; what cannot be decoded becomes a replacement character."""

    def __init__(self, source: ByteStream, encoding: str) -> None:
        super().__init__()
        self._source = source
        self._decoder = codecs.getincrementaldecoder(encoding)("replace")
        self._ended = False

    def close(self) -> None:
        """Close the stream underneath."""
        self._source.close()

    def _chunk(self) -> bytes:
        while not self._ended:
            data = self._source.read(CHUNK_BYTES)
            self._ended = not data
            if text := self._decoder.decode(data, final=self._ended).encode("utf-8", "replace"):
                return text
        if self._source.cut is not None:
            raise StreamCutError(str(self._source.cut))
        return b""
