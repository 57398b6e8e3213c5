"""Tables that several Slurm parsers fill."""

from __future__ import annotations

from typing import Final

from analyzer.model.tables import Column, TableSpec

SLURM_NODES: Final = TableSpec(
    "slurm_nodes",
    "one row per node of one block of `scontrol show node` or `sinfo`; a node in two partitions has two rows",
    (
        Column("host", "str", "the node as printed", "node"),
        Column("state", "str", "base state: IDLE, ALLOCATED, MIXED, DOWN, ERROR, FUTURE, UNKNOWN"),
        Column("flags", "strs", "DRAIN, NOT_RESPONDING, INVALID_REG, REBOOT_ISSUED, POWERED_DOWN, COMPLETING ..."),
        Column("state_text", "str", "the state as printed"),
        Column("reason", "str", "why the node is down or drained"),
        Column("reason_cut", "bool", "true where the command may have cut the reason (sinfo: 20 characters)"),
        Column("reason_user", "str", "who set the reason; slurm is the controller"),
        Column("reason_time", "str", "when the reason was set, as printed (cluster's local time)"),
        Column("partition", "str", "partition of this row, or all partitions joined by commas"),
        Column("cpus", "int", "configured CPUs"),
        Column("memory_mb", "int", "configured memory (RealMemory) in MiB"),
        Column("free_memory_mb", "int", "free memory in MiB"),
        Column("gres", "str", "configured generic resources, as printed"),
        Column("gpus", "int", "configured GPUs"),
        Column("boot_time", "str", "boot time as printed (cluster's local time)"),
        Column("slurmd_start", "str", "start of slurmd as printed (cluster's local time)"),
        Column("version", "str", "version of slurmd"),
        Column("address", "str", "NodeAddr"),
        Column("command", "str", "scontrol or sinfo"),
        Column("taken", "str", "time printed above the block, if any"),
        Column("block", "int", "which listing of the file, from 0"),
        Column("latest", "bool", "true where no later listing of the file gives this node's state"),
    ),
)

SLURM_JOBS: Final = TableSpec(
    "slurm_jobs",
    "one row per job or step of `sacct` or `scontrol show job`",
    (
        Column("job", "str", "job number, with array task or component", "job"),
        Column("step", "str", "step, e.g. 17.batch; null on the row of the job itself", "step"),
        Column("name", "str", "job or step name"),
        Column("user", "str", "owner", "user"),
        Column("account", "str", "account"),
        Column("partition", "str", "partition"),
        Column("state", "str", "COMPLETED, FAILED, TIMEOUT, OUT_OF_MEMORY, NODE_FAIL, CANCELLED, RUNNING ..."),
        Column("cancelled_by", "int", "uid that cancelled the job"),
        Column("exit_code", "int", "exit code"),
        Column("exit_signal", "int", "signal; 125 with exit code 0 is a memory-limit kill"),
        Column("derived_exit_code", "int", "highest exit code of the steps"),
        Column("derived_exit_signal", "int", "signal that belongs to derived_exit_code"),
        Column("nodes", "strs", "nodes of the job or step", "node"),
        Column("node_list", "str", "node list as printed"),
        Column("reason", "str", "why the job waits or ended"),
        Column("submit", "str", "submission as printed (cluster's local time)"),
        Column("start", "str", "start as printed (cluster's local time)"),
        Column("end", "str", "end as printed (cluster's local time)"),
        Column("elapsed_s", "int", "run time in seconds"),
        Column("time_limit_s", "int", "time limit in seconds; null if unlimited or not shown"),
        Column("req_mem_bytes", "int", "requested memory in bytes"),
        Column("req_mem_per", "str", "cpu or node where the request is per CPU or per node"),
        Column("max_rss_bytes", "int", "largest resident set of a task in bytes"),
        Column("tres", "str", "allocated resources as printed"),
        Column("failed_node", "str", "node whose failure ended the job", "node"),
        Column("comment", "str", "comment"),
        Column("command", "str", "sacct or scontrol"),
    ),
)

SLURM_QUEUE: Final = TableSpec(
    "slurm_queue",
    "one row per job of one block of `squeue`",
    (
        Column("job", "str", "job number, with array tasks", "job"),
        Column("partition", "str", "partition"),
        Column("name", "str", "job name, maybe cut to 8 characters"),
        Column("user", "str", "owner, maybe cut to 8 characters", "user"),
        Column("state", "str", "PENDING, RUNNING, CONFIGURING, COMPLETING ..."),
        Column("elapsed_s", "int", "run time in seconds"),
        Column("time_limit_s", "int", "time limit in seconds"),
        Column("node_count", "int", "nodes asked for or held"),
        Column("nodes", "strs", "nodes held", "node"),
        Column("reason", "str", "why the job waits"),
        Column("unavailable", "strs", "nodes named by the reason as unavailable", "node"),
        Column("taken", "str", "time printed above the block, if any"),
        Column("block", "int", "which listing of the file, from 0"),
        Column("latest", "bool", "true on the last listing of the file"),
    ),
)
