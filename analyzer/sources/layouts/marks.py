"""Lines that say what follows: shell prompts, ``bash -x`` traces, headings, fences."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator
from typing import Literal

import msgspec

from analyzer.sources.layouts.commands import Command, read_command
from analyzer.sources.layouts.knowledge import compiled, layouts
from analyzer.sources.layouts.parts import Lines
from analyzer.sources.names import looks_like_node, usable

MAX_LINE = 400
Kind = Literal["prompt", "bare", "trace", "heading", "mention", "node", "fence", "end"]

_FENCE = re.compile(r"[ \t]{0,4}(?:```+|~~~+)[\w-]{0,20}\s*")
_MENTION = re.compile(r"[A-Za-z`*\"'][^\n]{0,120}:\s*")
_TOKEN = re.compile(r"[A-Za-z0-9][\w.@-]{0,80}|/[\w./@+-]{1,120}")
_MENTION_WORDS = 16
_HEADING_WORDS = 8
_NODE_WORDS = frozenset({"node", "host", "hostname", "server", "on", "from", "machine"})
_RULER = re.compile(rb"[ \t]*([-=_*#~+])(?:\1|[ \t])*[ \t]*")


class Mark(msgspec.Struct, frozen=True):
    """A line that ends one part and says something about the next.

    Attributes:
        index: The line, counted from 0.
        kind: Its shape.
        name: File name that the output would have.
        node: Node that it names.
        telling: Whether it names a program or log whose output is known.
        title: The command or heading as printed.
    """

    index: int
    kind: Kind
    name: str = ""
    node: str | None = None
    telling: bool = False
    title: str = ""


def marks(lines: Lines, mentions: bool) -> list[Mark]:
    """Find the marks of a text.

    Args:
        lines: The text.
        mentions: Whether prose that ends in a colon and names a program (``and ibstat shows:``) is one.
    """
    found = []
    for match in _candidates(mentions).finditer(lines.data):
        index = int(lines.starts.searchsorted(match.start(), side="right")) - 1
        mark = mark_of(lines.text(index)[:MAX_LINE].decode("utf-8", "replace"), index, mentions)
        if mark is not None:
            found.append(mark)
    return found


def mark_of(text: str, index: int, mentions: bool) -> Mark | None:
    """Judge one line."""
    if _FENCE.fullmatch(text):
        return Mark(index, "fence")
    readers = (_prompt, _bare, _heading, _node_heading)
    for reader in readers:
        if (mark := reader(text, index)) is not None:
            return mark
    return _mention(text, index) if mentions else None


def is_ruler(line: bytes) -> bool:
    """A line that only draws: dashes, stars, equals signs."""
    return len(line) < MAX_LINE and _RULER.fullmatch(line) is not None


@functools.cache
def _candidates(mentions: bool) -> re.Pattern[bytes]:
    """Lines that are worth a closer look; most lines of a log fail at their first bytes."""
    shapes = [
        rb"\[[A-Za-z_][\w.-]{0,31}@[^\n]{1,200}[#$%>]",
        rb"(?:\([^)\n]{1,40}\) )?[A-Za-z_][\w.-]{0,31}@[\w.-]{1,64}[ :>][^\n]{0,140}[#$%>]",
        rb"[A-Za-z0-9][\w.-]{0,63}(?::[~/][^\n]{0,120})?[#$>%]",
        rb"(?:[#>*] ?)?[#$%>] {0,2}[\w/]",
        rb"\+{1,4} [\w/]",
        rb"[ \t]{0,4}(?:[=*#~+>_-]{2}|#|```|[\[<`]{1,3}[A-Za-z/])[^\n]{0,300}$",
        rb"(?i:output|command|cmd|running|executing|run|exec)[ :]",
        rb"[A-Za-z0-9][\w.-]{0,63} \| [A-Z]{6}",
        rb"[^\n:]{1,200}:[ \t]*\r?$" if mentions else rb"[\w./-]{3,40}[^\n:]{0,80}:[ \t]*\r?$",
    ]
    return re.compile(rb"(?m)^(?:" + b"|".join(shapes) + rb")")


def _prompt(text: str, index: int) -> Mark | None:
    for shape in compiled("prompts"):
        match = shape.fullmatch(text.rstrip())
        if match is None:
            continue
        node = usable(match["node"])
        typed = match["command"].strip()
        if not typed:
            return Mark(index, "end", node=node)
        command = read_command(typed)
        if "@" not in text[: match.start("command")] and not command.known:
            continue
        return Mark(index, "prompt", command.name, command.node or node, command.telling, typed)
    return None


def _bare(text: str, index: int) -> Mark | None:
    for kind in ("bare_prompts", "traces"):
        for shape in compiled(kind):
            match = shape.fullmatch(text.rstrip())
            command = read_command(match["command"]) if match else None
            if match is None or command is None or not _typed(command, match, text):
                continue
            named = match.groupdict().get("node")
            node = command.node or (usable(named) if named and looks_like_node(named.lower()) else None)
            shown: Kind = "trace" if kind == "traces" else "bare"
            return Mark(index, shown, command.name, node, command.telling, match["command"].strip())
    return None


def _typed(command: Command, match: re.Match[str], text: str) -> bool:
    """Whether a command stands there and not a comment or a sentence: ``# free memory is low``."""
    if command.telling:
        return True
    before = text[: match.start("command")].strip()
    return command.known and (before.startswith("+") or before.endswith("$"))


