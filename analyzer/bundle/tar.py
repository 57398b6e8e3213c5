"""Tar archives as a stream: headers and the data behind them, in order, with bounded memory.

The standard library's reader holds extension headers of any stated size in memory; here they are capped.
"""

from __future__ import annotations

import tarfile
from collections.abc import Iterator, Mapping

import msgspec

from analyzer.bundle.limits import StreamCutError
from analyzer.bundle.streams import ByteStream, PartStream

BLOCK_BYTES = 512
MAX_EXTENSION_BYTES = 1 << 20
_SPARSE_MORE = 482
_SPARSE_GOES_ON = 504

_EXTENSIONS = (tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK, tarfile.XHDTYPE, tarfile.XGLTYPE, b"X")
_KINDS: Mapping[bytes, str] = {
    tarfile.LNKTYPE: "link",
    tarfile.SYMTYPE: "link",
    tarfile.CHRTYPE: "device",
    tarfile.BLKTYPE: "device",
    tarfile.FIFOTYPE: "named pipe",
    tarfile.DIRTYPE: "folder",
}


class TarEntry(msgspec.Struct, frozen=True):
    """One entry of a tar archive.

    Attributes:
        name: Its path as stored.
        kind: ``file``, ``folder``, ``link``, ``device``, ``named pipe``.
        size_bytes: Size of the data. The holes of a sparse file are left out: there are no lines in them.
        modified_s: Modification time in epoch seconds.
        target: What a link points to.
        data: The data; to be read before the next entry is asked for.
    """

    name: str
    kind: str
    size_bytes: int
    modified_s: float
    target: str
    data: PartStream


def is_tar(head: bytes, name: str) -> bool:
    """Judge the first block: a valid header with the ustar magic, or with a name that ends like a tar's."""
    if len(head) < BLOCK_BYTES:
        return False
    if head[257:262] != b"ustar" and ".tar" not in name and not name.endswith((".tgz", ".tzst", ".txz", ".tbz2")):
        return False
    if not head.strip(b"\x00"):
        return ".tar" in name
    try:
        _header(head[:BLOCK_BYTES])
    except (tarfile.HeaderError, ValueError):
        return False
    return True


def entries(stream: ByteStream) -> Iterator[TarEntry]:
    """Yield the entries of a tar stream.

    Raises:
        StreamCutError: The archive is truncated or damaged; the entries before were yielded.
    """
    extra: dict[str, str] = {}
    shared: dict[str, str] = {}
    while (header := _next_header(stream)) is not None:
        data = PartStream(stream, _data_bytes(header))
        if header.type in _EXTENSIONS:
            found = _extension(header, data)
            (shared if header.type == tarfile.XGLTYPE else extra).update(found)
        else:
            fields = shared | extra
            data = PartStream(stream, _data_bytes(header, fields))
            yield _entry(header, fields, data)
            extra = {}
        size = data.size_bytes
        data.retire()
        stream.read(-size % BLOCK_BYTES)


def _header(block: bytes) -> tarfile.TarInfo:
    return tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")


def _next_header(stream: ByteStream) -> tarfile.TarInfo | None:
    """The next header; None at the end. Archives that were put one behind the other are read as one."""
    block = stream.read(BLOCK_BYTES)
    ended = len(block) == BLOCK_BYTES and not block.strip(b"\x00")
    while ended and block and not block.strip(b"\x00"):
        block = stream.read(BLOCK_BYTES)
    if ended and len(block) < BLOCK_BYTES and stream.cut is None:
        return None
    if len(block) < BLOCK_BYTES:
        raise stream.cut or StreamCutError("truncated")
    try:
        header = _header(block)
    except (tarfile.HeaderError, ValueError) as error:
        found = "other data follows the archive" if ended else "damaged tar header"
        raise StreamCutError(f"{found}; the rest was not read") from error
    if header.size < 0:
        raise StreamCutError("damaged tar header; the rest was not read")
    if header.type == tarfile.GNUTYPE_SPARSE and block[_SPARSE_MORE]:
        _skip_sparse_maps(stream)
    return header


def _skip_sparse_maps(stream: ByteStream) -> None:
    """Pass the blocks in which an old GNU header goes on listing the holes of a sparse file."""
    while (block := stream.read(BLOCK_BYTES)) and len(block) == BLOCK_BYTES and block[_SPARSE_GOES_ON]:
        pass


def _data_bytes(header: tarfile.TarInfo, fields: Mapping[str, str] | None = None) -> int:
    """Bytes that follow the header; links, folders and devices carry none whatever size they state."""
    if header.type in _KINDS:
        return 0
    stated = (fields or {}).get("size", "")
    return int(stated) if stated.isascii() and stated.isdigit() and len(stated) < 20 else header.size


def _extension(header: tarfile.TarInfo, data: PartStream) -> dict[str, str]:
    """Fields that a GNU or POSIX extension header sets for the entry that follows."""
    if data.size_bytes > MAX_EXTENSION_BYTES:
        raise StreamCutError("tar extension header too large; the rest was not read")
    raw = data.read(data.size_bytes)
    if header.type == tarfile.GNUTYPE_LONGNAME:
        return {"path": _text(raw.rstrip(b"\x00"))}
    if header.type == tarfile.GNUTYPE_LONGLINK:
        return {"linkpath": _text(raw.rstrip(b"\x00"))}
    return _pax_fields(raw)


def _pax_fields(raw: bytes) -> dict[str, str]:
    fields: dict[str, str] = {}
    start = 0
    while start < len(raw):
        digits, _, _ = raw[start : start + 20].partition(b" ")
        length = int(digits) if digits.isdigit() else 0
        record = raw[start + len(digits) + 1 : start + length - 1]
        key, equals, value = record.partition(b"=")
        if length <= len(digits) or not equals:
            break
        fields[_text(key)] = _text(value)
        start += length
    return fields


def _entry(header: tarfile.TarInfo, fields: Mapping[str, str], data: PartStream) -> TarEntry:
    kind = _KINDS.get(header.type, "file")
    name = fields.get("GNU.sparse.name") or fields.get("path", header.name)
    if fields.get("GNU.sparse.major") == "1":
        _skip_map(data)
    if kind == "file" and name.endswith("/"):
        kind = "folder"
    return TarEntry(
        name=name,
        kind=kind,
        size_bytes=data.left_bytes,
        modified_s=_seconds(fields.get("mtime", ""), float(header.mtime)),
        target=fields.get("linkpath", header.linkname),
        data=data,
    )


def _skip_map(data: PartStream) -> None:
    """Pass the list of holes in front of a sparse file's data: how many, then offset and size of each, by lines."""
    wanted, lines = 0, 0
    while lines <= wanted and (block := data.read(BLOCK_BYTES)):
        if not lines:
            count = block.partition(b"\n")[0]
            wanted = 2 * int(count) if count.isdigit() and len(count) < 10 else 0
        lines += block.count(b"\n")


def _seconds(stated: str, otherwise: float) -> float:
    try:
        return float(stated)
    except ValueError:
        return otherwise


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")
