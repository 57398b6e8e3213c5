"""Error log of MySQL or MariaDB, the database behind slurmdbd."""

from __future__ import annotations

import re
from typing import Final

from analyzer.model.formats import Format, Sniff
from analyzer.model.stamps import Prefix
from parsers import _time

FORMAT: Final = Format("mysqld", "lines", frozenset({"mysql"}), "MySQL or MariaDB error log")

_LEVEL: Final = re.compile(rb" +\d{1,20} \[(Note|Warning|ERROR|System|Error)\] (?:\[MY-\d{1,6}\] \[\w{1,20}\] )?")
_SNIFFED_LINES: Final = 200


def sniff(head: bytes, path: str) -> Sniff | None:
    """Judge the first bytes and the path: most lines have a stamp, a thread number and a level in brackets."""
    lines = [line for line in head.split(b"\n")[:_SNIFFED_LINES] if line.strip()]
    headed = sum(1 for line in lines if prefix(line) is not None)
    if not headed or 2 * headed < len(lines):
        return None
    named = re.search(r"mysql|maria", path.lower()) is not None
    return Sniff(75 + 25 * named, f"{headed} of {len(lines)} lines have the head of a database server's log")


def prefix(line: bytes) -> Prefix | None:
    """Read one line's head: ``2026-11-30 19:33:29 5 [Warning] ``, MySQL 8's with ``[MY-010055] [Server] `` behind."""
    read = _time.iso(line)
    level = _LEVEL.match(line, read.end) if read else None
    if read is None or level is None:
        return None
    return Prefix(stamp=read.stamp, program="mysqld", level=level.group(1).decode("ascii").lower(), start=level.end())
