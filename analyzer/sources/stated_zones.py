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


_Scope = tuple[str, str]
_TOLD = {"node": "other sources of {}", "folder": "the same folder", "bundle": "most of the bundle"}


class StatedZones:
    """Collects statements; the nearest one counts: of the node, of the folder, of most sources of the bundle."""

    def __init__(self) -> None:
        self._counts: dict[_Scope, Counter[float]] = {}
        self._example: dict[tuple[_Scope, float], str] = {}

    def add(self, path: str, node: str | None, offset_s: float) -> None:
        """Note that the source ``path``, taken on ``node``, states ``offset_s``."""
        for scope in _scopes(path, node):
            self._counts.setdefault(scope, Counter())[offset_s] += 1
            self._example.setdefault((scope, offset_s), path)

    def nearest(self, path: str, node: str | None) -> tuple[float, str] | None:
        """Offset in seconds and where it is stated; None if no source states one."""
        for scope in _scopes(path, node):
            counts = self._counts.get(scope)
            if counts:
                offset_s = max(counts, key=lambda offset: (counts[offset], -abs(offset), offset))
                return offset_s, f"{_TOLD[scope[0]].format(scope[1])} ({self._example[scope, offset_s]})"
        return None


def _scopes(path: str, node: str | None) -> list[_Scope]:
    of_node = [("node", node)] if node is not None else []
    return [*of_node, ("folder", _folder(path)), ("bundle", "")]


def _folder(path: str) -> str:
    return path.rsplit("/", 1)[0] if "/" in path else ""
