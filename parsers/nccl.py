"""Job output that holds NCCL's log lines, with or without launcher prefixes, Python output and Slurm messages."""

from __future__ import annotations

from typing import Final

from analyzer.model.formats import Format, Sniff
from analyzer.model.stamps import Prefix
from parsers import _job, _lines

FORMAT: Final = Format(
    name="nccl",
    kind="lines",
    families=frozenset({"nccl", "training", "slurm"}),
    title="job output with NCCL log",
)


def sniff(head: bytes, path: str) -> Sniff | None:
    """Judge by lines that NCCL wrote; one is enough, more make it surer."""
    if b"NCCL " not in head:
        return None
    hits, total = _lines.share(head, _job.is_nccl)
    if hits == 0:
        return None
    return Sniff(score=70 + 25 * hits // total, why=f"{hits} of {total} lines are NCCL's")


def prefix(line: bytes) -> Prefix | None:
    """Read one line's head: host from ``host:pid:tid``, time from the collector, NCCL, PyTorch or Python."""
    return _job.prefix(line)
