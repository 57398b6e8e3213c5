"""Turns one opened file into members: itself, decompressed, or what the archive holds."""

from __future__ import annotations

import datetime as dt
import io
import pathlib
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial

import msgspec

from analyzer.bundle import paths, tar
from analyzer.bundle.inflate import Codec, InflatedStream, codec_of
from analyzer.bundle.limits import Meter, StreamCutError
from analyzer.bundle.members import Member, Refused
from analyzer.bundle.streams import ByteStream, CallStream, FileStream, MemoryStream

HEAD_BYTES = 8
ZIP_CHUNK_BYTES = 1 << 18
_ENCRYPTED = 0x1
_ZIP_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_FILE_TYPE_BITS = 0o170000
_LINK = 0o120000
_ORDINARY = (0, 0o100000, 0o040000)

# Documents and models that are zip files inside: whole files to a reader of logs, not archives.
_ZIP_DOCUMENTS = (".docx", ".xlsx", ".pptx", ".odt", ".ods", ".jar", ".whl", ".npz", ".pt", ".pth", ".apk", ".keras")
_UNSUPPORTED = (
    (b"7z\xbc\xaf\x27\x1c", "7z archive: unpack it first"),
    (b"Rar!\x1a\x07", "rar archive: unpack it first"),
    (b"\x04\x22\x4d\x18", "lz4 data: decompress it first"),
)


class Place(msgspec.Struct, frozen=True):
    """Where a stream stands in the bundle.

    Attributes:
        path: Path as reports cite it if it is a plain member.
        prefix: What precedes the paths of its members if it is an archive.
        size_bytes: Size as stored, None if unknown.
        modified_s: Modification time.
        file: File on disk, None inside an archive.
        depth: Archives around it.
        reopen: Makes a new stream over the same bytes; None if they come only once.
    """

    path: str
    prefix: str
    size_bytes: int | None = None
    modified_s: float | None = None
    file: pathlib.Path | None = None
    depth: int = 0
    reopen: Callable[[], ByteStream] | None = None


