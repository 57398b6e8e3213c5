"""Decompression of gzip, zstd, xz and bzip2 as streams with bounded memory."""

from __future__ import annotations

import bz2
import importlib
import lzma
import zlib
from typing import Any, Literal, Protocol

import zstandard

from analyzer.bundle.limits import Meter, StreamCutError
from analyzer.bundle.streams import ByteStream

Codec = Literal["gzip", "zstd", "xz", "bzip2"]

MAGICS: tuple[tuple[bytes, Codec], ...] = (
    (b"\x1f\x8b\x08", "gzip"),
    (b"\x28\xb5\x2f\xfd", "zstd"),
    (b"\xfd7zXZ\x00", "xz"),
    (b"BZh", "bzip2"),
)
OUTPUT_BYTES = 1 << 18
INPUT_BYTES = 1 << 17
MEMORY_BYTES = 256 << 20

# One zstd block of 4 bytes may stand for 128 KiB and the decoder has no output limit: small inputs bound the output.
ZSTD_INPUT_BYTES = 1 << 9


def _igzip() -> Any:
    try:
        return importlib.import_module("isal.igzip_lib")
    except ImportError:  # not built for every platform
        return None


_IGZIP = _igzip()
DECODING_ERRORS: tuple[type[Exception], ...] = (
    *(() if _IGZIP is None else (_IGZIP.IsalError,)),
    *(OSError, EOFError, ValueError, lzma.LZMAError, zlib.error, zstandard.ZstdError),
)


class Decoder(Protocol):
    """A decompressor of one compressed stream, as the standard library shapes it."""

    @property
    def eof(self) -> bool:
        """True behind the end of the stream."""

    @property
    def needs_input(self) -> bool:
        """True when no output is left to fetch."""

    @property
    def unused_data(self) -> bytes:
        """Input behind the end of the stream."""

    def decompress(self, data: bytes, max_length: int = -1, /) -> bytes:
        """Return up to ``max_length`` bytes more."""


class _Zstd:
    """Gives zstandard's push decoder the shape of the standard library's.

    Small pieces of input bound what one of them can become; the pieces are joined to be worth a call.
    """

    def __init__(self) -> None:
        self._decoder = zstandard.ZstdDecompressor(max_window_size=MEMORY_BYTES).decompressobj()
        self._rest = memoryview(b"")

    @property
    def eof(self) -> bool:
        return self._decoder.eof

    @property
    def needs_input(self) -> bool:
        return not self._rest

    @property
    def unused_data(self) -> bytes:
        return self._decoder.unused_data + bytes(self._rest)

    def decompress(self, data: bytes, max_length: int = -1, /) -> bytes:
        self._rest = self._rest or memoryview(data)
        parts: list[bytes] = []
        size = 0
        while self._rest and (max_length < 0 or size < max_length) and not self._decoder.eof:
            try:
                parts.append(self._decoder.decompress(bytes(self._rest[:ZSTD_INPUT_BYTES])))
            except zstandard.ZstdError:
                if not size:
                    raise
                break  # raised again by the next call, after what came before was delivered
            self._rest = self._rest[ZSTD_INPUT_BYTES:]
            size += len(parts[-1])
        return b"".join(parts)


class _Zlib:
    """Gives zlib's decoder that shape; used where the faster isal is not installed."""

    def __init__(self, wbits: int) -> None:
        self._decoder = zlib.decompressobj(wbits=wbits)

    @property
    def eof(self) -> bool:
        return self._decoder.eof

    @property
    def needs_input(self) -> bool:
        return not self._decoder.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return self._decoder.unused_data

    def decompress(self, data: bytes, max_length: int = -1, /) -> bytes:
        return self._decoder.decompress(self._decoder.unconsumed_tail + data, max(max_length, 0))


def _gzip_decoder() -> Decoder:
    if _IGZIP is None:
        return _Zlib(wbits=31)
    decoder: Decoder = _IGZIP.IgzipDecompressor(flag=_IGZIP.DECOMP_GZIP)
    return decoder


