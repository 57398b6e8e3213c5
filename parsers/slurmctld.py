"""Log of the Slurm controller, slurmctld.log."""

from __future__ import annotations

import re
from typing import Final

from analyzer.model.formats import Format, Sniff
from analyzer.model.stamps import Prefix
from parsers._slurm_log import read_prefix, sniff_daemon

FORMAT: Final = Format("slurmctld", "lines", frozenset({"slurm"}), "Slurm controller log (slurmctld)")

_MARKERS: Final = re.compile(
    rb"slurmctld version |_slurm_rpc_|Running as primary controller|sched: Allocate |_start_job: Started "
    rb"|_job_complete: |update_node: node |drain_nodes: node |validate_node_specs: |Requeuing JobId="
    rb"|Nodes \S{1,200} not responding"
)


def sniff(head: bytes, path: str) -> Sniff | None:
    """Judge the first bytes and the path: lines with a Slurm head, and messages that only slurmctld writes."""
    return sniff_daemon(head, path, "slurmctld", _MARKERS)


def prefix(line: bytes) -> Prefix | None:
    """Read one line's head; None for the continuation of a record."""
    return read_prefix(line, "slurmctld")
