"""Node and job states of Slurm in every spelling of its commands, read into one.

Sources: sinfo(1) "NODE STATE CODES", squeue(1) "JOB STATE CODES", src/common/slurm_protocol_defs.c.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple


class NodeState(NamedTuple):
    """A node's state.

    Attributes:
        base: ``IDLE``, ``ALLOCATED``, ``MIXED``, ``DOWN``, ``ERROR``, ``FUTURE`` or ``UNKNOWN``.
        flags: What is said on top of it (``DRAIN``, ``NOT_RESPONDING``, ``INVALID_REG`` ...), sorted.
    """

    base: str
    flags: tuple[str, ...]


_SUFFIXES: Final = {
    "*": "NOT_RESPONDING",
    "~": "POWERED_DOWN",
    "#": "POWERING_UP",
    "!": "POWER_DOWN",
    "%": "POWERING_DOWN",
    "$": "MAINTENANCE",
    "@": "REBOOT_REQUESTED",
    "^": "REBOOT_ISSUED",
    "-": "PLANNED",
    "+": "COMPLETING",
}

_LISTED: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "alloc": ("ALLOCATED", ()),
    "allocated": ("ALLOCATED", ()),
    "blocked": ("IDLE", ("BLOCKED",)),
    "boot": ("DOWN", ("REBOOT_ISSUED",)),
    "comp": ("IDLE", ("COMPLETING",)),
    "completing": ("IDLE", ("COMPLETING",)),
    "down": ("DOWN", ()),
    "drain": ("IDLE", ("DRAIN",)),
    "drained": ("IDLE", ("DRAIN",)),
    "draining": ("ALLOCATED", ("DRAIN",)),
    "drng": ("ALLOCATED", ("DRAIN",)),
    "err": ("ERROR", ()),
    "error": ("ERROR", ()),
    "fail": ("IDLE", ("FAIL",)),
    "failg": ("ALLOCATED", ("FAIL",)),
    "failing": ("ALLOCATED", ("FAIL",)),
    "future": ("FUTURE", ()),
    "futr": ("FUTURE", ()),
    "idle": ("IDLE", ()),
    "inval": ("UNKNOWN", ("DRAIN", "INVALID_REG")),
    "maint": ("IDLE", ("MAINTENANCE",)),
    "mix": ("MIXED", ()),
    "mixed": ("MIXED", ()),
    "no_respond": ("UNKNOWN", ("NOT_RESPONDING",)),
    "npc": ("IDLE", ("PERFCTRS",)),
    "perfctrs": ("IDLE", ("PERFCTRS",)),
    "planned": ("IDLE", ("PLANNED",)),
    "plnd": ("IDLE", ("PLANNED",)),
    "pow_dn": ("IDLE", ("POWERING_DOWN",)),
    "pow_up": ("IDLE", ("POWERING_UP",)),
    "power_down": ("IDLE", ("POWER_DOWN",)),
    "powered_down": ("IDLE", ("POWERED_DOWN",)),
    "powering_down": ("IDLE", ("POWERING_DOWN",)),
    "powering_up": ("IDLE", ("POWERING_UP",)),
    "reboot": ("IDLE", ("REBOOT_ISSUED",)),
    "reserved": ("IDLE", ("RESERVED",)),
    "resv": ("IDLE", ("RESERVED",)),
    "unk": ("UNKNOWN", ()),
    "unknown": ("UNKNOWN", ()),
}

_BASES: Final = frozenset({"IDLE", "ALLOCATED", "MIXED", "DOWN", "ERROR", "FUTURE", "UNKNOWN"})
_PART: Final = re.compile(r"([A-Za-z_]{2,24})([*~#!%$@^+-]{0,4})")

JOB_STATES: Final = {
    "BF": "BOOT_FAIL",
    "CA": "CANCELLED",
    "CD": "COMPLETED",
    "CF": "CONFIGURING",
    "CG": "COMPLETING",
    "DL": "DEADLINE",
    "F": "FAILED",
    "LF": "LAUNCH_FAILED",
    "NF": "NODE_FAIL",
    "OOM": "OUT_OF_MEMORY",
    "PD": "PENDING",
    "PR": "PREEMPTED",
    "R": "RUNNING",
    "RD": "RESV_DEL_HOLD",
    "RF": "REQUEUE_FED",
    "RH": "REQUEUE_HOLD",
    "RQ": "REQUEUED",
    "RS": "RESIZING",
    "RV": "REVOKED",
    "S": "SUSPENDED",
    "SE": "SPECIAL_EXIT",
    "SI": "SIGNALING",
    "SO": "STAGE_OUT",
    "ST": "STOPPED",
    "TO": "TIMEOUT",
}
_JOB_STATE_NAMES: Final = tuple(sorted(JOB_STATES.values()))


def listed_node_state(text: str) -> NodeState | None:
    """Read a state as ``sinfo`` lists it, short or long (``down*``, ``drained``, ``mix#``); None if it is none."""
    found = _PART.fullmatch(text.strip())
    known = _LISTED.get(found.group(1).lower()) if found else None
    if found is None or known is None:
        return None
    base, flags = known
    return NodeState(base, tuple(sorted({*flags, *(_SUFFIXES[mark] for mark in found.group(2))})))


def shown_node_state(text: str) -> NodeState | None:
    """Read a state as ``scontrol show node`` shows it: ``IDLE+DRAIN+INVALID_REG``, ``DOWN*+DRAIN``, ``IDLE#``."""
    base = ""
    flags: set[str] = set()
    for piece in text.strip().split("+"):
        found = _PART.fullmatch(piece)
        if found is None:
            return None
        word = found.group(1).upper()
        flags.update(_SUFFIXES[mark] for mark in found.group(2))
        if word in _BASES and not base:
            base = word
        else:
            flags.add(word)
    return NodeState(base or "UNKNOWN", tuple(sorted(flags)))


def job_state(text: str) -> str | None:
    """Read a job state: a code (``NF``), a name, or a name cut by the column (``COMPLETI``, ``OUT_OF_ME+``)."""
    word = text.strip().split(" ", 1)[0].rstrip("+").upper()
    if word in JOB_STATES:
        return JOB_STATES[word]
    if word in _JOB_STATE_NAMES:
        return word
    fitting = [name for name in _JOB_STATE_NAMES if len(word) >= 6 and name.startswith(word)]
    return fitting[0] if len(fitting) == 1 else None
