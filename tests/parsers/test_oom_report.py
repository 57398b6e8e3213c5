"""Out-of-memory reports of the kernel."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers import oom_report

GLOBAL = """\
[872543.889000] node_exporter invoked oom-killer: gfp_mask=0x1100cca(GFP_HIGHUSER_MOVABLE), order=0, oom_score_adj=0
[872543.889100] CPU: 12 PID: 2201 Comm: node_exporter Not tainted 5.15.0-105-generic
[872543.889200] Call Trace:
[872543.889210]  dump_header+0x4f/0x1eb
[872543.889400] Mem-Info:
                active_anon:100 inactive_anon:200 isolated_anon:0
                mapped:300 shmem:382410045 pagetables:500
                free:820114 free_pcp:700 free_cma:0
[872543.889450] 402653184 pages RAM
[872543.889460] Tasks state (memory values in pages):
[872543.889470] [  pid  ]   uid  tgid total_vm      rss pgtables_bytes swapents oom_score_adj name
[872543.889480] [  66010]  5002 66010 381420021 380330021 3422970189        0          -998 plasma_store
[872543.889485] audit: type=1400 unrelated message
[872543.889490] [  41277]  5003 41277   14118000 12028000  108000000       64             0 python3
[872543.889500] oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0-1,global_oom,\
task_memcg=/system.slice/slurmstepd.scope/job_90417/step_0/user/task_5,task=python3,pid=41277,uid=5003
[872543.889510] Out of memory: Killed process 41277 (python3) total-vm:56472000kB, anon-rss:48101760kB, \
file-rss:10240kB, shmem-rss:0kB, UID:5003 pgtables:108000kB oom_score_adj:0"""

FIRST_LINE = 1479


def read(text: str) -> tuple[dict[str, Any], list[Any]]:
    """The report's values and its task rows."""
    rows = oom_report.read([line.encode() for line in text.split("\n")], FIRST_LINE)
    return dict(rows[0].values), list(rows[1:])


def test_the_report_says_who_asked_and_who_was_killed() -> None:
    report, _ = read(GLOBAL)
    assert report["invoked_by"] == "node_exporter"
    assert report["order"] == 0
    assert report["constraint"] == "CONSTRAINT_NONE"
    assert report["killed_process"] == "python3"
    assert report["killed_pid"] == 41277
    assert report["killed_uid"] == 5003
    assert report["killed_cgroup"] == "/system.slice/slurmstepd.scope/job_90417/step_0/user/task_5"
    assert report["killed_rss_bytes"] == (48101760 + 10240) * 1024
    assert report["tasks"] == 2


def test_memory_of_the_node_is_in_bytes() -> None:
    report, _ = read(GLOBAL)
    assert report["total_bytes"] == 402653184 * 4096
    assert report["free_bytes"] == 820114 * 4096
    assert report["shmem_bytes"] == 382410045 * 4096


def test_every_task_is_a_row_with_its_own_line() -> None:
    _, tasks = read(GLOBAL)
    assert [(row.line, row.values["process"]) for row in tasks] == [
        (FIRST_LINE + 11, "plasma_store"),
        (FIRST_LINE + 13, "python3"),
    ]
    assert tasks[0].values["rss_bytes"] == 380330021 * 4096
    assert tasks[0].values["oom_score_adj"] == -998
    assert tasks[1].values["swap_bytes"] == 64 * 4096
    assert [row.values["killed"] for row in tasks] == [False, True]


def test_a_limited_cgroup_is_named_with_its_use_and_limit() -> None:
    report, _ = read(
        "python3 invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0\n"
        "memory: usage 67108864kB, limit 67108864kB, failcnt 20917\n"
        "swap: usage 0kB, limit 0kB, failcnt 0\n"
        "oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=job_8801,mems_allowed=0-1,"
        "oom_memcg=/slurm/job_8801,task_memcg=/slurm/job_8801/step_0/task_0,task=my prog,pid=7,uid=5003\n"
        "Memory cgroup out of memory: Killed process 7 (my prog) total-vm:9kB, anon-rss:8kB, file-rss:0kB"
    )
    assert report["limited_cgroup"] == "/slurm/job_8801"
    assert report["cgroup_usage_bytes"] == report["cgroup_limit_bytes"] == 67108864 * 1024
    assert report["killed_process"] == "my prog"


def test_newer_tables_with_more_columns_are_read_by_their_header() -> None:
    _, tasks = read(
        "a invoked oom-killer: gfp_mask=0xcc0, order=0, oom_score_adj=0\n"
        "[  pid  ]  uid  tgid total_vm  rss rss_anon rss_file rss_shmem pgtables_bytes swapents oom_score_adj name\n"
        "[     42] 1000    42     9000  500      400       60        40           8192        3          -500 worker\n"
    )
    values = tasks[0].values
    assert (values["rss_bytes"], values["swap_bytes"], values["oom_score_adj"]) == (500 * 4096, 3 * 4096, -500)


def test_page_size_follows_from_the_victim() -> None:
    report, tasks = read(
        "a invoked oom-killer: gfp_mask=0xcc0, order=0, oom_score_adj=0\n"
        "[     42]  1000    42     9000      500    8192        0             0 worker\n"
        "Killed process 42 (worker) total-vm:576000kB, anon-rss:31900kB, file-rss:0kB, shmem-rss:0kB"
    )
    assert report["page_bytes"] == 65536
    assert tasks[0].values["rss_bytes"] == 500 * 65536


def test_the_record_ends_with_the_victim() -> None:
    lines = [line.encode() for line in GLOBAL.split("\n")]
    assert [oom_report.ends(line, count) for count, line in enumerate(lines)].index(True) == len(lines) - 1


@pytest.mark.parametrize("name", [table.name for table in oom_report.TABLES])
def test_rows_hold_declared_columns_only(name: str) -> None:
    spec = next(table for table in oom_report.TABLES if table.name == name)
    rows = oom_report.read([line.encode() for line in GLOBAL.split("\n")], 1)
    assert all(set(row.values) <= set(spec.names()) for row in rows if row.table == name)


@given(st.lists(st.one_of(st.binary(max_size=80), st.sampled_from(GLOBAL.encode().split(b"\n"))), max_size=12))
def test_any_lines_give_rows_inside_the_record(lines: list[bytes]) -> None:
    rows = oom_report.read(lines, 100)
    assert all(100 <= row.line <= 100 + max(len(lines) - 1, 0) for row in rows)
