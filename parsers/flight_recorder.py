"""PyTorch flight-recorder dumps (``nccl_trace_rank_N``): the last collectives of one rank, as pickle or JSON."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from analyzer.model.formats import Dump, Format, Problem, Sniff
from analyzer.model.tables import Column, Row, TableSpec
from parsers import _flight, _plain_pickle
from parsers._flight import Entry, Group, Status

FORMAT: Final = Format(
    name="flight_recorder",
    kind="table",
    families=frozenset({"flight"}),
    title="PyTorch flight-recorder dump",
)

_OWNER: Final = (
    Column("folder", "str", "folder of the dump; the dumps of one job lie in one folder, or have different ranks"),
    Column(
        "rank", "int", "global rank that wrote the dump, from its groups, its sends and receives, or its name", "rank"
    ),
)
DUMPS: Final = TableSpec(
    name="flight_dumps",
    doc="One dump: the recorder of one rank.",
    columns=(
        *_OWNER,
        Column("version", "str", "version of the dump's form"),
        Column("nccl_version", "str", "version of NCCL"),
        Column("world", "int", "ranks of the largest group"),
        Column("entries", "int", "operations kept by the recorder"),
        Column("pending", "int", "operations not completed"),
        Column("last_record", "int", "number of the newest record"),
    ),
)
GROUPS: Final = TableSpec(
    name="flight_groups",
    doc="One process group that a rank belongs to, and how far the rank came in it.",
    columns=(
        *_OWNER,
        Column("group", "str", "name of the group; null for counters of a group that no entry names"),
        Column("group_id", "str", "the rank's own number of the group, null where no entry tells it"),
        Column("description", "str", "what the program calls the group"),
        Column("ranks", "str", "global ranks of the members, in the order of their rank in the group, comma-separated"),
        Column("size", "int", "number of members"),
        Column("enqueued", "int", "last collective that the rank called"),
        Column("started", "int", "last collective that began on its GPU, -1 where timing is off"),
        Column("completed", "int", "last collective that finished on its GPU"),
    ),
)
ENTRIES: Final = TableSpec(
    name="flight_entries",
    doc="One operation of a dump; its event is the number of the record. Of a long dump the newest and the unfinished.",
    columns=(
        *_OWNER,
        Column("record", "int", "number of the record"),
        Column("group", "str", "name of the process group"),
        Column("description", "str", "what the program calls the group"),
        Column("seq", "int", "number among the collectives, or among the sends and receives, of the group"),
        Column("operation", "str", "all_reduce, send, ..."),
        Column("from_rank", "int", "of a send or receive: the own rank inside the group"),
        Column("to_rank", "int", "of a send or receive: the partner's rank inside the group"),
        Column("shape", "str", "sizes and types of the input"),
        Column("state", "str", "scheduled, started or completed"),
        Column("timeout_s", "float", "time-out in force"),
        Column("frame", "str", "innermost frame of the program"),
    ),
    snapshot=False,
)
TABLES: Final = (DUMPS, GROUPS, ENTRIES)

MAX_KEPT: Final = 64
MAX_PENDING: Final = 4096
_MARKS: Final = (b"pg_config", b"pg_status", b"collective_seq_id", b"record_id", b"nccl_comm_state", b"profiling_name")
_JSON_KEY: Final = re.compile(rb'\s*\{\s*"(?:version|pg_config|pg_status|entries|nccl_version|comm_lib_version|rank)"')
_NAME: Final = re.compile(r"(?:^|/)(?:nccl_trace_rank_|comm_lib_trace_rank_|_dump_)\d+[^/]*$")


def sniff(head: bytes, path: str) -> Sniff | None:
    """Judge by the recorder's own keys, as a pickle or as JSON."""
    marks = [mark.decode() for mark in _MARKS if mark in head]
    if head[:1] == b"\x80" and head[1:2] in {b"\x02", b"\x03", b"\x04", b"\x05"}:
        if marks:
            return Sniff(score=95, why=f'pickle with the key "{marks[0]}"')
        return Sniff(score=30, why="pickle with a flight recorder's file name") if _NAME.search(path) else None
    if _JSON_KEY.match(head) and len(marks) > 1:
        return Sniff(score=95, why=f'JSON with the keys "{marks[0]}" and "{marks[1]}"')
    return None