def raw_deflate() -> Decoder:
    """A decompressor of deflated data without a frame around it, as zip entries are."""
    if _IGZIP is None:
        return _Zlib(wbits=-15)
    decoder: Decoder = _IGZIP.IgzipDecompressor(flag=_IGZIP.DECOMP_DEFLATE)
    return decoder


def codec_of(head: bytes) -> Codec | None:
    """Name the compression that the first bytes announce."""
    for magic, codec in MAGICS:
        if head.startswith(magic) and (codec != "bzip2" or head[3:4].isdigit()):
            return codec
    return "zstd" if is_skippable(head) else None


def is_skippable(head: bytes) -> bool:
    """Whether a zstd frame without content begins here (RFC 8878, 3.1.2)."""
    return head[1:4] == b"\x2a\x4d\x18" and head[0] >> 4 == 5


def _decoder(codec: Codec) -> Decoder:
    if codec == "gzip":
        return _gzip_decoder()
    if codec == "zstd":
        return _Zstd()
    if codec == "xz":
        return lzma.LZMADecompressor(memlimit=MEMORY_BYTES)
    return bz2.BZ2Decompressor()


def _told(codec: Codec, error: str) -> str:
    """The reason of a cut: damage, or memory that the decoder may not take."""
    if "too much memory" in error or "limit exceeded" in error.lower():
        return f"{codec} data that needs more than {MEMORY_BYTES >> 20} MiB of memory: decompress it first"
    return f"damaged {codec} data: {error}"


class InflatedStream(ByteStream):
    """The decompressed bytes of another stream; concatenated streams are read as one."""

    def __init__(self, packed: ByteStream, codec: Codec, meter: Meter) -> None:
        super().__init__()
        self._packed = packed
        self._codec = codec
        self._meter = meter
        self._decoder: Decoder | None = None
        self._input = b""
        self._in_bytes = 0
        self._out_bytes = 0
        self._begun = False

    def close(self) -> None:
        """Close the compressed stream."""
        self._packed.close()

    def _chunk(self) -> bytes:
        try:
            data = self._inflate()
        except StreamCutError:
            raise
        except DECODING_ERRORS as error:
            raise StreamCutError(_told(self._codec, str(error))) from error
        self._out_bytes += len(data)
        self._meter.check_ratio(self._in_bytes, self._out_bytes)
        self._meter.count(len(data))
        return data

    def _inflate(self) -> bytes:
        while (decoder := self._decoder or self._begin()) is not None:
            if decoder.needs_input and not self._input and not self._refill():
                raise StreamCutError(f"truncated {self._codec} data")
            data, self._input = decoder.decompress(self._input, OUTPUT_BYTES), b""
            if decoder.eof:
                self._input = decoder.unused_data
                self._decoder = None
            if data:
                return data
        return b""

    def _begin(self) -> Decoder | None:
        """Start the next of several concatenated streams; None at the end. Zero padding between them is skipped."""
        while not self._input or self._skip_frame():
            if not self._input and not self._refill():
                return None
            self._input = self._input.lstrip(b"\x00") if self._begun else self._input
        if codec_of(self._input + self._packed.peek(8)) != self._codec:
            raise StreamCutError(f"other data follows the {self._codec} stream; it was not read")
        self._begun = True
        self._decoder = _decoder(self._codec)
        return self._decoder

    def _skip_frame(self) -> bool:
        """Pass a frame that carries no content, as parallel and seekable writers of zstd put in."""
        self._input = self._input.lstrip(b"\x00") if self._begun else self._input
        head = (self._input + self._packed.peek(8))[:8]
        if self._codec != "zstd" or not is_skippable(head) or len(head) < 8:
            return not self._input
        size = 8 + int.from_bytes(head[4:], "little")
        inside, self._input = self._input[:size], self._input[size:]
        skipped = len(inside)
        while skipped < size:
            part = len(self._packed.read(min(size - skipped, INPUT_BYTES)))
            if not part:
                raise StreamCutError("truncated zstd data")
            self._in_bytes += part
            skipped += part
        return True

    def _refill(self) -> bool:
        self._input = self._packed.read(INPUT_BYTES)
        self._in_bytes += len(self._input)
        return bool(self._input)
