"""What pstore kept of a crash in one file: parts of the kernel log, the newest first, each under a line of its own.

The kernel writes ``Panic#1 Part3`` in front of each record (``fs/pstore/platform.c``); part 1 holds the last lines.
"""

from __future__ import annotations

import re

from analyzer.sources.layouts.parts import Lines, Part

_HEAD = re.compile(rb"(?m)^(?:Panic|Oops|Emergency|Restart|Halt|Poweroff|Shutdown|Unknown)#\d{1,9} Part\d{1,9}\r?$")


def records(data: bytes) -> list[Part]:
    """The records of a file, from the oldest lines to the newest; empty for a file with fewer than two."""
    lines = Lines(data)
    heads = [int(lines.starts.searchsorted(match.start(), side="right")) - 1 for match in _HEAD.finditer(data)]
    if len(heads) < 2:
        return []
    parts = [lines.run(first + 1, stop) for first, stop in zip(heads, [*heads[1:], len(lines)], strict=True)]
    return [Part(p.data, p.numbering, "dmesg", known=True) for p in reversed(parts) if p.data.strip()]