def parse(data: bytes, path: str) -> Dump:
    """Read one dump, of any version, without running anything that a pickle may ask for."""
    try:
        read = _plain_pickle.load(data) if data[:1] == b"\x80" else json.loads(data[: _plain_pickle.MAX_BYTES])
    except (ValueError, RecursionError) as error:
        return Dump((), (Problem(f"not a readable flight-recorder dump: {str(error)[:120]}"),))
    whole: Mapping[str, Any] = read if isinstance(read, Mapping) else {"entries": read}
    raw = whole.get("entries")
    listed: Sequence[Any] = raw if isinstance(raw, list | tuple) else ()
    kept = list(_flight.entries(listed))
    groups = _flight.groups(whole)
    if not kept and not groups:
        return Dump((), (Problem("no entry and no process group: not a flight-recorder dump"),))
    owner = {"folder": path.rpartition("/")[0], "rank": _flight.rank_of(groups, kept, path)}
    problems = [Problem("the rank that wrote the dump is not known")] if owner["rank"] is None else []
    if len(kept) < len(listed):
        problems.append(Problem("entry without a record number", count=len(listed) - len(kept)))
    rows = [_dump_row(owner, whole, groups, kept), *_group_rows(owner, groups, kept, _flight.statuses(whole))]
    rows += [_entry_row(owner, entry) for entry in _worth_keeping(kept)]
    return Dump(tuple(rows), tuple(problems))


def _worth_keeping(kept: Sequence[Entry]) -> list[Entry]:
    newest = {entry.record for entry in kept[-MAX_KEPT:]}
    pending = {entry.record for entry in kept if entry.state != "completed"}
    oldest_pending = set(sorted(pending)[:MAX_PENDING])
    return [entry for entry in kept if entry.record in newest or entry.record in oldest_pending]


def _dump_row(
    owner: Mapping[str, Any], whole: Mapping[str, Any], groups: Sequence[Group], kept: Sequence[Entry]
) -> Row:
    pending = sum(entry.state != "completed" for entry in kept)
    version = whole.get("nccl_version") or whole.get("comm_lib_version")
    values = {
        "version": str(whole["version"])[:20] if isinstance(whole.get("version"), str | int | float) else None,
        "nccl_version": version[:40] if isinstance(version, str) else None,
        "world": max((len(group.ranks) for group in groups), default=None),
        "entries": len(kept),
        "pending": pending,
        "last_record": max((entry.record for entry in kept), default=None),
    }
    rank = "unknown rank" if owner["rank"] is None else f"rank {owner['rank']}"
    text = f"{rank}: {len(kept)} operations kept, {pending} not completed"
    return Row(DUMPS.name, {**owner, **values}, text=text)


def _group_rows(
    owner: Mapping[str, Any], groups: Sequence[Group], kept: Sequence[Entry], statuses: Mapping[str, Status]
) -> list[Row]:
    numbers = {entry.group: entry.group_id for entry in kept}
    if len(groups) == len(statuses) == 1:
        numbers.setdefault(groups[0].name, next(iter(statuses)))
    counted = _counted(kept)
    rows = []
    for group in groups:
        number = numbers.get(group.name)
        status = statuses.get(number or "", counted.get(group.name, Status(None, None, None)))
        rows.append(_group_row(owner, group, number, status))
    unnamed = Group("", None, ())
    named = set(numbers.values())
    rows += [_group_row(owner, unnamed, number, status) for number, status in statuses.items() if number not in named]
    return rows


def _counted(kept: Sequence[Entry]) -> dict[str, Status]:
    """Counters of each group by its entries, for dumps of versions that print none."""
    called, done = Counter[str](), Counter[str]()
    for entry in kept:
        if entry.peers is None and entry.seq is not None:
            called[entry.group] = max(called[entry.group], entry.seq)
            if entry.state == "completed":
                done[entry.group] = max(done[entry.group], entry.seq)
    return {name: Status(called[name], None, done.get(name)) for name in called}


def _group_row(owner: Mapping[str, Any], group: Group, number: str | None, status: Status) -> Row:
    values = {
        "group": group.name or None,
        "group_id": number,
        "description": group.description,
        "ranks": ",".join(map(str, group.ranks)) or None,
        "size": len(group.ranks) or None,
        "enqueued": status.enqueued,
        "started": status.started,
        "completed": status.completed,
    }
    return Row(GROUPS.name, {**owner, **values})


def _entry_row(owner: Mapping[str, Any], entry: Entry) -> Row:
    values = {
        "record": entry.record,
        "group": entry.group,
        "description": entry.description,
        "seq": entry.seq,
        "operation": entry.operation,
        "from_rank": entry.peers[0] if entry.peers else None,
        "to_rank": entry.peers[1] if entry.peers else None,
        "shape": entry.shape,
        "state": entry.state,
        "timeout_s": entry.timeout_s,
        "frame": entry.frame,
    }
    partner = f" with {entry.peers[1]} of the group" if entry.peers else ""
    called = f" from {entry.frame}" if entry.frame else ""
    group = f"group {entry.group}" + (f" ({entry.description})" if entry.description else "")
    text = f"{entry.operation} {entry.seq} in {group}{partner}: {entry.state}, {entry.shape or 'no sizes'}{called}"
    return Row(ENTRIES.name, {**owner, **values}, text=text, event=entry.record, stamp_s=entry.created_s)