class Expander:
    """Expands streams of one bundle under its limits."""

    def __init__(self, meter: Meter, resources: ExitStack) -> None:
        self.meter = meter
        self._resources = resources

    def file(self, file: pathlib.Path, place: Place) -> Iterator[Member | Refused]:
        """Expand a regular file on disk."""
        place = msgspec.structs.replace(place, file=file, reopen=partial(self._open_file, file))
        try:
            stream = FileStream.of(file)
        except OSError as error:
            yield Refused(place.path, (error.strerror or str(error)).lower())
            return
        with stream:
            yield from self.stream(stream, place)

    def stream(self, stream: ByteStream, place: Place) -> Iterator[Member | Refused]:
        """Expand a stream that stands at its beginning."""
        codec = codec_of(stream.peek(HEAD_BYTES))
        if codec is not None:
            stream, place = self._inflated(stream, place, codec)
        head = stream.peek(tar.BLOCK_BYTES)
        if tar.is_tar(head, place.path):
            yield from self._archive(place, self._tar(stream, place))
        elif head.startswith((b"PK\x03\x04", b"PK\x05\x06")) and not place.path.endswith(_ZIP_DOCUMENTS):
            yield from self._archive(place, self._zip(stream, place))
        else:
            yield self._plain(stream, place, head)

    def _open_file(self, file: pathlib.Path) -> ByteStream:
        try:
            return FileStream.of(file, self.meter)
        except OSError as error:
            return MemoryStream(b"", StreamCutError((error.strerror or str(error)).lower()))

    def _inflated(self, stream: ByteStream, place: Place, codec: Codec) -> tuple[ByteStream, Place]:
        inner = place.reopen
        again = None if inner is None else lambda: InflatedStream(inner(), codec, self.meter)
        packed = InflatedStream(stream, codec, self.meter)
        return packed, msgspec.structs.replace(place, size_bytes=None, file=None, reopen=again)

    def _archive(self, place: Place, members: Iterator[Member | Refused]) -> Iterator[Member | Refused]:
        limit = self.meter.limits.nesting
        if place.depth >= limit:
            yield Refused(place.path, f"more than {limit} archives inside each other")
            return
        try:
            yield from members
        except StreamCutError as cut:
            yield Refused(place.path, str(cut), "partial")

    def _tar(self, stream: ByteStream, place: Place) -> Iterator[Member | Refused]:
        for entry in tar.entries(stream):
            name = paths.readable(entry.name)
            inner = self._inner(place, name, float(entry.modified_s), entry.size_bytes)
            if entry.kind == "folder":
                continue
            if reason := paths.refusal(entry.name):
                yield Refused(place.prefix + name, reason)
            elif entry.kind == "link":
                yield link(inner.path, paths.tidy(name), paths.readable(entry.target))
            elif entry.kind != "file":
                yield Refused(inner.path, f"{entry.kind} inside an archive")
            else:
                self.meter.count(0 if place.file is None else entry.size_bytes)
                yield from self.stream(entry.data, inner)

    def _zip(self, stream: ByteStream, place: Place) -> Iterator[Member | Refused]:
        try:
            archive = zipfile.ZipFile(self._zip_source(stream, place))
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
            raise StreamCutError(f"truncated or damaged zip file: {error}") from error
        self._resources.enter_context(archive)
        for info in archive.infolist():
            if info.is_dir():
                continue
            if reason := _zip_refusal(info):
                yield Refused(place.prefix + paths.readable(info.filename), reason)
                continue
            inner = self._inner(place, paths.readable(info.filename), _zip_seconds(info), info.file_size)
            reopen = partial(self._zip_entry, archive, info)
            inner = msgspec.structs.replace(inner, reopen=reopen)
            with reopen() as entry:
                yield from self.stream(entry, inner)

    def _zip_source(self, stream: ByteStream, place: Place) -> str | io.BytesIO:
        if place.file is not None:
            return str(place.file)
        limit = self.meter.limits.nested_zip_bytes
        data = stream.read(limit + 1)
        if len(data) > limit:
            raise StreamCutError(f"zip file of more than {limit:,} bytes inside another archive")
        return io.BytesIO(data)

    def _zip_entry(self, archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> ByteStream:
        try:
            source = archive.open(info)
        except (zipfile.BadZipFile, OSError, ValueError, RuntimeError) as error:
            return MemoryStream(b"", StreamCutError(f"damaged zip entry: {error}"))
        delivered = 0

        def chunk() -> bytes:
            nonlocal delivered
            try:
                data = source.read(ZIP_CHUNK_BYTES)
            except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError) as error:
                raise StreamCutError(f"damaged zip entry: {error}") from error
            delivered += len(data)
            self.meter.check_ratio(info.compress_size, delivered)
            self.meter.count(len(data))
            if not data and delivered < info.file_size:
                raise StreamCutError("truncated zip entry")
            return data

        return CallStream(chunk, source.close)

    @staticmethod
    def _inner(place: Place, name: str, modified_s: float | None, size_bytes: int) -> Place:
        path = place.prefix + paths.tidy(name)
        return Place(path, f"{path}!", size_bytes=size_bytes, modified_s=modified_s, depth=place.depth + 1)

    def _plain(self, stream: ByteStream, place: Place, head: bytes) -> Member | Refused:
        for magic, reason in _UNSUPPORTED:
            if head.startswith(magic):
                return Refused(place.path, reason)
        member = Member(place.path, lambda: stream, place.size_bytes, place.modified_s, place.file)
        if place.reopen is not None:
            return msgspec.structs.replace(member, opener=place.reopen)
        return self._once(stream, member)

    def _once(self, stream: ByteStream, member: Member) -> Member:
        """A member of a streamed archive: in memory if it is small, else to be read before the next."""
        limit = self.meter.limits.buffered_bytes
        if (member.size_bytes or 0) > limit or self.meter.held_bytes >= self.meter.limits.held_bytes:
            return msgspec.structs.replace(member, streamed=True)
        data = stream.read(limit)
        if len(data) == limit and stream.peek(1):
            whole = CallStream(_after(data, stream))
            return msgspec.structs.replace(member, opener=lambda: whole, streamed=True)
        cut = stream.cut
        size_bytes = len(data) if cut is None else member.size_bytes
        self.meter.hold(len(data))
        release = _once(partial(self.meter.hold, -len(data)))
        return msgspec.structs.replace(member, opener=lambda: MemoryStream(data, cut, release), size_bytes=size_bytes)


def link(path: str, tree_path: str, target: str) -> Refused:
    """Judge a link by its text: one that stays in the tree costs nothing, its target has a name of its own."""
    if paths.leaves(tree_path, target):
        return Refused(path, f"link to {target}, outside of the bundle")
    return Refused(path, f"link to {target}, which is read under its own name", "unrecognised")


def _zip_seconds(info: zipfile.ZipInfo) -> float | None:
    """Modification time; zip files store it in the packer's zone, which is unknown and read as UTC."""
    try:
        return dt.datetime(*info.date_time, tzinfo=dt.UTC).timestamp()
    except ValueError:
        return None


def _zip_refusal(info: zipfile.ZipInfo) -> str:
    """Say why an entry is not read; empty if it is. Links are judged by their type: their text would need reading."""
    if reason := paths.refusal(info.filename):
        return reason
    file_type = info.external_attr >> 16 & _FILE_TYPE_BITS
    if file_type == _LINK:
        return "link inside a zip file"
    if file_type not in _ORDINARY:
        return "special file inside an archive"
    if info.flag_bits & _ENCRYPTED:
        return "password-protected"
    if info.compress_type not in _ZIP_METHODS:
        return "compressed with a method that is not read (only stored and deflated are)"
    return ""


def _once(action: Callable[[], None]) -> Callable[[], None]:
    waiting = [action]

    def act() -> None:
        if waiting:
            waiting.pop()()

    return act


def _after(data: bytes, stream: ByteStream) -> Callable[[], bytes]:
    waiting = [data]

    def chunk() -> bytes:
        return waiting.pop() if waiting else stream.read(ZIP_CHUNK_BYTES)

    return chunk
