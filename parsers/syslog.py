"""Files written by a syslog daemon: ``messages``, ``syslog``, ``kern.log`` (RFC 3164, RFC 3339 and RFC 5424 heads)."""

from __future__ import annotations

import re
from typing import Final

from analyzer.model.formats import Format, Sniff
from analyzer.model.stamps import Prefix
from parsers import _lines, _syslog_head

FORMAT: Final = Format(
    name="syslog",
    kind="lines",
    families=frozenset({"kernel", "syslog", "slurm", "munge", "mysql", "fabric", "gpu", "site"}),
    title="system log (syslog)",
)

_NAME: Final = re.compile(r"(?:^|/)(?:messages|syslog|kern\.log|daemon\.log|user\.log)(?:[.-][\w.-]*)?$")


def sniff(head: bytes, path: str) -> Sniff | None:
    """Judge by the share of lines with time stamp, host and program."""
    hits, total = _lines.share(head, _syslog_head.wall)
    named = _NAME.search(path) is not None
    if hits == 0 or hits * 2 < total:
        return None
    score = 60 + 30 * hits // total + (5 if named else 0)
    return Sniff(score=score, why=f"{hits} of {total} lines have time, host and program")


def prefix(line: bytes) -> Prefix | None:
    """Read time, host, program and, where printed, priority of one line."""
    return _syslog_head.wall(line)
