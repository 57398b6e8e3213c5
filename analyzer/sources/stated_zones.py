"""Zones of local times that sources of a bundle state, and which of them holds for a source that states none."""

from __future__ import annotations

from collections import Counter

from analyzer.bundle.encoding import to_utf8
from analyzer.sources.statements import may_state, statement_in
from analyzer.sources.zones import stated_offset

HEAD_BYTES = 1 << 14
MAX_LINE = 400


def zone_of_head(head: bytes, families: frozenset[str]) -> float | None:
    """Offset from UTC that the head of any source states, a dump too: by a statement, else by its stamps' offsets."""
    text = to_utf8(head[:HEAD_BYTES])
    for line in text.split(b"\n") if may_state(text.decode("utf-8", "replace"), families) else ():
        statement = statement_in(line[:MAX_LINE].decode("utf-8", "replace"), families)
        if statement is not None and statement.zone_offset_s is not None:
            return statement.zone_offset_s
    return stated_offset(text)


class StatedZones:
    """Collects statements; the nearest one counts: of the node, of the folder, of most sources of the bundle."""

    def __init__(self) -> None:
        self._nodes: dict[str, Counter[float]] = {}
        self._folders: dict[str, Counter[float]] = {}
        self._all: Counter[float] = Counter()
        self._example: dict[float, str] = {}

    def add(self, path: str, node: str | None, offset_s: float) -> None:
        """Note that the source ``path``, taken on ``node``, states ``offset_s``."""
        if node is not None:
            self._nodes.setdefault(node, Counter())[offset_s] += 1
        self._folders.setdefault(_folder(path), Counter())[offset_s] += 1
        self._all[offset_s] += 1
        self._example.setdefault(offset_s, path)

    def nearest(self, path: str, node: str | None) -> tuple[float, str] | None:
        """Offset in seconds and where it is stated; None if no source states one."""
        for counts, where in (
            (self._nodes.get(node, Counter()) if node is not None else Counter(), f"other sources of {node}"),
            (self._folders.get(_folder(path), Counter()), "the same folder"),
            (self._all, "most of the bundle"),
        ):
            if counts:
                offset_s = max(counts, key=lambda offset: (counts[offset], -abs(offset), offset))
                return offset_s, f"{where} ({self._example[offset_s]})"
        return None


def _folder(path: str) -> str:
    return path.rsplit("/", 1)[0] if "/" in path else ""
