"""Text encodings: UTF-16 and UTF-32 by byte order mark or by their zero bytes, line ends of a carriage return alone.

What is given out is UTF-8 with line feeds; lines are those that an editor shows.
"""

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
SAMPLE_BYTES = 1 << 16
"""First bytes by which encoding and line ends are judged."""

_UTF16_SAMPLE_BYTES = 512
_LEAST_UTF16_BYTES = 8
_UTF16_SHARE = 0.9
_TEXT = bytes([9, 10, 13, *range(32, 127)])
_BINARY = bytes(range(9))


def marked_encoding(head: bytes) -> tuple[str, int] | None:
    """Encoding that a byte order mark announces and the mark's length; None without a mark."""
    for mark, name in _MARKS:
        if head.startswith(mark):
            return name, len(mark)
    return None


def encoding_of(head: bytes) -> tuple[str, int] | None:
    """Encoding by byte order mark, or UTF-16 without one, and the mark's length; None for bytes to be taken as UTF-8.

    Western text in UTF-16 has a zero in every second byte, and text in the others.
    """
    found = marked_encoding(head)
    if found is not None:
        return found
    sample = head[: min(len(head), _UTF16_SAMPLE_BYTES) & ~1]
    if len(sample) < _LEAST_UTF16_BYTES:
        return None
    for name, zeros, letters in (("utf-16-le", sample[1::2], sample[0::2]), ("utf-16-be", sample[0::2], sample[1::2])):
        texts = len(letters) - len(letters.translate(None, _TEXT))
        if min(zeros.count(0), texts) >= _UTF16_SHARE * len(zeros):
            return name, 0
    return None


def to_utf8(data: bytes) -> bytes:
    """A whole dump as UTF-8 without byte order mark; UTF-8 and unknown bytes are returned as they are."""
    found = encoding_of(data)
    if found is not None:
        name, length = found
        data = data[length:]
        if name != "utf-8":
            data = data.decode(name, "replace").encode("utf-8", "replace")
    return data.replace(b"\r", b"\n") if _ends_lines_by_returns(data) else data


def decode(data: bytes) -> str:
    """Text of a line or a dump: by its byte order mark, else UTF-8 with replacement characters."""
    return to_utf8(data).decode("utf-8", "replace")


def as_utf8(stream: ByteStream) -> ByteStream:
    """The same text in UTF-8 without byte order mark, its lines ended by line feeds.

    A stream that needs no change is returned as it is, so that byte offsets are those of the file. Offsets in any
    other stream count in the transcoded text.
    """
    found = encoding_of(stream.peek(SAMPLE_BYTES))
    if found is not None:
        name, length = found
        stream.read(length)
        stream = stream if name == "utf-8" else TranscodedStream(stream, name)
    return ReturnsStream(stream) if _ends_lines_by_returns(stream.peek(SAMPLE_BYTES)) else stream


def _ends_lines_by_returns(text: bytes) -> bool:
    """Whether a text's first bytes hold carriage returns and no line feed; binary data never does."""
    head = text[:SAMPLE_BYTES]
    if b"\n" in head or b"\r" not in head:
        return False
    return len(head.translate(None, _BINARY)) == len(head)


class ReturnsStream(ByteStream):
    """A stream whose carriage returns are line feeds."""

    def __init__(self, source: ByteStream) -> None:
        super().__init__()
        self._source = source

    def close(self) -> None:
        """Close the stream underneath."""
        self._source.close()

    def _chunk(self) -> bytes:
        return self._source.read(CHUNK_BYTES).replace(b"\r", b"\n")


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