def _heading(text: str, index: int) -> Mark | None:
    whole = text.strip()
    if whole.endswith(":") and len(whole) < 160:
        command = read_command(whole[:-1])
        if command.telling and _plausible(whole[:-1]):
            return Mark(index, "heading", command.name, None, True, whole[:-1])
        if _log(whole[:-1]):
            return Mark(index, "heading", whole[:-1].rsplit("/", 1)[-1], None, True, whole[:-1])
    for shape in compiled("headings"):
        match = shape.fullmatch(text)
        if match is not None and (mark := _titled(match["what"].strip(), index)) is not None:
            return mark
    return None


def _titled(what: str, index: int) -> Mark | None:
    words = _TOKEN.findall(what)
    if not words or len(words) > _HEADING_WORDS:
        return None
    first = what.strip("`'\"*$# ")
    command = read_command(first)
    if command.telling or command.program in layouts().printers:
        return Mark(index, "heading", command.name, command.node or _node_among(words), True, what)
    logs = [word for word in words if _log(word)]
    node = _node_among(words)
    if len(logs) == 1:
        return Mark(index, "heading", logs[0].rsplit("/", 1)[-1], node, True, what)
    told = [word for word in words if read_command(word).telling]
    if len(told) == 1 and len(words) <= _HEADING_WORDS // 2:
        return Mark(index, "heading", told[0], node, True, what)
    only_node = node is not None and all(word.lower() in (*_NODE_WORDS, node) for word in words)
    return Mark(index, "node", node=node, title=what) if only_node else None


def _node_among(words: list[str]) -> str | None:
    found = {word.lower() for word in words if looks_like_node(word.lower())}
    return found.pop() if len(found) == 1 else None


def _node_heading(text: str, index: int) -> Mark | None:
    for shape in compiled("node_headings"):
        match = shape.match(text)
        if match is not None:
            return Mark(index, "node", node=usable(match["node"]), title=text.strip())
    return None


def _mention(text: str, index: int) -> Mark | None:
    if not _MENTION.fullmatch(text):
        return None
    words = _TOKEN.findall(text)
    told = [word for word in words if read_command(word).telling or _log(word)]
    if len(told) != 1 or len(words) > _MENTION_WORDS:
        return None
    name = told[0].rsplit("/", 1)[-1]
    return Mark(index, "mention", name, _node_among(words), True, text.strip())


def _plausible(text: str) -> bool:
    """Only a command and its options: ``nvidia-smi -q``, not ``ethtool reports a link failure``."""
    return all(word.startswith("-") or len(word) < 24 for word in text.split()[1:]) and len(text.split()) <= 4


@functools.cache
def _log_shape() -> re.Pattern[str]:
    return re.compile(layouts().logs)


def _log(text: str) -> bool:
    """A path of a file, or a log's usual name."""
    return _log_shape().fullmatch(text) is not None and not text.endswith("/")


def runs(found: list[Mark], count: int) -> Iterator[tuple[Mark | None, int, int]]:
    """The mark and the lines (first, stop) of every part, the lines before the first mark among them."""
    if not found:
        yield None, 0, count
        return
    yield None, 0, found[0].index
    for place, mark in enumerate(found):
        stop = found[place + 1].index if place + 1 < len(found) else count
        yield mark, mark.index + 1, stop
