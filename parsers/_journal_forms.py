"""The journal's forms of several lines or fields an entry: JSON, export and verbose, read into one line an entry."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

import msgspec

from parsers._journal_entry import message_bytes, short_line

_MAX_ENTRY_LINES: Final = 20_000
_MAX_FIELD_BYTES: Final = 16 << 20
_SIZE_BYTES: Final = 8
_MESSAGE_KEY: Final = re.compile(rb'\s*"MESSAGE" ?:')
_EXPORT_FIELD: Final = re.compile(rb"([A-Z_][A-Z0-9_]{0,63})=(.*)", re.DOTALL)
_EXPORT_BINARY: Final = re.compile(rb"[A-Z_][A-Z0-9_]{0,63}")
VERBOSE_HEAD: Final = re.compile(
    rb"[A-Z][a-z]{2} \d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})? \S{1,8} "
    rb"\[s=[0-9a-f]{32};.{0,200}?\bt=([0-9a-f]{1,16});"
)
_VERBOSE_FIELD: Final = re.compile(rb" {4}([A-Z_][A-Z0-9_]{0,63})=(.*)", re.DOTALL)
_VERBOSE_MESSAGE_INDENT: Final = b" " * len("    MESSAGE=")
_decode = msgspec.json.Decoder(dict[str, Any]).decode


def from_json(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Read ``-o json`` and ``json-seq`` (an entry a line), ``json-sse`` and ``json-pretty`` (an entry a block)."""
    block: list[bytes] = []
    for line in lines:
        text = line.strip(b"\x1e\r\n ").removeprefix(b"data: ")
        if block:
            block.append(line)
            if text in (b"}", b"},") or len(block) > _MAX_ENTRY_LINES:
                yield from _pretty(block)
                block = []
        elif text == b"{":
            block = [line]
        else:
            fields = _object(text) if text.startswith(b"{") else None
            yield line if fields is None else short_line(fields, message_bytes(fields.get("MESSAGE")))
    yield from _pretty(block)


def _pretty(block: list[bytes]) -> list[bytes]:
    """Lines of one entry; those of an entry that is no JSON are left as they are."""
    if not block:
        return []
    fields = _object(b"\n".join(line.strip(b"\x1e") for line in block).rstrip(b", \r\n"))
    if fields is None:
        return block
    out = [b""] * len(block)
    place = next((number for number, line in enumerate(block) if _MESSAGE_KEY.match(line)), 0)
    out[place] = short_line(fields, message_bytes(fields.get("MESSAGE")))
    return out


def _object(text: bytes) -> dict[str, Any] | None:
    try:
        return _decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError):
        pass
    try:
        return _decode(text.decode("utf-8", "replace"))
    except msgspec.DecodeError:
        return None


def from_export(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Read ``-o export``: ``NAME=value``, or a name, a length of eight bytes and data that may hold line ends."""
    rest = iter(lines)
    fields: dict[str, Any] = {}
    place, count = 0, 0
    for line in rest:
        if not line.strip() or count > _MAX_ENTRY_LINES:
            yield from _written(fields, place, count)
            yield b""
            fields, place, count = {}, 0, 0
            continue
        name, value, used = _export_field(line, rest)
        if name == b"MESSAGE":
            place = count + (1 if used else 0)
        if name:
            fields.setdefault(name.decode(), value)
        count += 1 + used
    yield from _written(fields, place, count)


def _export_field(line: bytes, rest: Iterator[bytes]) -> tuple[bytes, bytes, int]:
    """Name and value of a field and how many further lines it took."""
    field = _EXPORT_FIELD.fullmatch(line)
    if field is not None:
        return field[1], field[2], 0
    name = line.strip()
    if _EXPORT_BINARY.fullmatch(name) is None:
        return b"", b"", 0
    data, used = bytearray(), 0
    wanted = _SIZE_BYTES
    while len(data) < wanted:
        part = next(rest, None)
        if part is None:
            break
        data += b"\n" + part if used else part
        used += 1
        if wanted == _SIZE_BYTES and len(data) >= _SIZE_BYTES:
            size = int.from_bytes(data[:_SIZE_BYTES], "little")
            wanted += size if size <= _MAX_FIELD_BYTES else 0
    return name, bytes(data[_SIZE_BYTES:wanted]), used


def from_verbose(lines: Iterable[bytes]) -> Iterator[bytes]:
    """Read ``-o verbose``: a head with the entry's cursor, then one indented ``NAME=value`` a line."""
    fields: dict[str, Any] = {}
    place, count = 0, 0
    last = b""
    for line in lines:
        head = VERBOSE_HEAD.match(line)
        if head is not None or count > _MAX_ENTRY_LINES:
            yield from _written(fields, place, count)
            fields, place, count = ({"__REALTIME_TIMESTAMP": str(int(head[1], 16))} if head else {}), 0, 0
        elif line.startswith(b"-- ") or (not fields and not line.startswith(b"    ")):
            yield from _written(fields, place, count)
            yield line
            fields, place, count = {}, 0, 0
            continue
        field = _VERBOSE_FIELD.fullmatch(line)
        if field is not None:
            last = field[1]
            place = count if last == b"MESSAGE" else place
            fields.setdefault(last.decode(), field[2])
        elif last == b"MESSAGE" and line.startswith(_VERBOSE_MESSAGE_INDENT):
            fields["MESSAGE"] += b"\n" + line[len(_VERBOSE_MESSAGE_INDENT) :]
        count += 1
    yield from _written(fields, place, count)


def _written(fields: dict[str, Any], place: int, count: int) -> list[bytes]:
    out = [b""] * count
    if count and "MESSAGE" in fields:
        out[min(place, count - 1)] = short_line(fields, fields["MESSAGE"])
    return out
