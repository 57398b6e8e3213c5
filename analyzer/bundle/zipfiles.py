"""Zip archives by their central directory, entry by entry; by the entries themselves where that directory is lost.

The standard library's reader holds the directory of a whole archive in memory, keeps the archive open and gives up
when the directory is missing. Layout: APPNOTE.TXT of PKWARE, sections 4.3 to 4.6.
"""

from __future__ import annotations

import datetime as dt
import struct
from collections.abc import Iterator
from typing import Protocol

import msgspec

from analyzer.bundle.limits import StreamCutError

MAGICS = (b"PK\x03\x04", b"PK\x05\x06")
STORED, DEFLATED = 0, 8

_LOCAL = struct.Struct("<4s5H3I2H")
_ENTRY = struct.Struct("<4s6H3I5H2I")
_END = struct.Struct("<4s4H2IH")
_END64_PLACE = struct.Struct("<4sIQI")
_END64 = struct.Struct("<4sQ2H2I4Q")
_LONGEST_COMMENT = (1 << 16) - 1
_ENCRYPTED, _DESCRIPTOR, _UTF8 = 0x1, 0x8, 0x800
_ZIP64_FIELD = 1
_UNKNOWN32 = 0xFFFFFFFF
_UNIX = 3
_FILE_TYPE_BITS = 0o170000
_LINK = 0o120000
_ORDINARY = (0, 0o100000, 0o040000)
_READ_BYTES = 1 << 16


class RandomAccess(Protocol):
    """Bytes that can be read anywhere."""

    size_bytes: int

    def at(self, offset: int, size: int) -> bytes:
        """Up to ``size`` bytes from ``offset``; fewer only at the end."""


class ZipEntry(msgspec.Struct, frozen=True):
    """One entry of a zip archive.

    Attributes:
        name: Its path as stored.
        method: How it is compressed.
        packed_bytes: Size as stored; None if only reading tells.
        size_bytes: Size after decompression; None if only reading tells.
        checksum: CRC-32 of the content, None if only reading tells.
        modified_s: Modification time in epoch seconds; the packer's zone is unknown and read as UTC.
        offset: Where its local header begins.
        refusal: Why it is not read, empty if it is.
    """

    name: str
    method: int
    packed_bytes: int | None
    size_bytes: int | None
    checksum: int | None
    modified_s: float | None
    offset: int
    refusal: str = ""

    @property
    def is_folder(self) -> bool:
        """True for an entry that only names a folder."""
        return self.name.endswith("/")


def entries(source: RandomAccess) -> Iterator[ZipEntry]:
    """Yield the entries in the order of the directory.

    Raises:
        StreamCutError: The directory ends early or is damaged; the entries before were yielded. Without a directory
            the entries themselves are followed as far as they go, and the error comes then.
    """
    found = _directory(source)
    if found is None:
        yield from _scattered(source)
        raise StreamCutError("truncated or damaged zip file: no directory at its end; entries were read up to there")
    start, end, shift = found
    while start < end:
        raw = source.at(start, _ENTRY.size)
        if len(raw) < _ENTRY.size or raw[:4] != b"PK\x01\x02":
            raise StreamCutError("damaged zip directory; the rest was not read")
        fields = _ENTRY.unpack(raw)
        name_size, extra_size, comment_size = fields[10:13]
        text = source.at(start + _ENTRY.size, name_size + extra_size)
        yield _entry(fields, text[:name_size], text[name_size:], shift)
        start += _ENTRY.size + name_size + extra_size + comment_size


def content_offset(source: RandomAccess, entry: ZipEntry) -> int:
    """Where the data of an entry begins.

    Raises:
        StreamCutError: There is no such entry.
    """
    raw = source.at(entry.offset, _LOCAL.size)
    if len(raw) < _LOCAL.size or raw[:4] != b"PK\x03\x04":
        raise StreamCutError("damaged zip entry: no header where the directory says")
    name_size, extra_size = _LOCAL.unpack(raw)[9:11]
    return int(entry.offset + _LOCAL.size + name_size + extra_size)


def _directory(source: RandomAccess) -> tuple[int, int, int] | None:
    """Begin and end of the directory, and how far the archive lies behind the offsets it states; None without one."""
    tail_at = max(source.size_bytes - _END.size - _LONGEST_COMMENT, 0)
    tail = source.at(tail_at, source.size_bytes - tail_at)
    place = tail.rfind(b"PK\x05\x06")
    if place < 0 or len(tail) - place < _END.size:
        return None
    end = tail_at + place
    *_, size, offset, _ = _END.unpack_from(tail, place)
    wide = _end64(source, end)
    if wide is not None:
        end, size, offset = wide
    start = end - size
    return None if start < 0 or offset > start else (start, end, start - offset)


