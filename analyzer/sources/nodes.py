"""Which node each source was taken on, and how that is known."""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Collection, Mapping, Sequence

import msgspec

from analyzer.bundle.encoding import to_utf8
from analyzer.bundle.paths import without_archive_suffix
from analyzer.sources.names import NodeNames, in_file_name, known_in, looks_like_node, usable, words

MAJORITY = 2 / 3
HEAD_LINES = 60
HEADER_LINES = 20

# A daemon's log names its own host in every line; the output of a job names hosts here and there.
MIN_HOST_LINES = 3
DAEMON_FAMILIES = frozenset({"syslog"})
MAX_LINE = 400

# The names of traces, cables and rooms look like node names; their sources belong to no node.
PLACELESS_FAMILIES = frozenset({"otdr"})


class Clues(msgspec.Struct, frozen=True):
    """What is known about one source before its node is.

    Attributes:
        path: Path in the bundle.
        head: Its first bytes (a few KiB are enough).
        families: Families of its format.
        stated: Node that the dump itself states.
        stated_why: Where it is stated, if not in the dump itself.
        host_lines: Lines per host that the lines themselves name (syslog host column, launcher prefix).
    """

    path: str
    head: bytes = b""
    families: frozenset[str] = frozenset()
    stated: str | None = None
    stated_why: str = ""
    host_lines: Mapping[str, int] = {}


class Attribution(msgspec.Struct, frozen=True):
    """The node of a source.

    Attributes:
        node: Canonical name, None if nothing names one.
        why: Why, e.g. ``folder nodes/cn012``; empty without a node.
    """

    node: str | None = None
    why: str = ""


def attribute(
    clues: Sequence[Clues], bundle_name: str = "", known: Collection[str] = ()
) -> tuple[tuple[Attribution, ...], NodeNames]:
    """Attribute all sources of a bundle.

    Args:
        clues: What is known per source.
        bundle_name: Name of the input without suffix (``Bundle.name``), the outermost folder as it were.
        known: Further node names seen in the bundle (node lists of the scheduler, ends of links).

    Returns:
        One attribution per source, and the name spellings to be used for every other node name of the bundle.
    """
    own = [_by_content(source) for source in clues]
    folders = [_by_node_folder(source.path) for source in clues]
    seen = {name for found in (*own, *folders) if (name := found.node)}
    seen |= {name for text in known if (name := usable(text))}
    seen |= {name for source in clues for text in source.host_lines if (name := usable(text))}
    names = NodeNames(seen)
    candidates = {names.canonical(name) for name in seen}
    found = [
        first if first.node else second if second.node else _by_path(source, candidates)
        for source, first, second in zip(clues, own, folders, strict=True)
    ]
    if not any(attribution.node for attribution in found):
        found = [_by_bundle(source, bundle_name) for source in clues]
    return tuple(_canonical(attribution, names) for attribution in found), names


def _canonical(found: Attribution, names: NodeNames) -> Attribution:
    return found if found.node is None else Attribution(names.canonical(found.node), found.why)


def _by_content(source: Clues) -> Attribution:
    if source.stated and (node := usable(source.stated)):
        return Attribution(node, source.stated_why or "stated by the dump")
    return _by_head(source.head) or _by_host_column(source)


def stated_node(head: bytes) -> tuple[str, str] | None:
    """The node that a header line or a prompt in the first lines of a text names, and where."""
    found = _by_head(head)
    return None if found is None or found.node is None else (found.node, found.why)


def _by_head(head: bytes) -> Attribution | None:
    text = to_utf8(head[: HEAD_LINES * MAX_LINE]).decode("utf-8", "replace")
    for number, line in enumerate(text.split("\n")[:HEAD_LINES], start=1):
        for kind, limit, pattern in _head_patterns():
            match = None if number > limit else pattern.match(line[:MAX_LINE].rstrip("\r"))
            if match and (node := usable(match["node"])):
                return Attribution(node, f"{kind} in line {number}")
    return None


@functools.cache
def _head_patterns() -> tuple[tuple[str, int, re.Pattern[str]], ...]:
    known = words()
    lines = tuple(("header", HEADER_LINES, re.compile(text)) for text in known.header_lines)
    return lines + tuple(("prompt", HEAD_LINES, re.compile(text)) for text in known.prompts)


def _by_host_column(source: Clues) -> Attribution:
    host_lines = source.host_lines
    counts: dict[str, int] = {}
    for text, lines in host_lines.items():
        if node := usable(text):
            short = node.split(".")[0]
            counts[short] = counts.get(short, 0) + lines
    if not counts:
        return Attribution()
    short, lines = max(counts.items(), key=lambda item: (item[1], item[0]))
    total = sum(counts.values())
    least = 1 if source.families & DAEMON_FAMILIES else MIN_HOST_LINES
    if lines < max(MAJORITY * total, least):
        return Attribution()
    node = max((name for text in host_lines if (name := usable(text)) and name.split(".")[0] == short), key=len)
    return Attribution(node, f"host column ({lines} of {total} lines)")


def _folders(path: str) -> list[str]:
    """Folder names around a member, archives among them without their suffix."""
    return [without_archive_suffix(part) for piece in path.split("!") for part in _filled(piece)][:-1]


def _filled(piece: str) -> list[str]:
    return [part for part in piece.split("/") if part]


def _by_node_folder(path: str) -> Attribution:
    folders = _folders(path)
    for folder in folders:
        for pattern in _collections():
            if match := pattern.fullmatch(folder.lower()):
                return Attribution(usable(match["node"]), f"collection {folder}")
    for parent, child in itertools.pairwise(folders):
        if parent.lower() in words().node_folders and child.lower() not in words().words:
            node = usable(child)
            if node:
                return Attribution(node, f"folder {parent}/{child}")
    return Attribution()


@functools.cache
def _collections() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(text) for text in words().collections)


def _by_path(source: Clues, known: Collection[str]) -> Attribution:
    if source.families & PLACELESS_FAMILIES:
        return Attribution()
    for folder in reversed(_folders(source.path)):
        if folder.lower() in known or looks_like_node(folder):
            return Attribution(folder.lower(), f"folder {folder}")
        if folder.lower() not in words().local_folders:
            break
    name = source.path.split("!")[-1].split("/")[-1]
    if node := known_in(name, known):
        return Attribution(node, f"file name {name}")
    if node := in_file_name(name):
        return Attribution(node, f"file name {name}")
    return Attribution()


def _by_bundle(source: Clues, bundle_name: str) -> Attribution:
    """The input's own name, for files that stand in it as in a node's own tree."""
    if source.families & PLACELESS_FAMILIES or not looks_like_node(bundle_name):
        return Attribution()
    if any(folder.lower() not in words().local_folders for folder in _folders(source.path)):
        return Attribution()
    return Attribution(bundle_name, f"name of the input {bundle_name}")
