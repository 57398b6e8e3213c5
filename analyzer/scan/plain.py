"""Lines without what terminals and container runtimes wrap around them, rewritten in place and in equal length.

Colours and the JSON that Docker writes around each line would hide the line's begin and end from patterns. What is
taken away is made up for by carriage returns at the line's end, which are never part of a line: offsets stay those of
the file.
"""

from __future__ import annotations

import json
import re

_ESCAPE = b"\x1b["
_ESCAPED_LINE = re.compile(rb"[^\n]*\x1b\[[^\n]*")
_COLOUR = re.compile(rb"\x1b\[[0-9;?]{0,16}[A-Za-z]")
_WRAPPED = b'{"log":"'
_WRAPPED_LINE = re.compile(rb'^\{"log":"(?:[^"\\\n]|\\[^\n])*"[^\n]{0,400}\}\r?$', re.MULTILINE)


def unwrap(buffer: bytearray, size: int) -> None:
    """Rewrite the whole lines in the first bytes of a buffer; most have neither and cost one search."""
    if buffer.startswith(_WRAPPED) or buffer.find(b"\n" + _WRAPPED, 0, size) >= 0:
        buffer[:size] = _WRAPPED_LINE.sub(_unwrapped, bytes(memoryview(buffer)[:size]))
    if buffer.find(_ESCAPE, 0, size) >= 0:
        buffer[:size] = _ESCAPED_LINE.sub(_uncoloured, bytes(memoryview(buffer)[:size]))


def _uncoloured(found: re.Match[bytes]) -> bytes:
    line = found[0]
    return _COLOUR.sub(b"", line).ljust(len(line), b"\r")


def _unwrapped(found: re.Match[bytes]) -> bytes:
    """Docker's record as a line of a container runtime's log: ``<time> <stream> F <text>``."""
    line = found[0]
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        return line
    text, time, stream = (record.get(key) for key in ("log", "time", "stream"))
    if not isinstance(text, str) or not isinstance(time, str) or stream not in ("stdout", "stderr"):
        return line
    plain = f"{time} {stream} F {text.rstrip()}".encode("utf-8", "replace")
    fits = len(plain) <= len(line) and b"\n" not in plain
    return plain.ljust(len(line), b"\r") if fits else line
