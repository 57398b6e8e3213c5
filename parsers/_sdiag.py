"""Tables of ``sdiag``."""

from __future__ import annotations

from typing import Final

from analyzer.model.tables import Column, TableSpec

SDIAG: Final = TableSpec(
    "sdiag",
    "one row per output of `sdiag`",
    (
        Column("snapshot", "int", "which output of the file, from 0"),
        Column("at_s", "float", "epoch seconds of the output"),
        Column("since_s", "float", "epoch seconds since which the counters count"),
        Column("server_threads", "int", "threads of slurmctld that serve RPCs now (limit 256 up to 24.05)"),
        Column("agent_queue", "int", "messages to nodes that wait"),
        Column("agent_count", "int", "agents at work"),
        Column("agent_threads", "int", "threads of all agents"),
        Column("dbd_agent_queue", "int", "records that wait for slurmdbd"),
        Column("jobs_submitted", "int", "jobs submitted since since_s"),
        Column("jobs_started", "int", "jobs started since since_s"),
        Column("jobs_completed", "int", "jobs completed since since_s"),
        Column("jobs_canceled", "int", "jobs cancelled since since_s"),
        Column("jobs_failed", "int", "jobs failed since since_s"),
        Column("jobs_pending", "int", "pending jobs at the time of the job state line, not now"),
        Column("jobs_running", "int", "running jobs at the time of the job state line, not now"),
        Column("main_last_us", "int", "last cycle of the main scheduler, microseconds"),
        Column("main_max_us", "int", "longest cycle of the main scheduler, microseconds"),
        Column("main_mean_us", "int", "mean cycle of the main scheduler, microseconds"),
        Column("main_cycles", "int", "cycles of the main scheduler"),
        Column("main_queue", "int", "jobs in the queue of the last main cycle"),
        Column("backfill_last_us", "int", "last backfill cycle, microseconds"),
        Column("backfill_max_us", "int", "longest backfill cycle, microseconds"),
        Column("backfill_mean_us", "int", "mean backfill cycle, microseconds"),
        Column("backfill_cycles", "int", "backfill cycles"),
        Column("backfill_depth", "int", "jobs looked at in the last backfill cycle"),
        Column("backfill_queue", "int", "jobs in the queue of the last backfill cycle"),
        Column("gettimeofday_us", "int", "cost of 1,000 calls of gettimeofday, microseconds; no RPC latency"),
    ),
)

SDIAG_RPC: Final = TableSpec(
    "sdiag_rpc",
    "one row per message type or user of one output of `sdiag`",
    (
        Column("snapshot", "int", "which output of the file, from 0"),
        Column("at_s", "float", "epoch seconds of the output"),
        Column("since_s", "float", "epoch seconds since which the counters count"),
        Column("kind", "str", "type or user"),
        Column("name", "str", "message type or user name"),
        Column("user", "str", "user name on rows of kind user", "user"),
        Column("number", "int", "number of the message type, or uid"),
        Column("count", "int", "RPCs since since_s"),
        Column("ave_us", "int", "mean time of one RPC, microseconds"),
        Column("total_us", "int", "time of all of them, microseconds"),
        Column("queued", "int", "RPCs that wait (24.05 and later, RPC queue enabled)"),
        Column("dropped", "int", "RPCs that were dropped (24.05 and later, RPC queue enabled)"),
    ),
)
