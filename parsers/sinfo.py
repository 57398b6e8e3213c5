"""Output of ``sinfo``: the default form, ``-l``, ``-N``, ``-N -l`` and ``-R``, one or several in a file."""

from __future__ import annotations

import re
from typing import Any, Final

from analyzer.model.formats import Dump, Format, Sniff
from analyzer.model.tables import MAX_TEXT, Row
from parsers._hostlist import Expander
from parsers._slurm import SLURM_NODES
from parsers._slurm_columns import Header, header, listed, misfits, sniff_listing
from parsers._slurm_nodes import MAX_NODE_ROWS, configured_gpus, mark_latest, node_row
from parsers._slurm_states import listed_node_state
from parsers._slurm_text import present, whole

FORMAT: Final = Format("sinfo", "table", frozenset({"slurm"}), "Slurm node listing (sinfo)")
TABLES: Final = (SLURM_NODES,)

_NAMES: Final = frozenset(
    {
        "PARTITION", "AVAIL", "TIMELIMIT", "JOB_SIZE", "ROOT", "OVERSUBS", "GROUPS", "NODES", "STATE",
        "RESERVATION", "NODELIST", "CPUS", "S:C:T", "MEMORY", "TMP_DISK", "WEIGHT", "AVAIL_FE", "AVAIL_FEATURES",
        "FEATURES", "REASON", "USER", "TIMESTAMP", "GRES", "HOSTNAMES", "FREE_MEM", "CPU_LOAD", "NODES(A/I/O/T)",
        "NODES(A/I)", "CPUS(A/I/O/T)", "GRES_USED", "STATELONG", "STATECOMPACT", "SOCKETS", "CORES", "THREADS",
        "VERSION",
    }
)  # fmt: skip
_NODE_COLUMNS: Final = ("NODELIST", "HOSTNAMES")
_FREE: Final = ("REASON",)
_UID: Final = re.compile(r"\(\d{1,10}\)$")
_CUT_WIDTH: Final = 19  # sinfo cuts reasons to 20 characters, the last of which may be a blank


def sniff(head: bytes, path: str) -> Sniff | None:
    """Judge the first bytes and the path: a header line of sinfo."""
    return sniff_listing(head, path, _header, "sinfo")


def parse(data: bytes, path: str) -> Dump:
    """Read every listing of the file; ``path`` is not used."""
    del path
    unfit: list[int] = []
    rows: list[Row] = []
    hosts = Expander(MAX_NODE_ROWS)
    for line, columns, values, taken, block in listed(data, _header):
        if values is None:
            unfit.append(line.number)
            continue
        shown = _values(values, cut=not columns.barred) | {"taken": taken, "block": block}
        text = line.text[:MAX_TEXT]
        rows.extend(node_row(host, shown, line.number, text) for host in hosts.expand(_nodes(values)))
    return Dump(mark_latest(rows), misfits(unfit) + hosts.problems())


def _header(text: str) -> Header | None:
    for column in _NODE_COLUMNS:
        found = header(text, _NAMES, frozenset({column}), _FREE)
        if found is not None and len(found.names) > 1:
            return found
    return None


def _nodes(values: dict[str, str]) -> str:
    return next(values[column] for column in _NODE_COLUMNS if column in values).strip()


def _values(values: dict[str, str], *, cut: bool) -> dict[str, Any]:
    state_text = values.get("STATE") or values.get("STATELONG") or values.get("STATECOMPACT")
    state = listed_node_state(state_text) if state_text else None
    reason = present(values.get("REASON"))
    return {
        "state": state.base if state else None,
        "flags": list(state.flags) if state else None,
        "state_text": state_text,
        "reason": reason,
        "reason_cut": cut and reason is not None and len(reason) >= _CUT_WIDTH,
        "reason_user": present(_UID.sub("", values.get("USER", ""))),
        "reason_time": present(values.get("TIMESTAMP")),
        "partition": values["PARTITION"].rstrip("*") if "PARTITION" in values else None,
        "cpus": whole(values.get("CPUS")),
        "memory_mb": whole(values.get("MEMORY")),
        "free_memory_mb": whole(values.get("FREE_MEM")),
        "gres": present(values.get("GRES")),
        "gpus": configured_gpus(values.get("GRES")),
        "version": present(values.get("VERSION")),
        "command": "sinfo",
    }
