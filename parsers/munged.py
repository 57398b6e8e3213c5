"""Log of munged, the authentication daemon of Slurm (munged.log, or its standard error)."""

from __future__ import annotations

import re
from typing import Final

from analyzer.model.formats import Format, Sniff
from analyzer.model.stamps import Prefix
from parsers import _time

FORMAT: Final = Format("munged", "lines", frozenset({"slurm", "munge"}), "MUNGE authentication daemon log (munged)")

_LEVEL: Final = re.compile(rb" ?(Emergency|Alert|Critical|Error|Warning|Notice|Info|Debug): +")
_STDERR: Final = re.compile(rb"munged: ")
_MARKERS: Final = re.compile(
    rb"munge-\d[\w.]* daemon|(?:Expired|Rewound|Replayed|Unauthorized|Invalid) credential|munge\.socket"
    rb"|Set origin address to|PRNG (?:seed|entropy)"
)
_SNIFFED_LINES: Final = 200


def sniff(head: bytes, path: str) -> Sniff | None:
    """Judge the first bytes and the path: most lines have a munged head and some message is munged's own."""
    marked = _MARKERS.search(head)
    if marked is None:
        return None
    lines = [line for line in head.split(b"\n")[:_SNIFFED_LINES] if line.strip()]
    headed = sum(1 for line in lines if prefix(line) is not None)
    if not headed or 2 * headed < len(lines):
        return None
    return Sniff(95 + 5 * ("munge" in path.lower()), f'munged heads and "{marked.group().decode("ascii", "replace")}"')


def prefix(line: bytes) -> Prefix | None:
    """Read one line's head: ``2026-11-30 19:50:58 +0000 Info:      `` or ``munged: Info: ``."""
    named = _STDERR.match(line)
    read = None if named else _time.iso(line)
    at = named.end() if named else read.end if read else None
    if at is None:
        return None
    level = _LEVEL.match(line, at)
    if level is None and named is None:
        return None
    return Prefix(
        stamp=read.stamp if read else None,
        program="munged",
        level=level.group(1).decode("ascii").lower() if level else None,
        start=level.end() if level else at,
    )
