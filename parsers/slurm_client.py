"""Messages of Slurm's commands on a terminal: a saved transcript with ``sbatch: error: …`` and its like."""

from __future__ import annotations

import re
from typing import Final

from analyzer.model.formats import Format, Sniff
from analyzer.model.stamps import Prefix

FORMAT: Final = Format("slurm_client", "lines", frozenset({"slurm"}), "messages of Slurm commands")

_COMMAND: Final = re.compile(
    rb"(sacct|sacctmgr|salloc|sattach|sbatch|sbcast|scancel|scontrol|sdiag|sinfo|sprio|squeue|sreport|srun|sshare|sstat"
    rb"|slurm_[a-z_]{2,40}): (?:(fatal|error|warning): )?"
)
_MESSAGE: Final = re.compile(
    rb"^(?:sacct|sacctmgr|salloc|sbatch|scancel|scontrol|sdiag|sinfo|squeue|sreport|srun|sshare|sstat): "
    rb"(?:error|fatal|Force|Prolog|Job step aborted|Required node|job \d+ )"
    rb"|^slurm_[a-z_]{2,40}(?: error)?: |^Submitted batch job \d+|^Slurmctld\((?:primary|backup)",
    re.MULTILINE,
)
_OTHER_OUTPUT: Final = re.compile(rb"^\[\d{4}-|step \d+|loss|epoch", re.MULTILINE | re.IGNORECASE)


def sniff(head: bytes, path: str) -> Sniff | None:
    """Judge the first bytes and the path: a short transcript in which Slurm commands report; no job output is one."""
    found = _MESSAGE.search(head)
    if found is None or _OTHER_OUTPUT.search(head) or path.endswith(".out"):
        return None
    lines = sum(1 for line in head.split(b"\n") if line.strip())
    share = len(_MESSAGE.findall(head)) / max(lines, 1)
    text = found.group().decode("ascii", "replace").strip()
    return Sniff(60 if share >= 0.1 else 20, f'"{text}" at the start of a line')


def prefix(line: bytes) -> Prefix | None:
    """Read one line's head; None for the command line itself and for other output."""
    found = _COMMAND.match(line)
    if found is None:
        return None
    level = found.group(2)
    return Prefix(
        program=found.group(1).decode("ascii"), level=level.decode("ascii") if level else None, start=found.end()
    )
