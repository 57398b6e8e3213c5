"""The content of one zip entry as a stream: decompressed with bounded memory, its size and checksum verified."""

from __future__ import annotations

import zlib

from analyzer.bundle.inflate import DECODING_ERRORS, INPUT_BYTES, OUTPUT_BYTES, Decoder, raw_deflate
from analyzer.bundle.limits import Meter, StreamCutError
from analyzer.bundle.streams import ByteStream
from analyzer.bundle.zipfiles import STORED, ZipEntry


class ZipEntryStream(ByteStream):
    """Decompressed bytes of an entry whose stored bytes another stream delivers."""

    def __init__(self, entry: ZipEntry, packed: ByteStream, meter: Meter) -> None:
        super().__init__()
        self._entry = entry
        self._packed = packed
        self._meter = meter
        self._decoder: Decoder | None = None if entry.method == STORED else raw_deflate()
        self._in_bytes = 0
        self._out_bytes = 0
        self._checksum = 0

    def close(self) -> None:
        """Close the stored bytes."""
        self._packed.close()

    def _chunk(self) -> bytes:
        try:
            data = self._stored() if self._decoder is None else self._inflated(self._decoder)
        except StreamCutError:
            raise
        except DECODING_ERRORS as error:
            raise StreamCutError(f"damaged zip entry: {error}") from error
        self._out_bytes += len(data)
        self._checksum = zlib.crc32(data, self._checksum)
        self._meter.check_ratio(self._in_bytes, self._out_bytes)
        self._meter.count(len(data))
        if not data:
            self._verify()
        return data

    def _stored(self) -> bytes:
        data = self._packed.read(OUTPUT_BYTES)
        self._in_bytes += len(data)
        return data

    def _inflated(self, decoder: Decoder) -> bytes:
        while not decoder.eof:
            packed = self._packed.read(INPUT_BYTES) if decoder.needs_input else b""
            self._in_bytes += len(packed)
            if not packed and decoder.needs_input:
                raise StreamCutError("truncated zip entry")
            if data := decoder.decompress(packed, OUTPUT_BYTES):
                return data
        return b""

    def _verify(self) -> None:
        stated = self._entry.size_bytes
        if stated is not None and self._out_bytes != stated:
            raise StreamCutError("truncated zip entry" if self._out_bytes < stated else "damaged zip entry: too long")
        if self._entry.checksum is not None and self._checksum != self._entry.checksum:
            raise StreamCutError("damaged zip entry: wrong checksum")
