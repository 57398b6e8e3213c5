"""``ibdiagnet2.log``: findings of a fabric check, ``-I-``, ``-W-`` and ``-E-`` lines without times."""

from __future__ import annotations

import re
from typing import Final

from analyzer.model.formats import Sniff
from analyzer.model.stamps import Prefix
from parsers import _fabric

FORMAT: Final = _fabric.fabric_format("ibdiagnet", "fabric check (ibdiagnet2.log)", "lines")

_HEAD: Final = re.compile(rb"-([IWE])- ")
_LEVELS: Final = {b"I": "info", b"W": "warning", b"E": "error"}
_ENOUGH: Final = 2


def sniff(head: bytes, path: str) -> Sniff | None:
    """Recognise several lines that begin with a severity between hyphens."""
    marked = [number for number, line in enumerate(head.split(b"\n")[:200], start=1) if _HEAD.match(line)]
    return Sniff(85, f"lines {marked[0]}, {marked[1]} … begin -I-, -W- or -E-") if len(marked) >= _ENOUGH else None


def prefix(line: bytes) -> Prefix | None:
    """Read the severity; the line states no time."""
    found = _HEAD.match(line)
    return Prefix(program="ibdiagnet", level=_LEVELS[found[1]], start=found.end()) if found else None
