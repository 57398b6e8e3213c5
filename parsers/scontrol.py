"""Output of ``scontrol show node`` and ``scontrol show job``, multi-line or ``-o`` (one record per line)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from analyzer.model.formats import Dump, Format, Problem, Sniff
from analyzer.model.tables import MAX_TEXT, Row
from parsers._hostlist import Expander
from parsers._slurm import SLURM_JOBS, SLURM_NODES
from parsers._slurm_nodes import MAX_NODE_ROWS, configured_gpus, mark_latest, node_row
from parsers._slurm_states import job_state, shown_node_state
from parsers._slurm_text import Line, codes, command_line, duration_s, lines, present, size, whole

FORMAT: Final = Format("scontrol", "table", frozenset({"slurm"}), "Slurm nodes and jobs (scontrol show)")
TABLES: Final = (SLURM_NODES, SLURM_JOBS)

_RECORD: Final = re.compile(r"(NodeName|JobId)=\S")
_SHOWN_NODE: Final = re.compile(r"NodeName=\S+ (?:Arch=|CoresPerSocket=)|^ {3}CPUAlloc=\d", re.MULTILINE)
_WORDS: Final = (b"NodeName=", b"CPUAlloc=", b"JobId=", b"JobState=")
_SHOWN_JOB: Final = re.compile(r"JobId=\d+ .{0,400}JobName=|^ {3}JobState=[A-Z]", re.MULTILINE)
_PAIR: Final = re.compile(r"(?:^|(?<= ))([A-Z][A-Za-z/:&_]{0,40})=")
_WHOLE_LINE: Final = frozenset({"Reason", "OS", "Comment", "Extra", "AdminComment", "SystemComment", "Command"})
_SET_BY: Final = re.compile(r"(.*?) ?\[([^\[\]@\s]{1,64})@([^\[\]\s]{1,40})\]$", re.DOTALL)
_BY: Final = re.compile(r"([^()]{1,64})(?:\(\d{1,10}\))?")


class _Record(NamedTuple):
    """One record: what it is about, its values, the line of each value."""

    kind: str
    values: dict[str, str]
    places: dict[str, Line]


def sniff(head: bytes, path: str) -> Sniff | None:
    """Judge the first bytes and the path: a record of a node or a job with the keys that scontrol prints."""
    if not any(word in head for word in _WORDS):
        return None
    text = head.decode("utf-8", "replace")
    found = _SHOWN_NODE.search(text) or _SHOWN_JOB.search(text)
    if found is None:
        return None
    line = text.count("\n", 0, found.start()) + 1
    named = "scontrol" in path.rsplit("/", 1)[-1].lower()
    return Sniff(min(100, (90 if line <= 5 else 40) + 10 * named), f"line {line} is a record of scontrol show")


def parse(data: bytes, path: str) -> Dump:
    """Read every node and job record of the file; ``path`` is not used."""
    del path
    nodes: list[Row] = []
    jobs: list[Row] = []
    stateless: list[int] = []
    block, seen = 0, set[str]()
    node_names, job_nodes = Expander(MAX_NODE_ROWS), Expander()
    for record in _records(data):
        if record.kind == "JobId":
            jobs.append(_job(record, job_nodes))
            continue
        if record.values["NodeName"] in seen:
            block, seen = block + 1, set()
        seen.add(record.values["NodeName"])
        if "State" not in record.values:
            stateless.append(record.places["NodeName"].number)
        nodes.extend(_nodes(record, block, node_names))
    problems = (Problem("node record without a state", stateless[0], len(stateless)),) if stateless else ()
    return Dump(
        sorted([*mark_latest(nodes), *jobs], key=lambda row: row.line),
        (*problems, *node_names.problems(), *job_nodes.problems()),
    )


def _records(data: bytes) -> Iterator[_Record]:
    record: _Record | None = None
    for line in lines(data):
        start = _RECORD.match(line.text)
        if start is not None:
            if record is not None:
                yield record
            record = _Record(start.group(1), {}, {})
        elif record is not None and (not line.text.strip() or command_line(line.text) is not None):
            yield record
            record = None
        if record is not None:
            _read_line(record, line, one_line=start is not None and "State=" in line.text)
    if record is not None:
        yield record


def _read_line(record: _Record, line: Line, *, one_line: bool) -> None:
    text = line.text.strip()
    found = list(_PAIR.finditer(text))
    if not found and record.values:
        last = next(reversed(record.values))
        if last == "Reason":
            record.values[last] = f"{record.values[last]}\n{text}"
        return
    for pair, behind in zip(found, [*found[1:], None], strict=True):
        key = pair.group(1)
        if key == "Nodes" and record.kind == "JobId":
            return
        whole_line = key in _WHOLE_LINE and not one_line and not (key == "Reason" and record.kind == "JobId")
        end = len(text) if behind is None or whole_line else behind.start()
        record.values.setdefault(key, text[pair.end() : end].strip())
        record.places.setdefault(key, line)
        if whole_line:
            return


def _nodes(record: _Record, block: int, hosts: Expander) -> Iterator[Row]:
    values = record.values
    place = next(record.places[key] for key in ("Reason", "State", "NodeName") if key in record.places)
    shown = _node_values(values) | {"block": block}
    for host in hosts.expand(values["NodeName"].split(" ", 1)[0]):
        yield node_row(host, shown, place.number, place.text[:MAX_TEXT])


def _node_values(values: dict[str, str]) -> dict[str, Any]:
    state = shown_node_state(values["State"]) if "State" in values else None
    reason, user, since = _reason(values.get("Reason"))
    return {
        "state": state.base if state else None,
        "flags": list(state.flags) if state else None,
        "state_text": values.get("State"),
        "reason": reason,
        "reason_cut": False,
        "reason_user": user,
        "reason_time": since,
        "partition": present(values.get("Partitions")),
        "cpus": whole(values.get("CPUTot")),
        "memory_mb": whole(values.get("RealMemory")),
        "free_memory_mb": whole(values.get("FreeMem")),
        "gres": present(values.get("Gres")),
        "gpus": configured_gpus(values.get("Gres")),
        "boot_time": present(values.get("BootTime")),
        "slurmd_start": present(values.get("SlurmdStartTime")),
        "version": present(values.get("Version")),
        "address": present(values.get("NodeAddr")),
        "command": "scontrol",
    }


def _reason(text: str | None) -> tuple[str | None, str | None, str | None]:
    found = _SET_BY.match(text) if text else None
    if found is None:
        return present(text), None, None
    return present(found.group(1)), found.group(2), found.group(3)


def _job(record: _Record, hosts: Expander) -> Row:
    values = record.values
    place = next(record.places[key] for key in ("JobState", "JobId") if key in record.places)
    return Row(SLURM_JOBS.name, _job_values(values, hosts), line=place.number, text=place.text[:MAX_TEXT])


def _job_values(values: dict[str, str], hosts: Expander) -> dict[str, Any]:
    exit_code, exit_signal = codes(values.get("ExitCode"))
    derived_code, derived_signal = codes(values.get("DerivedExitCode"))
    user = _BY.match(values.get("UserId", ""))
    per_node, per_cpu = size(values.get("MinMemoryNode")), size(values.get("MinMemoryCPU"))
    requested = per_node or per_cpu
    node_list = present(values.get("NodeList"))
    return {
        "job": _job_id(values),
        "name": present(values.get("JobName")),
        "user": user.group(1) if user else None,
        "account": present(values.get("Account")),
        "partition": present(values.get("Partition")),
        "state": job_state(values["JobState"]) if values.get("JobState") else None,
        "exit_code": exit_code,
        "exit_signal": exit_signal,
        "derived_exit_code": derived_code,
        "derived_exit_signal": derived_signal,
        "nodes": list(hosts.expand(node_list or "")),
        "node_list": node_list,
        "reason": present(values.get("Reason")),
        "submit": present(values.get("SubmitTime")),
        "start": present(values.get("StartTime")),
        "end": present(values.get("EndTime")),
        "elapsed_s": duration_s(values.get("RunTime")),
        "time_limit_s": duration_s(values.get("TimeLimit")),
        "req_mem_bytes": requested.size_bytes if requested else None,
        "req_mem_per": None if requested is None else "node" if per_node else "cpu",
        "tres": present(values.get("AllocTRES") or values.get("TRES")),
        "failed_node": present(values.get("FailedNode")),
        "comment": present(values.get("Comment")),
        "command": "scontrol",
    }


def _job_id(values: dict[str, str]) -> str:
    array, task = values.get("ArrayJobId"), values.get("ArrayTaskId")
    if array and task:
        return f"{array}_{task}" if task.isdigit() else f"{array}_[{task}]"
    return values["JobId"].split(" ", 1)[0]
