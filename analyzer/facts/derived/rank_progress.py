"""``rank_progress``: how far each rank of a stalled job came, beside what most ranks waited for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Final

import polars as pl

from analyzer.facts.citations import citation
from analyzer.facts.derived._shape import shaped
from analyzer.model.tables import Column, TableSpec

_WITNESSES: Final = ("training.step", "torch.dump_signal", "torch.distributed_error", "cuda.error", "python.exception")
NEEDS: Final = ("torch.watchdog_timeout", "torch.watchdog_work", "nccl_processes", *_WITNESSES)

SPEC: Final = TableSpec(
    "rank_progress",
    "one row per rank of a job in which ranks reported a collective time-out",
    (
        Column("rank", "int", "rank", "rank"),
        Column("timed_out", "bool", "the rank itself reported the time-out"),
        Column("seq", "int", "number of the collective it waited for"),
        Column("operation", "str", "kind of that collective"),
        Column("enqueued", "int", "last collective it called"),
        Column("completed", "int", "last collective that finished on it"),
        Column("behind", "int", "collectives it had not called that most others had"),
        Column("reporting", "int", "ranks that reported a time-out"),
        Column("silent", "int", "ranks that did not"),
        Column("common_seq", "int", "number of the collective that most ranks waited for"),
        Column("common_operation", "str", "kind of that collective"),
        Column("common", "int", "ranks that waited for it"),
        Column("timeout_s", "float", "time-out in force"),
        Column("last_step", "int", "last training step the rank printed"),
        Column("evidence", "strs", "its own last line and time-outs of others, as source:line:event"),
    ),
    snapshot=False,
)

_PLACE: Final = ("source", "segment", "line", "time", "uncertainty_s", "clock", "clock_s")
_CITED: Final = 3
_MOST_RANKS: Final = 100_000
_GATHERS: Final = frozenset({"ALLGATHER", "_ALLGATHER_BASE", "ALLGATHER_COALESCED"})


def derive(frames: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Put every rank beside the majority. Time-outs of sub-groups, whose ranks are counted anew, are left out.

    Args:
        frames: The events and the table of ``NEEDS``.

    Returns:
        One row per rank from 0 to the largest known.
    """
    timeouts = _first_per_rank(_of_world(frames["torch.watchdog_timeout"]))
    if not timeouts:
        return shaped(pl.DataFrame(), SPEC)
    work = _work(frames)
    nodes = _nodes(frames)
    steps = _last_steps(frames["training.step"])
    known = {*timeouts, *work, *nodes, *steps, *_named(frames)}
    world = min(max(max(known) + 1, _stated_world(timeouts.values(), frames["nccl_processes"])), _MOST_RANKS)
    common, count = Counter((row["seq"], row["operation"]) for row in timeouts.values()).most_common(1)[0]
    facts = {
        "reporting": len(timeouts), "silent": world - len(timeouts), "common_seq": common[0],
        "common_operation": common[1], "common": count,
        "timeout_s": next(iter(timeouts.values()))["timeout_ms"] / 1000,
    }  # fmt: skip
    called = Counter(row["enqueued"] for row in work.values()).most_common(1)
    most_called = called[0][0] if called else None
    rows = [
        facts | _rank(rank, timeouts, work.get(rank), steps.get(rank), nodes.get(rank), most_called)
        for rank in range(world)
    ]
    return shaped(pl.DataFrame(rows, infer_schema_length=None), SPEC)


def _of_world(timeouts: pl.DataFrame) -> pl.DataFrame:
    return timeouts.filter(pl.col("rank").is_null() | (pl.col("rank") == pl.col("group_rank"))).with_columns(
        pl.coalesce("rank", "group_rank").alias("rank")
    )


def _first_per_rank(events: pl.DataFrame) -> dict[int, dict[str, Any]]:
    first = events.filter(pl.col("rank").is_not_null()).unique("rank", keep="first", maintain_order=True)
    return {int(row["rank"]): row for row in first.to_dicts()}


def _work(frames: Mapping[str, pl.DataFrame]) -> dict[int, dict[str, Any]]:
    """Each rank's last statement of what it called."""
    columns = ["rank", "enqueued", "completed", *_PLACE]
    stated = [frames[name].select(columns) for name in ("torch.watchdog_work", "torch.dump_signal")]
    known = pl.concat(stated).drop_nulls(["rank", "enqueued"]).sort("enqueued", maintain_order=True)
    return {int(row["rank"]): row for row in known.to_dicts()}


def _nodes(frames: Mapping[str, pl.DataFrame]) -> dict[int, str]:
    placed = frames["nccl_processes"].select("rank", "node")
    by_line = _of_world(frames["torch.watchdog_timeout"]).select("rank", "node")
    return dict(pl.concat([by_line, placed]).drop_nulls().iter_rows())


def _last_steps(steps: pl.DataFrame) -> dict[int, dict[str, Any]]:
    last = steps.filter(pl.col("rank").is_not_null()).unique("rank", keep="last", maintain_order=True)
    return {int(row["rank"]): row for row in last.to_dicts()}


def _named(frames: Mapping[str, pl.DataFrame]) -> set[int]:
    return {int(rank) for name in _WITNESSES for rank in frames[name]["rank"].drop_nulls().unique()}


def _stated_world(timeouts: Iterable[Mapping[str, Any]], processes: pl.DataFrame) -> int:
    """Ranks of the largest communicator, or the ratio of output to input of an all-gather."""
    sizes = [int(n) for n in processes["nranks"].drop_nulls()]
    for row in timeouts:
        given, taken = row["numel_in"], row["numel_out"]
        if row["operation"] in _GATHERS and given and taken and taken % given == 0:
            sizes.append(taken // given)
    return max(sizes, default=0)


def _rank(
    rank: int, timeouts: Mapping[int, Mapping[str, Any]], work: Mapping[str, Any] | None,
    step: Mapping[str, Any] | None, node: str | None, most_called: int | None,
) -> dict[str, Any]:  # fmt: skip
    own = timeouts.get(rank)
    others = [row for other, row in timeouts.items() if other != rank][:_CITED]
    cited = [row for row in (own or work or step, *others) if row is not None]
    enqueued = work["enqueued"] if work else None
    return {
        **{name: cited[0][name] for name in _PLACE},
        "node": node,
        "rank": rank,
        "timed_out": own is not None,
        "seq": own["seq"] if own else None,
        "operation": own["operation"] if own else None,
        "enqueued": enqueued,
        "completed": work["completed"] if work else None,
        "behind": most_called - enqueued if most_called is not None and enqueued is not None else None,
        "last_step": step["step_number"] if step else None,
        "evidence": [citation(row) for row in cited],
    }
