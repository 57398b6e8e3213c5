"""``oom_culprits``: per out-of-memory report, the program that held the most, which need not be the one killed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import polars as pl

from analyzer.facts.derived._shape import shaped
from analyzer.model.tables import Column, TableSpec

NEEDS: Final = ("oom_reports", "oom_tasks", "oom.killed", "oom.kill")

SPEC: Final = TableSpec(
    "oom_culprits",
    "one row per out-of-memory report with a victim, or kill without one: who (name and user) held the most",
    (
        Column("culprit", "str", "program that held the most; the victim where no task was listed", "process"),
        Column("culprit_pid", "int", "its largest task"),
        Column("culprit_uid", "int", "its user id"),
        Column("culprit_tasks", "int", "how many tasks of that name and user were listed"),
        Column("held_bytes", "int", "what they held together; pages that they share are counted for each"),
        Column("largest_bytes", "int", "what the largest of them held"),
        Column("held_gib", "float", "held_bytes in GiB"),
        Column("listed_bytes", "int", "what all listed tasks held"),
        Column("tasks", "int", "how many tasks were listed"),
        Column("victim", "str", "program that was killed", "process"),
        Column("victim_pid", "int", "its process id"),
        Column("same", "bool", "true where the victim is of the culprit's name and user"),
        Column("constraint", "str", "CONSTRAINT_NONE, _MEMCG, _CPUSET or _MEMORY_POLICY"),
        Column("limited_cgroup", "str", "control group whose limit was reached", "cgroup"),
        Column("total_bytes", "int", "memory of the node"),
        Column("shmem_bytes", "int", "shared memory of the node at that moment"),
    ),
    snapshot=False,
)

_REPORT: Final = ("source", "report_line")
_PROGRAM: Final = (*_REPORT, "process", "uid")


def derive(frames: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Add up the tasks of each program and take the largest.

    Args:
        frames: ``oom_reports``, ``oom_tasks``, ``oom.killed`` and ``oom.kill`` with the place columns.

    Returns:
        One row per report, placed at the line of the culprit's largest task, and one per kill of which the log holds
        no report, such as the line that a search kept.
    """
    tasks, reports = frames["oom_tasks"].filter(~pl.col("copy")), frames["oom_reports"].filter(~pl.col("copy"))
    held = pl.col("rss_bytes")
    largest = tasks.sort("rss_bytes", descending=True, nulls_last=True, maintain_order=True)
    programs = largest.group_by(_PROGRAM, maintain_order=True).agg(
        pl.first("line", "text", "pid"),
        pl.len().alias("culprit_tasks"),
        held.sum().alias("held_bytes"),
        held.max().alias("largest_bytes"),
        pl.col("killed").any().alias("same"),
    )
    top = programs.sort("held_bytes", descending=True, maintain_order=True).group_by(_REPORT, maintain_order=True)
    culprits = top.agg(pl.all().first(), pl.col("held_bytes").sum().alias("listed_bytes"))
    told = pl.concat([reports.select("source", pid="killed_pid"), frames["oom.kill"].select("source", "pid")])
    alone = _alone(frames["oom.killed"].filter(~pl.col("copy")), told.unique())
    return pl.concat([shaped(_named(reports, culprits), SPEC), shaped(alone, SPEC)])


def _alone(killed: pl.DataFrame, told: pl.DataFrame) -> pl.DataFrame:
    """Kills of which no other line tells more; the victim is all that is known."""
    task = ("source", "pid")
    held = pl.sum_horizontal("anon_kb", "file_kb", "shmem_kb") * 1024
    sized = killed.filter(pl.col("anon_kb").is_not_null()).group_by(task).agg(held.max().alias("held_bytes"))
    kills = killed.filter(pl.col("scope").is_not_null()).join(told, on=task, how="anti")
    kills = kills.unique(task, keep="first", maintain_order=True).join(sized, on=task, how="left")
    return kills.with_columns(
        pl.col("process").alias("culprit"), pl.col("pid").alias("culprit_pid"),
        pl.col("process").alias("victim"), pl.col("pid").alias("victim_pid"),
        pl.when(pl.col("scope") == "Out of memory").then(pl.lit("CONSTRAINT_NONE"))
        .otherwise(pl.lit("CONSTRAINT_MEMCG")).alias("constraint"), pl.lit(value=True).alias("same"),
        (pl.col("held_bytes") / 2**30).round(1).alias("held_gib"),
    )  # fmt: skip


def _named(reports: pl.DataFrame, culprits: pl.DataFrame) -> pl.DataFrame:
    known = reports.filter(pl.col("killed_process").is_not_null()).rename(
        {"killed_process": "victim", "killed_pid": "victim_pid"}
    )
    found = culprits.rename({"line": "task_line", "text": "task_text", "process": "culprit", "uid": "culprit_uid"})
    joined = known.join(found, on=_REPORT, how="left", nulls_equal=True, maintain_order="left")
    held = pl.coalesce("held_bytes", "killed_rss_bytes")
    return joined.with_columns(
        pl.coalesce("task_line", "line").alias("line"),
        pl.coalesce("task_text", "text").alias("text"),
        pl.coalesce("culprit", "victim").alias("culprit"),
        pl.coalesce("pid", "victim_pid").alias("culprit_pid"),
        pl.coalesce("culprit_uid", "killed_uid").alias("culprit_uid"),
        pl.coalesce(pl.col("same"), pl.lit(value=True)).alias("same"),
        held.alias("held_bytes"),
        (held / 2**30).round(1).alias("held_gib"),
    )
