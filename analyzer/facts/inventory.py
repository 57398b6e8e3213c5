"""Which names mean the same part, and which part belongs to which: the joins behind every rule's ``on``."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator

from analyzer.facts.ports import link_name, port_name

LEVELS: dict[str, int] = {
    "lane": 0, "fibre": 1, "link": 3, "cable": 4, "port": 4, "guid": 4, "nic": 5,
    "gpu": 5, "nvswitch": 5, "rank": 5, "disk": 5, "dimm": 5, "slot": 5, "process": 5, "cgroup": 5, "container": 5,
    "sensor": 5, "step": 5, "node": 6, "switch": 6, "pod": 6, "communicator": 7, "job": 7, "service": 7,
    "filesystem": 7, "file": 7, "user": 8, "rack": 8, "partition": 8,
}  # fmt: skip
"""From the part to what depends on it (a trunk cable carries several links).

A relation is followed strictly upwards or strictly downwards, never both: two cables of one node are not related by
that node.
"""

NODE_LOCAL = frozenset({"gpu", "nic", "disk", "dimm", "slot", "process", "cgroup", "nvswitch", "container", "sensor"})
"""Kinds whose printed names repeat on every node; their canonical names carry the node."""

_OF_NODE = "|"
"""Stands between the node and the name that repeats on every node."""

Part = tuple[str, str]
"""Entity kind and canonical name."""


class Inventory:
    """Aliases and relations of all parts seen in a bundle."""

    def __init__(self, node_name: Callable[[str], str] = str.lower) -> None:
        """Start empty.

        Args:
            node_name: Canonical name of a node from any of its spellings.
        """
        self._node_name = node_name
        self._parent: dict[Part, Part] = {}
        self._names: dict[Part, list[str]] = {}
        self._edges: dict[Part, set[Part]] = defaultdict(set)
        self._near: dict[Part, frozenset[Part]] = {}
        self._reached: dict[tuple[Part, str], frozenset[str]] = {}

    def canonical(self, kind: str, name: str, node: str | None = None) -> str:
        """Canonical name of a part; node-local kinds are qualified with their node."""
        if kind == "node":
            name = self._node_name(name)
        elif kind == "port":
            name = port_name(name, node)
        elif kind == "link":
            name = link_name(name)
        elif kind in NODE_LOCAL and node:
            name = f"{node}{_OF_NODE}{name}"
        return self._root((kind, name))[1]

    def alias(self, kind: str, name: str, other: str) -> None:
        """State that two canonical names of one kind mean the same part; the first one's name is kept."""
        first, second = self._root((kind, name)), self._root((kind, other))
        if first == second:
            return
        names = [*self.spellings(kind, first[1]), *self.spellings(kind, second[1])]
        self._parent[second] = first
        self._names[first] = list(dict.fromkeys(names))
        self._edges[first] |= self._edges.pop(second, set())
        self._near.clear()
        self._reached.clear()

    def spell(self, kind: str, name: str, spelling: str) -> None:
        """Keep one more spelling of a part for people to search by."""
        root = self._root((kind, name))
        names = self._names.setdefault(root, [_shown(root)])
        if spelling not in names:
            names.append(spelling)

    def relate(self, kind: str, name: str, other_kind: str, other: str) -> None:
        """State that two parts belong together."""
        first, second = self._root((kind, name)), self._root((other_kind, other))
        self._edges[first].add(second)
        self._edges[second].add(first)
        self._near.clear()
        self._reached.clear()

    def spellings(self, kind: str, name: str) -> list[str]:
        """All names of a part as printed, the canonical one first."""
        root = self._root((kind, name))
        return self._names.get(root, [_shown(root)])

    def related(self, kind: str, name: str, target: str) -> frozenset[str]:
        """Canonical names of the ``target`` parts that a part belongs to (upwards) or consists of (downwards)."""
        root = self._root((kind, name))
        if kind == target:
            return frozenset((root[1],))
        known = self._reached.get((root, target))
        if known is None:
            known = self._reached[root, target] = self._walk(root, target)
        return known

    def parts(self, kind: str) -> Iterator[str]:
        """Canonical names of all parts of a kind that have a relation."""
        return (part[1] for part in list(self._edges) if part[0] == kind and self._root(part) == part)

    def _walk(self, start: Part, target: str) -> frozenset[str]:
        goal, own = LEVELS[target], LEVELS[start[0]]
        if goal == own:
            return frozenset(part[1] for part in self._neighbours(start) if part[0] == target)
        step = 1 if goal > own else -1
        seen, front = {start}, [start]
        found: set[str] = set()
        while front:
            front = list(self._ring(front, seen, step, goal))
            found.update(name for kind, name in front if kind == target)
        return frozenset(found)

    def _ring(self, front: Iterable[Part], seen: set[Part], step: int, goal: int) -> Iterator[Part]:
        for part in front:
            for near in self._neighbours(part):
                level = LEVELS[near[0]]
                onward = (level - LEVELS[part[0]]) * step > 0 and (goal - level) * step >= 0
                if onward and near not in seen:
                    seen.add(near)
                    yield near

    def _neighbours(self, part: Part) -> frozenset[Part]:
        known = self._near.get(part)
        if known is None:
            known = self._near[part] = frozenset(self._root(near) for near in self._edges.get(part, ()))
        return known

    def _root(self, part: Part) -> Part:
        while (up := self._parent.get(part)) is not None:
            part = up
        return part


def _shown(part: Part) -> str:
    """A part's name as printed, without the node that qualifies it."""
    kind, name = part
    return name.rpartition(_OF_NODE)[2] if kind in NODE_LOCAL else name
