"""Outputs of several programs in one file: a session, a script's collection, a support ticket."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence

from analyzer.sources.layouts.knowledge import layouts
from analyzer.sources.layouts.marks import Mark, is_ruler, marks, runs
from analyzer.sources.layouts.parts import Lines, Part
from analyzer.sources.names import usable
from parsers import _hostlist

MAX_NODES = 4096
_COLLAPSED = re.compile(r"([A-Za-z0-9][\w.,\[\]-]{0,400})(?: \(\d{1,6}\))?\s*")


def transcript(data: bytes, mentions: bool) -> list[tuple[Mark | None, Part]]:
    """Cut a text at its marks.

    Args:
        data: The text.
        mentions: Whether prose that announces an output counts as a mark.

    Returns:
        Mark and part, in file order, parts without a line left out; the first has no mark. A mark's node holds for
        the parts after it until another names one.
    """
    lines = Lines(data)
    found = marks(lines, mentions)
    node: str | None = None
    why = ""
    parts: list[tuple[Mark | None, Part]] = []
    for mark, first, stop in runs(found, len(lines)):
        if mark is not None and mark.node:
            node, why = mark.node, f"{mark.kind} in line {mark.index + 1}"
        first, stop = _trimmed(lines, first, stop)
        if first < stop:
            run = lines.run(first, stop)
            if mark is not None:
                run = Part(run.data, run.numbering, mark.name, node, why, mark.telling)
            parts.append((mark, run))
    return parts


def by_node_rulers(data: bytes) -> list[Part]:
    """Cut the output of ``dshbak`` or ``clush -b``: nodes between two rulers, then what they printed.

    Returns:
        One part per node, several with the same lines where a list of nodes shares them; empty for any other text.
    """
    lines = Lines(data)
    heads = list(_ruled(lines))
    parts: list[Part] = []
    for place, (index, nodes) in enumerate(heads):
        stop = heads[place + 1][0] - 1 if place + 1 < len(heads) else len(lines)
        run = lines.run(index + 2, stop)
        if run.data:
            why = f"ruled heading in line {index + 1}"
            parts.extend(Part(run.data, run.numbering, "", node, why) for node in nodes)
    if heads and parts and heads[0][0] > 1:
        before = lines.run(0, heads[0][0] - 1)
        parts.append(before)
    return parts


def _ruled(lines: Lines) -> Iterator[tuple[int, Sequence[str]]]:
    """Index of the line between two rulers, and the nodes it names."""
    for match in _rulers().finditer(lines.data):
        index = int(lines.starts.searchsorted(match.start(), side="right"))
        if index + 1 >= len(lines) or not _rulers().match(lines.data, int(lines.starts[index + 1])):
            continue
        nodes = _nodes(lines.text(index).decode("utf-8", "replace"))
        if nodes:
            yield index, nodes


@functools.cache
def _rulers() -> re.Pattern[bytes]:
    return re.compile(rb"(?m)^" + layouts().node_ruler.encode() + rb"\r?$")


def _nodes(text: str) -> list[str]:
    match = _COLLAPSED.fullmatch(text)
    if match is None:
        return []
    names = _hostlist.expand(match[1])[:MAX_NODES] if "[" in match[1] or "," in match[1] else [match[1]]
    return [node for name in names if (node := usable(name))]


def _trimmed(lines: Lines, first: int, stop: int) -> tuple[int, int]:
    """Without the rulers around a heading and blank lines at either end."""
    while first < stop and _empty(lines.text(first)):
        first += 1
    while stop > first and _empty(lines.text(stop - 1)):
        stop -= 1
    return first, stop


def _empty(line: bytes) -> bool:
    return not line.strip() or is_ruler(line)
