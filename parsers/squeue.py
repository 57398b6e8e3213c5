"""Output of ``squeue`` and ``squeue -l``, one or several listings in a file."""

from __future__ import annotations

import re
from typing import Any, Final

import msgspec

from analyzer.model.formats import Dump, Format, Sniff
from analyzer.model.tables import MAX_TEXT, Row
from parsers._hostlist import Expander
from parsers._slurm import SLURM_QUEUE
from parsers._slurm_columns import Header, header, listed, misfits, sniff_listing
from parsers._slurm_states import job_state
from parsers._slurm_text import duration_s, lines, present, whole

FORMAT: Final = Format("squeue", "table", frozenset({"slurm"}), "Slurm job queue (squeue)")
TABLES: Final = (SLURM_QUEUE,)

_NAMES: Final = frozenset(
    {
        "JOBID", "PARTITION", "NAME", "USER", "ST", "STATE", "TIME", "TIME_LIMI", "TIME_LIMIT", "NODES", "PRIORITY",
        "NODELIST(REASON)", "NODELIST", "REASON", "CPUS", "MIN_MEMORY", "QOS", "ACCOUNT", "TRES_PER_NODE", "START_TIME",
    }
)  # fmt: skip
_REQUIRED: Final = frozenset({"JOBID"})
_FREE: Final = ("NODELIST(REASON)", "REASON")
_UNAVAILABLE: Final = re.compile(r"UnavailableNodes: ?([^() ]{1,4096})")


def sniff(head: bytes, path: str) -> Sniff | None:
    """Judge the first bytes and the path: a header line of squeue."""
    return sniff_listing(head, path, _header, "squeue")


def parse(data: bytes, path: str) -> Dump:
    """Read every listing of the file; ``path`` is not used."""
    del path
    unfit: list[int] = []
    rows: list[Row] = []
    hosts = Expander()
    for line, _, values, taken, block in listed(data, _header):
        if values is None:
            unfit.append(line.number)
            continue
        shown = _values(values, hosts) | {"taken": taken, "block": block}
        rows.append(Row(SLURM_QUEUE.name, shown, line=line.number, text=line.text[:MAX_TEXT]))
    last_block = sum(_header(line.text) is not None for line in lines(data)) - 1
    return Dump([_with_latest(row, last_block) for row in rows], misfits(unfit) + hosts.problems())


def _header(text: str) -> Header | None:
    return header(text, _NAMES, _REQUIRED, _FREE)


def _with_latest(row: Row, last_block: int) -> Row:
    return msgspec.structs.replace(row, values={**row.values, "latest": row.values["block"] == last_block})


def _values(values: dict[str, str], hosts: Expander) -> dict[str, Any]:
    place = values.get("NODELIST(REASON)", values.get("NODELIST", "")).strip()
    reason = place if place.startswith("(") else values.get("REASON", "")
    reason = reason.strip().removeprefix("(").removesuffix(")")
    unavailable = _UNAVAILABLE.search(reason)
    state = values.get("STATE") or values.get("ST")
    return {
        "job": values["JOBID"],
        "partition": values.get("PARTITION"),
        "name": values.get("NAME"),
        "user": values.get("USER"),
        "state": job_state(state) if state else None,
        "elapsed_s": duration_s(values.get("TIME")),
        "time_limit_s": duration_s(values.get("TIME_LIMI") or values.get("TIME_LIMIT")),
        "node_count": whole(values.get("NODES")),
        "nodes": list(hosts.expand(place)),
        "reason": present(reason),
        "unavailable": list(hosts.expand(unavailable.group(1))) if unavailable else [],
    }
