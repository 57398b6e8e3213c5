"""The map of a .sor file: which blocks it has and where each begins and ends."""

from __future__ import annotations

import msgspec

from analyzer.model.formats import Problem
from parsers._sor_bytes import BlockEndError, Cursor

KNOWN = ("GenParams", "SupParams", "FxdParams", "KeyEvents", "LnkParams", "DataPts", "Cksum")
MAX_BLOCKS = 200
_HEAD_SIZE = 12


class Block(msgspec.Struct, frozen=True):
    """One block: the offset of its tag (version 2), of its first field, and its end as the map declares it."""

    name: str
    start: int
    body: int
    end: int


class Layout(msgspec.Struct, frozen=True):
    """Blocks of a file.

    Attributes:
        version: 1 (Bellcore GR-196) or 2 (Telcordia SR-4731).
        blocks: Known blocks by name.
        others: Vendor blocks as ``name:bytes``.
        size: File size that the map declares.
        problems: Damage met.
    """

    version: int
    blocks: dict[str, Block]
    others: tuple[str, ...]
    size: int
    problems: tuple[Problem, ...]


class _Entry(msgspec.Struct, frozen=True):
    name: str
    start: int
    size: int


def version_of(data: bytes) -> int | None:
    """1 or 2 by the first bytes; None when it is no .sor file."""
    if data[:4] == b"Map\0":
        return 2
    old = len(data) >= 8 and 90 <= int.from_bytes(data[:2], "little") <= 199 and b"GenParams\0" in data[:512]
    return 1 if old else None


def read_map(data: bytes, version: int) -> Layout:
    """Blocks of the file, whatever their order; a block that is not where the map says is searched by its tag."""
    problems: list[Problem] = []
    entries, map_size = _entries(data, version, problems)
    declared = entries[-1].start + entries[-1].size if entries else map_size
    if declared > len(data):
        problems.append(Problem(f"cut short: the map declares {declared} bytes, the file has {len(data)}"))
    blocks: dict[str, Block] = {}
    for entry in entries:
        if entry.name in KNOWN and entry.size > 0:
            block = _placed(data, version, entry, map_size, problems)
            if entry.name in blocks:
                problems.append(Problem(f"second {entry.name} block ignored"))
            elif block is not None:
                blocks[entry.name] = block
    if version == 2:
        _find_unlisted(data, map_size, {entry.name for entry in entries}, blocks, problems)
    others = tuple(f"{entry.name}:{entry.size}" for entry in entries if entry.name not in KNOWN)
    return Layout(version, blocks, others, declared, tuple(problems))


def _entries(data: bytes, version: int, problems: list[Problem]) -> tuple[list[_Entry], int]:
    cursor = Cursor(data, 4 if version == 2 else 0, len(data))
    entries: list[_Entry] = []
    map_size = 0
    try:
        cursor.unsigned(2)
        map_size, count = cursor.unsigned(4), cursor.signed(2) - 1
        if not 0 <= count <= MAX_BLOCKS:
            problems.append(Problem(f"the map claims {count + 1} blocks"))
        start = map_size
        for _ in range(max(0, min(count, MAX_BLOCKS))):
            if cursor.at >= map_size > _HEAD_SIZE:
                problems.append(Problem("the map claims more blocks than it lists"))
                break
            name, _revision, size = cursor.string(), cursor.unsigned(2), cursor.signed(4)
            entries.append(_Entry(name, start, max(0, size)))
            start += max(0, size)
    except BlockEndError as short:
        problems.append(Problem(f"map: {short}"))
    return entries, map_size


def _placed(data: bytes, version: int, entry: _Entry, map_size: int, problems: list[Problem]) -> Block | None:
    if version == 1:
        return Block(entry.name, entry.start, entry.start, entry.start + entry.size)
    tag = entry.name.encode("ascii") + b"\0"
    start = entry.start if data.startswith(tag, entry.start) else data.find(tag, map_size)
    if start < 0:
        problems.append(Problem(f"{entry.name} block not found"))
        return None
    if start != entry.start:
        problems.append(Problem(f"{entry.name} block at offset {start}, the map says {entry.start}"))
    return Block(entry.name, start, start + len(tag), start + entry.size)


def _find_unlisted(
    data: bytes, map_size: int, listed: set[str], blocks: dict[str, Block], problems: list[Problem]
) -> None:
    """Blocks that a damaged map does not list: from their tag to the next tag or the end of the file."""
    tags = {name: data.find(name.encode("ascii") + b"\0", min(map_size, len(data))) for name in KNOWN}
    starts = sorted(start for start in tags.values() if start >= 0)
    for name, start in tags.items():
        if start < 0 or name in listed or name in blocks:
            continue
        end = next((other for other in starts if other > start), len(data))
        blocks[name] = Block(name, start, start + len(name) + 1, end)
        problems.append(Problem(f"{name} block at offset {start} is missing from the map"))
