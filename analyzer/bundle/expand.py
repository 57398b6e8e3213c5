"""Turns one opened file into members: itself, decompressed, or what the archive holds."""

from __future__ import annotations

import pathlib
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial

import msgspec

from analyzer.bundle import paths, tar, zipfiles
from analyzer.bundle.inflate import Codec, InflatedStream, codec_of
from analyzer.bundle.limits import Meter, StreamCutError
from analyzer.bundle.members import Member, Refused
from analyzer.bundle.random_access import FileBytes, HeldBytes
from analyzer.bundle.streams import ByteStream, CallStream, FileStream, MemoryStream, stored_bytes
from analyzer.bundle.zip_stream import ZipEntryStream
from analyzer.bundle.zipfiles import ZipEntry
from analyzer.model.limits import raised_by

HEAD_BYTES = 8
PART_BYTES = 1 << 18

# Documents and models that are zip files inside: whole files to a reader of logs, not archives.
_ZIP_DOCUMENTS = (".docx", ".xlsx", ".pptx", ".odt", ".ods", ".jar", ".whl", ".npz", ".pt", ".pth", ".apk", ".keras")
_UNSUPPORTED = (
    (b"7z\xbc\xaf\x27\x1c", "7z archive: unpack it first (7z x)"),
    (b"Rar!\x1a\x07", "rar archive: unpack it first (unrar x)"),
    (b"\x04\x22\x4d\x18", "lz4 data: decompress it first (lz4 -d)"),
    (b"\x02\x21\x4c\x18", "lz4 data: decompress it first (lz4 -d)"),
    (b"\x1f\x9d", "data of compress: decompress it first (uncompress)"),
    (b"LZIP\x01", "lzip data: decompress it first (lzip -d)"),
    (b"]\x00\x00\x80\x00\xff", "lzma data: decompress it first (unlzma)"),
    (b"\x89LZO\x00", "lzo data: decompress it first (lzop -d)"),
    (b"07070", "cpio archive: unpack it first (cpio -id)"),
    (b"PK\x07\x08", "zip file in several parts: unpack it first"),
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

    def __init__(self, meter: Meter) -> None:
        self.meter = meter

    def file(self, file: pathlib.Path, place: Place) -> Iterator[Member | Refused]:
        """Expand a regular file on disk."""
        place = msgspec.structs.replace(place, file=file, reopen=partial(self._open_file, file))
        try:
            stream = FileStream.of(file)
        except OSError as error:
            yield Refused(place.path, (error.strerror or str(error)).lower())
            return
        self.meter.give(stored_bytes(file))
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
        elif head.startswith(zipfiles.MAGICS) and not place.path.endswith(_ZIP_DOCUMENTS):
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
            yield Refused(place.path, f"more than {limit} archives inside each other ({raised_by('nesting')})")
            return
        try:
            yield from members
        except StreamCutError as cut:
            yield Refused(place.path, str(cut), "partial")

    def _tar(self, stream: ByteStream, place: Place) -> Iterator[Member | Refused]:
        for entry in tar.entries(stream):
            inner = self._inner(place, entry.name, entry.modified_s, entry.size_bytes)
            if entry.kind == "folder":
                continue
            if reason := paths.refusal(entry.name):
                yield Refused(place.prefix + paths.readable(entry.name), reason)
            elif entry.kind == "link":
                yield link(inner.path, paths.tidy(entry.name), paths.readable(entry.target))
            elif entry.kind != "file":
                yield Refused(inner.path, f"{entry.kind} inside an archive")
            else:
                self.meter.count(0 if place.file is None else entry.size_bytes)
                yield from self.stream(entry.data, inner)

    def _zip(self, stream: ByteStream, place: Place) -> Iterator[Member | Refused]:
        with closing(self._zip_source(stream, place)) as source:
            for entry in zipfiles.entries(source):
                if entry.is_folder:
                    continue
                if reason := paths.refusal(entry.name) or entry.refusal:
                    yield Refused(place.prefix + paths.readable(entry.name), reason)
                    continue
                inner = self._inner(place, entry.name, entry.modified_s, entry.size_bytes)
                if place.file is not None:
                    inner = msgspec.structs.replace(inner, reopen=partial(self._zip_file_entry, place.file, entry))
                with self._zip_entry(source, entry) as content:
                    yield from self.stream(content, inner)

    def _zip_source(self, stream: ByteStream, place: Place) -> FileBytes | HeldBytes:
        if place.file is not None:
            return FileBytes(place.file)
        limit = self.meter.limits.nested_zip_bytes
        data = stream.read(limit + 1)
        if len(data) > limit:
            remedy = raised_by("nested_zip_bytes")
            raise StreamCutError(f"zip file of more than {limit:,} bytes inside another archive ({remedy})")
        return HeldBytes(data)

    def _zip_file_entry(self, file: pathlib.Path, entry: ZipEntry) -> ByteStream:
        """An entry of a zip file that is opened anew: thousands of entries do not keep thousands of files open."""
        try:
            with closing(FileBytes(file)) as source:
                return self._zip_entry(source, entry)
        except OSError as error:
            return MemoryStream(b"", StreamCutError((error.strerror or str(error)).lower()))

    def _zip_entry(self, source: FileBytes | HeldBytes, entry: ZipEntry) -> ByteStream:
        try:
            start = zipfiles.content_offset(source, entry)
        except StreamCutError as cut:
            return MemoryStream(b"", cut)
        size = source.size_bytes - start if entry.packed_bytes is None else entry.packed_bytes
        return ZipEntryStream(entry, source.part(start, max(size, 0)), self.meter)

    @staticmethod
    def _inner(place: Place, name: str, modified_s: float | None, size_bytes: int | None) -> Place:
        path = place.prefix + paths.readable(paths.tidy(name))
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
        data = _beginning(stream, limit)
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


def _once(action: Callable[[], None]) -> Callable[[], None]:
    waiting = [action]

    def act() -> None:
        if waiting:
            waiting.pop()()

    return act


def _beginning(stream: ByteStream, limit: int) -> bytes:
    """The first bytes; none of a stream that is cut at once, which is the member's own affair, not the archive's."""
    try:
        return stream.read(limit)
    except StreamCutError:
        return b""


def _after(data: bytes, stream: ByteStream) -> Callable[[], bytes]:
    waiting = [data]

    def chunk() -> bytes:
        return waiting.pop() if waiting else stream.read(PART_BYTES)

    return chunk
