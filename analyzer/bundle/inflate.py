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
XZ_MEMORY_BYTES = 256 << 20

# One zstd block of 4 bytes may stand for 128 KiB and the decoder has no output limit: small inputs bound the output.
ZSTD_INPUT_BYTES = 1 << 9


def _igzip() -> Any:
    try:
        return importlib.import_module("isal.igzip_lib")
    except ImportError:  # not built for every platform
        return None


_IGZIP = _igzip()
_ERRORS: tuple[type[Exception], ...] = (
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
    """Gives zstandard's push decoder the shape of the standard library's."""

    needs_input = True

    def __init__(self) -> None:
        self._decoder = zstandard.ZstdDecompressor().decompressobj()

    @property
    def eof(self) -> bool:
        return self._decoder.eof

    @property
    def unused_data(self) -> bytes:
        return self._decoder.unused_data

    def decompress(self, data: bytes, _max_length: int = -1, /) -> bytes:
        return self._decoder.decompress(data)


class _Zlib:
    """Gives zlib's decoder that shape; used where the faster isal is not installed."""

    def __init__(self) -> None:
        self._decoder = zlib.decompressobj(wbits=31)

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
        return _Zlib()
    decoder: Decoder = _IGZIP.IgzipDecompressor(flag=_IGZIP.DECOMP_GZIP)
    return decoder


def codec_of(head: bytes) -> Codec | None:
    """Name the compression that the first bytes announce."""
    for magic, codec in MAGICS:
        if head.startswith(magic) and (codec != "bzip2" or head[3:4].isdigit()):
            return codec
    return None


def _decoder(codec: Codec) -> Decoder:
    if codec == "gzip":
        return _gzip_decoder()
    if codec == "zstd":
        return _Zstd()
    if codec == "xz":
        return lzma.LZMADecompressor(memlimit=XZ_MEMORY_BYTES)
    return bz2.BZ2Decompressor()


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

    def close(self) -> None:
        """Close the compressed stream."""
        self._packed.close()

    def _chunk(self) -> bytes:
        try:
            data = self._inflate()
        except StreamCutError:
            raise
        except _ERRORS as error:
            raise StreamCutError(f"damaged {self._codec} data: {error}") from error
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
        self._input = self._input.lstrip(b"\x00") if self._in_bytes else self._input
        while not self._input:
            if not self._refill():
                return None
            self._input = self._input.lstrip(b"\x00") if self._out_bytes else self._input
        if self._out_bytes and codec_of(self._input + self._packed.peek(8)) != self._codec:
            raise StreamCutError(f"other data follows the {self._codec} stream; it was not read")
        self._decoder = _decoder(self._codec)
        return self._decoder

    def _refill(self) -> bool:
        self._input = self._packed.read(ZSTD_INPUT_BYTES if self._codec == "zstd" else INPUT_BYTES)
        self._in_bytes += len(self._input)
        return bool(self._input)
