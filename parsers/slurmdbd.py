"""Log of the Slurm accounting daemon, slurmdbd.log."""

from __future__ import annotations

import re
from typing import Final

from analyzer.model.formats import Format, Sniff
from analyzer.model.stamps import Prefix
from parsers._slurm_log import read_prefix, sniff_daemon

FORMAT: Final = Format("slurmdbd", "lines", frozenset({"slurm", "mysql"}), "Slurm accounting daemon log (slurmdbd)")

_MARKERS: Final = re.compile(
    rb"slurmdbd version |accounting_storage/as_mysql: |mysql_real_connect failed|mysql_query failed"
    rb"|as_mysql database|Processing last message from connection|DBD_[A-Z_]{3,40}: called"
)


def sniff(head: bytes, path: str) -> Sniff | None:
    """Judge the first bytes and the path: lines with a Slurm head, and messages that only slurmdbd writes."""
    return sniff_daemon(head, path, "slurmdbd", _MARKERS)


def prefix(line: bytes) -> Prefix | None:
    """Read one line's head; None for the continuation of a record."""
    return read_prefix(line, "slurmdbd")
