"""Log of NVIDIA's fabric manager, fabricmanager.log."""

from __future__ import annotations

import re
from typing import Final

from analyzer.model.formats import Format, Sniff
from analyzer.model.stamps import Prefix
from parsers import _lines, _time

FORMAT: Final = Format(
    name="fabricmanager",
    kind="lines",
    families=frozenset({"gpu"}),
    title="fabric manager log (fabricmanager.log)",
)

_BEHIND: Final = re.compile(rb"\] \[(?P<level>[A-Z]{4,12})\] \[tid \d{1,10}\] ?")


def sniff(head: bytes, path: str) -> Sniff | None:
    """Judge by the share of lines that begin with date, level and thread."""
    hits, total = _lines.share(head, prefix)
    if hits == 0 or hits * 4 < total:
        return None
    return Sniff(score=min(70 + 25 * hits // total, 95), why=f"{hits} of {total} lines have date, level and thread")


def prefix(line: bytes) -> Prefix | None:
    """Read ``[Sep 02 2026 19:05:33] [ERROR] [tid 2011] ``; None for the continuation of a message."""
    read = _time.month_first(line, 1) if line[:1] == b"[" else None
    behind = _BEHIND.match(line, read.end) if read else None
    if read is None or behind is None:
        return None
    return Prefix(
        stamp=read.stamp, program="nv-fabricmanager", level=behind["level"].decode().lower(), start=behind.end()
    )
