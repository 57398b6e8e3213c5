"""``nvidia-bug-report.log``: sections between rulers, each the output of a command or the content of a file.

The grammar is that of ``nvidia-bug-report.sh``: a ruler of underscores and a blank line; then ``*** path`` with a
``*** ls:`` line, a command alone on a line with a blank one behind it, or a title such as ``dmesg:``. Searched logs are
listed under two blanks and a colon.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from analyzer.sources.layouts.commands import read_command
from analyzer.sources.layouts.parts import Lines, Part
from analyzer.sources.names import usable

HEAD_BYTES = 4096
_UNDERSCORE = {ord("_")}
_OPENING = re.compile(rb"(?m)^_{20,}\r?\n\r?\n?Start of NVIDIA bug report log file")
_UNAME = re.compile(rb"(?m)^uname: \w+ ([A-Za-z0-9][\w.-]{0,252}) ")
_MARK = re.compile(
    rb"(?m)^(?:(?P<ruler>_{20,})|\*\*\* (?P<meta>ls:)[^\n]*|\*\*\* (?P<file>[^\n\r]{1,300})"
    rb"|(?P<command>(?:/usr)?(?:/local)?/s?bin/[\w.+-]+[^\n\r]{0,300})(?=\r?\n\r?\n)"
    rb"|(?P<titled>[a-z][\w-]{1,40}(?: [^\n\r:]{0,60})?):(?=\r?\n\r?\n)"
    rb"|  (?P<searched>/[\w./-]{1,120}|journalctl[ \w-]{0,40}):)\r?$"
)


class _Opening(NamedTuple):
    line: int
    title: str


def is_bug_report(head: bytes) -> bool:
    """Judge the first bytes of a file."""
    return _OPENING.search(head, 0, HEAD_BYTES) is not None


def sections(data: bytes) -> list[Part]:
    """Cut a bug report into its sections; the node is that of the ``uname`` line in its head."""
    lines = Lines(data)
    found = _UNAME.search(data, 0, HEAD_BYTES)
    node = usable(found[1].decode()) if found else None
    why = "uname line of the bug report" if node else ""
    openings = list(_openings(lines))
    parts = [lines.run(0, openings[0].line if openings else len(lines))]
    for place, opening in enumerate(openings):
        stop = openings[place + 1].line if place + 1 < len(openings) else len(lines)
        parts.append(_section(lines, opening, stop))
    return [Part(p.data, p.numbering, p.title, node, why, p.known) for p in parts if p.data.strip()]


def _openings(lines: Lines) -> Iterator[_Opening]:
    """Lines that begin a section, with its title; empty for the ruler that ends one."""
    for match in _MARK.finditer(lines.data):
        index = int(lines.starts.searchsorted(match.start(), side="right")) - 1
        kind = match.lastgroup
        title = (match[kind] if kind else b"").decode("utf-8", "replace").strip()
        if kind == "ruler":
            yield _Opening(index, "")
        elif kind == "titled":
            if read_command(title).telling or _after_ruler(lines, index):
                yield _Opening(index, title)
        elif kind != "meta":
            yield _Opening(index, title)


def _after_ruler(lines: Lines, index: int) -> bool:
    return index > 1 and not lines.text(index - 1).strip() and set(lines.text(index - 2)) == _UNDERSCORE


def _section(lines: Lines, opening: _Opening, stop: int) -> Part:
    first = opening.line + 1
    while first < stop and _is_head(lines.text(first)):
        first += 1
    while stop > first and not lines.text(stop - 1).strip():
        stop -= 1
    run = lines.run(first, stop)
    command = read_command(opening.title)
    is_file = opening.title.startswith("/") and not command.telling
    name = opening.title.rsplit("/", 1)[-1] if is_file else command.name
    return Part(run.data, run.numbering, name, known=is_file or command.telling)


def _is_head(line: bytes) -> bool:
    return not line.strip() or line.startswith(b"*** ls:") or set(line.strip()) == _UNDERSCORE
