"""Python traceback in a job's output: the exception, its message, and the innermost frame."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from analyzer.model.formats import Format
from analyzer.model.tables import Column, Row, TableSpec
from parsers import _lines

FORMAT: Final = Format(
    name="traceback",
    kind="block",
    families=frozenset({"training", "nccl"}),
    title="Python traceback",
)
ANCHOR: Final = r"Traceback \(most recent call last\):"
MAX_LINES: Final = 200

TABLES: Final = (
    TableSpec(
        name="tracebacks",
        doc="One Python traceback; its line is the one that names the exception, if it was found.",
        snapshot=False,
        columns=(
            Column("traceback_line", "int", "line on which the traceback begins"),
            Column("exception", "str", "class of the exception with its module"),
            Column("message", "str", "first line of the message"),
            Column("file", "str", "file of the innermost frame", "file"),
            Column("function", "str", "function of the innermost frame"),
            Column("file_line", "int", "line number in that file"),
            Column("code", "str", "source line of the innermost frame"),
            Column("frames", "int", "number of frames printed"),
            Column("rank", "int", "global rank that the launcher's prefix names", "rank"),
            Column("complete", "bool", "false when the exception's own line was not found"),
        ),
    ),
)

_START: Final = b"Traceback (most recent call last):"
_FRAME: Final = re.compile(rb'^ {1,8}File "([^"\n]{1,1000})", line (\d{1,9})(?:, in (.{1,200}))?')
_EXCEPTION: Final = re.compile(rb"^((?:[A-Za-z_]\w{0,100}\.){0,10}[A-Za-z_]\w{0,100})(?:: ?(.*))?$")
_UNTAGGED_END: Final = re.compile(
    rb"^(?:[A-Za-z_]\w{0,100}\.){0,10}[A-Z]\w{0,100}(?:Error|Exception|Exit|Interrupt|Warning)(?::|$)"
)
_VARYING: Final = re.compile(rb"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:\d\d)?|\[[A-Za-z_.]+:\d+\]")
_RANK: Final = re.compile(rb"\[rank(\d{1,7})\]|^\[\d{1,6},(\d{1,7})\]<|^ {0,6}(\d{1,7}): ")
_MAX_MESSAGE: Final = 1000
_MAX_TAG: Final = 200


def ends(line: bytes, count: int) -> bool:
    """True at an exception's line without any launcher prefix.

    Where ranks share the output, other ranks' lines and exceptions stand in between, and only ``read`` can tell
    whose they are; such records end by their length.
    """
    return _UNTAGGED_END.match(line) is not None


def read(lines: Sequence[bytes], first_line: int) -> Sequence[Row]:
    """Read the traceback that begins on the first line, following the lines that carry the same prefix."""
    if not lines or _START not in lines[0]:
        return []
    tag = lines[0][: lines[0].index(_START)]
    found: dict[str, Any] = {"traceback_line": first_line, "frames": 0, "rank": _rank(tag), "complete": False}
    place, text = first_line, lines[0]
    for offset, line in enumerate(lines[1:], start=1):
        body = _body(line, tag)
        if body is None:
            continue
        if body.startswith(_START):
            break
        if _take(body, found):
            place, text = first_line + offset, line
            break
    return [Row(table="tracebacks", values=found, line=place, text=_lines.text(text))]


def _body(line: bytes, tag: bytes) -> bytes | None:
    """The line behind the prefix of the traceback's first line; None when it belongs to another process."""
    if line.startswith(tag):
        return line[len(tag) :]
    expected = _VARYING.sub(b"", tag[:_MAX_TAG])
    if expected == tag or len(tag) > _MAX_TAG:
        return None
    for end in range(max(len(tag) - 12, 0), min(len(tag) + 12, len(line)) + 1):
        if _VARYING.sub(b"", line[:end]) == expected:
            return line[end:]
    return None


def _take(body: bytes, found: dict[str, Any]) -> bool:
    """Take one line of the traceback; True when it names the exception."""
    frame = _FRAME.match(body)
    if frame is not None:
        function = frame[3]
        found["file"] = _lines.text(frame[1])
        found["file_line"] = int(frame[2])
        found["function"] = _lines.text(function) if function else None
        found["code"] = None
        found["frames"] += 1
        return False
    if body[:1].isspace() or not body.strip():
        if found["frames"] and found.get("code") is None and body.strip():
            found["code"] = _lines.text(body).strip()
        return False
    exception = _EXCEPTION.match(body.rstrip(b"\r"))
    if exception is None:
        return False
    found["exception"] = _lines.text(exception[1])
    found["message"] = _lines.text((exception[2] or b"")[:_MAX_MESSAGE])
    found["complete"] = True
    return True


def _rank(tag: bytes) -> int | None:
    match = _RANK.search(tag)
    return int(match[1] or match[2] or match[3]) if match else None
