"""Log of the Slurm node daemon, slurmd.log."""

from __future__ import annotations

import re
from typing import Final

from analyzer.model.formats import Format, Sniff
from analyzer.model.stamps import Prefix
from parsers._slurm_log import read_prefix, sniff_daemon

FORMAT: Final = Format("slurmd", "lines", frozenset({"slurm"}), "Slurm node daemon log (slurmd)")

_MARKERS: Final = re.compile(
    rb"slurmd version |Slurmd shutdown completing|Launching batch job |launch task (?:StepId=|\d)"
    rb"|\] \[\d+\.(?:batch|extern|\d+)\] |Unable to register: |gres\.conf file /dev/"
)


def sniff(head: bytes, path: str) -> Sniff | None:
    """Judge the first bytes and the path: lines with a Slurm head, and messages that only slurmd writes."""
    return sniff_daemon(head, path, "slurmd", _MARKERS)


def prefix(line: bytes) -> Prefix | None:
    """Read one line's head; None for the continuation of a record."""
    return read_prefix(line, "slurmd")
