"""``flight_stalls``: the ranks that all others wait for, by PyTorch's flight-recorder dumps."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import polars as pl

from analyzer.facts.citations import citation
from analyzer.facts.derived._flight_waits import Culprit, Recorder, culprits
from analyzer.facts.derived._shape import shaped
from analyzer.model.tables import Column, TableSpec

NEEDS: Final = ("flight_dumps", "flight_groups", "flight_entries", "nccl_processes")

SPEC: Final = TableSpec(
    "flight_stalls",
    "one row per rank that others wait for and that waits for nobody, or that calls something else than the others",
    (
        Column("rank", "int", "global rank", "rank"),
        Column(
            "kind", "str",
            "missing: called nothing that others wait for; no-dump: and left no dump; stalled: its GPU does not finish "
            "what others finished; operation, size: calls it differently; order: waits in another group than others",
        ),
        Column("group", "str", "process group of the operation"),
        Column("description", "str", "what the program calls the group"),
        Column("operation", "str", "what the rank itself called last and has not finished; null if nothing"),
        Column("shape", "str", "sizes and types of its input"),
        Column("common_seq", "int", "number, in the group, of the operation that is not finished"),
        Column("common_operation", "str", "what those that wait called; null where ranks differ without a majority"),
        Column("common_shape", "str", "sizes and types of its input"),
        Column("reporting", "int", "ranks that wait for this one, also through others"),
        Column("culprits", "int", "such ranks in this job"),
        Column("dumps", "int", "dumps of this job"),
        Column("world", "int", "ranks of its largest group"),
        Column("timeout_s", "float", "time-out in force"),
        Column("evidence", "strs", "its own entry or dump, then entries of ranks that wait, as source:line:event"),
    ),
    snapshot=False,
)  # fmt: skip

_PLACE: Final = ("source", "segment", "event", "text", "node", "time", "uncertainty_s", "clock", "clock_s")
_CITED: Final = 3


def derive(frames: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Follow who waits for whom in each job.

    Args:
        frames: The tables of ``NEEDS``.

    Returns:
        One row per culprit, placed at its own oldest unfinished operation, else at that of a rank that waits for it.
    """
    nodes = dict(frames["nccl_processes"].select("rank", "node").drop_nulls().sort("rank", "node").iter_rows())
    rows = [row for dumps in _jobs(frames["flight_dumps"]) for row in _of_job(dumps, frames, nodes)]
    return shaped(pl.DataFrame(rows, infer_schema_length=None) if rows else pl.DataFrame(), SPEC)


def _jobs(dumps: pl.DataFrame) -> list[dict[int, dict[str, Any]]]:
    """Dumps by rank of each job: of each folder where a rank occurs in several folders, else of all folders."""
    newest = ["last_record", "entries", "source"]
    known = dumps.drop_nulls("rank").sort(newest, descending=[True, True, False], nulls_last=True)
    folders = known.group_by("rank").agg(pl.col("folder").n_unique())["folder"].max()
    several = isinstance(folders, int) and folders > 1
    parts = known.partition_by("folder", maintain_order=True) if several else [known]
    return [_by_rank(part.to_dicts()) for part in parts]


def _by_rank(rows: Iterable[dict[str, Any]]) -> dict[int, dict[str, Any]]:
    found: dict[int, dict[str, Any]] = {}
    for row in rows:
        found.setdefault(int(row["rank"]), row)
    return dict(sorted(found.items()))


def _of_job(
    dumps: Mapping[int, Mapping[str, Any]], frames: Mapping[str, pl.DataFrame], nodes: Mapping[int, str]
) -> list[dict[str, Any]]:
    sources = [row["source"] for row in dumps.values()]
    groups = frames["flight_groups"].filter(pl.col("source").is_in(sources))
    entries = frames["flight_entries"].filter(pl.col("source").is_in(sources))
    recorders = _recorders(dumps, groups, entries)
    found = culprits(recorders, _members(groups))
    facts = {
        "culprits": len(found),
        "dumps": len(dumps),
        "world": max((row["world"] or 0 for row in dumps.values()), default=0),
    }
    return [facts | _row(culprit, recorders, nodes) for culprit in found]


def _members(groups: pl.DataFrame) -> dict[str, tuple[int, ...]]:
    listed = groups.select("group", "ranks").drop_nulls().unique("group", keep="first", maintain_order=True)
    return {str(name): tuple(map(int, str(ranks).split(","))) for name, ranks in listed.iter_rows()}


def _recorders(
    dumps: Mapping[int, Mapping[str, Any]], groups: pl.DataFrame, entries: pl.DataFrame
) -> dict[int, Recorder]:
    by_age = entries.sort("record", maintain_order=True)
    pending = by_age.filter(pl.col("state") != "completed")
    heads = {row["source"]: row for row in pending.unique("source", keep="first").to_dicts()}
    newest = {row["source"]: row for row in by_age.unique("source", keep="last").to_dicts()}
    completed = _completed(groups)
    return {
        rank: Recorder(
            rank=rank,
            head=heads.get(row["source"]),
            completed=completed.get(row["source"], {}),
            last=newest.get(row["source"], row),
        )
        for rank, row in dumps.items()
    }


def _completed(groups: pl.DataFrame) -> dict[int, dict[str, int]]:
    """Last finished collective per source and group.

    Counters are filed under the rank's own numbers of groups. Where no entry of the rank tells which group a number
    is, groups of one description have one number on all ranks that do tell.
    """
    told = groups.drop_nulls(["group_id", "description"])
    same = told.group_by("description").agg(pl.col("group_id").unique()).filter(pl.col("group_id").list.len() == 1)
    numbers = {str(row["description"]): row["group_id"][0] for row in same.iter_rows(named=True)}
    counters: dict[int, dict[str, int]] = defaultdict(dict)
    for source, number, completed in groups.select("source", "group_id", "completed").drop_nulls().iter_rows():
        counters[source][number] = completed
    found: dict[int, dict[str, int]] = defaultdict(dict)
    columns = ("source", "group", "group_id", "description", "completed")
    for source, group, number, description, completed in groups.select(columns).iter_rows():
        if group is None:
            continue
        key = number or numbers.get(description or "", "")
        last = completed if completed is not None else counters[source].get(key)
        if last is not None:
            found[source][group] = last
    return found


def _row(culprit: Culprit, recorders: Mapping[int, Recorder], nodes: Mapping[int, str]) -> dict[str, Any]:
    own = recorders.get(culprit.rank)
    head = culprit.head
    own_node = own.last["node"] if own else None
    return {
        **{name: head[name] for name in _PLACE},
        "node": own_node or nodes.get(culprit.rank),
        "rank": culprit.rank,
        "kind": culprit.kind,
        **{name: head[name] for name in ("group", "description", "timeout_s")},
        **{name: own.head[name] if own and own.head else None for name in ("operation", "shape")},
        "common_seq": head["seq"],
        "common_operation": culprit.common[0],
        "common_shape": culprit.common[1],
        "reporting": culprit.waiting,
        "evidence": list(dict.fromkeys(_places(own, [recorders[rank] for rank in culprit.direct]))),
    }


def _places(own: Recorder | None, waiting: Sequence[Recorder]) -> Iterable[str]:
    if own is not None:
        row = own.head or own.last
        yield citation({**row, "line": None})
    for recorder in waiting[:_CITED]:
        if recorder.head is not None:
            yield citation({**recorder.head, "line": None})