def _end64(source: RandomAccess, end: int) -> tuple[int, int, int] | None:
    raw = source.at(end - _END64_PLACE.size, _END64_PLACE.size) if end >= _END64_PLACE.size else b""
    if raw[:4] != b"PK\x06\x07":
        return None
    at = end - _END64_PLACE.size - _END64.size
    record = source.at(at, _END64.size) if at >= 0 else b""
    if record[:4] != b"PK\x06\x06":
        return None
    size, offset = _END64.unpack(record)[8:10]
    return at, size, offset


def _entry(fields: tuple[int, ...], raw_name: bytes, extra: bytes, shift: int) -> ZipEntry:
    made_by, flags, method = fields[1], fields[3], fields[4]
    packed, size, offset = _wide((fields[8], fields[9], fields[16]), extra)
    return ZipEntry(
        name=_name(raw_name, flags),
        method=method,
        packed_bytes=packed,
        size_bytes=size,
        checksum=fields[7],
        modified_s=_modified_s(fields[5], fields[6]),
        offset=offset + shift,
        refusal=_refusal(flags, method, made_by >> 8, fields[15] >> 16),
    )


def _wide(values: tuple[int, int, int], extra: bytes) -> tuple[int, int, int]:
    """Sizes and offset (packed, whole, offset) with those that do not fit 32 bits taken from the ZIP64 field."""
    packed, size, offset = values
    wide = iter(_numbers(extra))
    size = next(wide, size) if size == _UNKNOWN32 else size
    packed = next(wide, packed) if packed == _UNKNOWN32 else packed
    offset = next(wide, offset) if offset == _UNKNOWN32 else offset
    return packed, size, offset


def _numbers(extra: bytes) -> tuple[int, ...]:
    at = 0
    while at + 4 <= len(extra):
        kind, size = struct.unpack_from("<2H", extra, at)
        if kind == _ZIP64_FIELD:
            body = extra[at + 4 : at + 4 + size]
            return struct.unpack_from(f"<{len(body) // 8}Q", body)
        at += 4 + size
    return ()


def _name(raw: bytes, flags: int) -> str:
    """UTF-8 where marked so or valid: many packers leave the mark out; else the code page of the format."""
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("utf-8", "surrogateescape") if flags & _UTF8 else raw.decode("cp437")


def _modified_s(time: int, date: int) -> float | None:
    try:
        moment = dt.datetime(
            (date >> 9) + 1980, date >> 5 & 15, date & 31, time >> 11, time >> 5 & 63, (time & 31) * 2, tzinfo=dt.UTC
        )
    except ValueError:
        return None
    return moment.timestamp()


def _refusal(flags: int, method: int, system: int, mode: int) -> str:
    """Say why an entry is not read. Links are judged by their type: their text would need reading."""
    file_type = mode & _FILE_TYPE_BITS if system == _UNIX else 0
    if file_type == _LINK:
        return "link inside a zip file"
    if file_type not in _ORDINARY:
        return "special file inside an archive"
    if flags & _ENCRYPTED:
        return "password-protected: unpack it first"
    if method not in (STORED, DEFLATED):
        return f"compressed with method {method}, only stored and deflated are read: unpack it first"
    return ""


def _scattered(source: RandomAccess) -> Iterator[ZipEntry]:
    """Entries by their local headers, from the beginning to the first gap."""
    offset = 0
    while (offset := _next_local(source, offset)) >= 0:
        raw = source.at(offset, _LOCAL.size)
        if len(raw) < _LOCAL.size:
            return
        _, _, flags, method, time, date, checksum, packed, size, name_size, extra_size = _LOCAL.unpack(raw)
        text = source.at(offset + _LOCAL.size, name_size + extra_size)
        packed, size, _ = _wide((packed, size, 0), text[name_size:])
        told = not flags & _DESCRIPTOR
        yield ZipEntry(
            name=_name(text[:name_size], flags),
            method=method,
            packed_bytes=packed if told else None,
            size_bytes=size if told else None,
            checksum=checksum if told else None,
            modified_s=_modified_s(time, date),
            offset=offset,
            refusal=_refusal(flags, method, 0, 0),
        )
        offset += _LOCAL.size + name_size + extra_size + (packed if told else 0)


def _next_local(source: RandomAccess, offset: int) -> int:
    """The next place at which a local header begins, -1 if there is none."""
    while chunk := source.at(offset, _READ_BYTES):
        place = chunk.find(b"PK\x03\x04")
        if place >= 0:
            return offset + place
        if len(chunk) < _READ_BYTES:
            return -1
        offset += len(chunk) - 3
    return -1
