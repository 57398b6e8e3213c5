"""The program that held the most memory is named, whoever was killed."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from analyzer.pipeline import Options, run

HEAD = """\
[ 100.000100] node_exporter invoked oom-killer: gfp_mask=0x1100cca(GFP_HIGHUSER_MOVABLE), order=0, oom_score_adj=0
[ 100.000200] Tasks state (memory values in pages):
[ 100.000300] [  pid  ]   uid  tgid total_vm      rss pgtables_bytes swapents oom_score_adj name
"""
TAIL = (
    "[ 100.000700] oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0-1,global_oom,"
    "task_memcg=/a,task=python3,pid=41,uid=5003\n"
    "[ 100.000800] Out of memory: Killed process 41 (python3) total-vm:800000kB, anon-rss:400000kB, file-rss:0kB, "
    "shmem-rss:0kB, UID:5003 pgtables:1kB oom_score_adj:0\n"
)


def culprits(tmp_path: Path, tasks: str) -> pl.DataFrame:
    folder = tmp_path / "nodes" / "cn-07"
    folder.mkdir(parents=True)
    (folder / "dmesg.txt").write_text(HEAD + tasks + TAIL)
    return run([str(tmp_path)], Options(anomaly=False)).store.frame("oom_culprits")


def test_a_protected_program_is_the_culprit(tmp_path: Path) -> None:
    rows = culprits(
        tmp_path,
        "[ 100.000400] [     41]  5003    41   200000   100000   100000        0             0 python3\n"
        "[ 100.000500] [     66]  5002    66   900000   900000   100000        0          -998 object_store\n",
    )

    row = rows.row(0, named=True)
    assert (row["culprit"], row["culprit_pid"], row["victim"], row["same"]) == ("object_store", 66, "python3", False)
    assert row["line"] == 5
    assert row["held_bytes"] == 900_000 * 4096


def test_many_small_tasks_of_one_program_count_together(tmp_path: Path) -> None:
    workers = "".join(
        f"[ 100.0005{n:02}] [     {n}]  5002    {n}   300000   {200_000 + n}   100000        0             0 loader\n"
        for n in range(70, 80)
    )
    rows = culprits(
        tmp_path,
        "[ 100.000400] [     41]  5003    41   800000   100000   100000        0             0 python3\n" + workers,
    )

    row = rows.row(0, named=True)
    assert (row["culprit"], row["culprit_tasks"], row["culprit_pid"]) == ("loader", 10, 79)


def test_without_a_task_list_the_victim_is_named(tmp_path: Path) -> None:
    row = culprits(tmp_path, "").row(0, named=True)

    assert (row["culprit"], row["culprit_pid"], row["same"], row["tasks"]) == ("python3", 41, True, 0)


def alone(tmp_path: Path, text: str) -> list[tuple[object, ...]]:
    folder = tmp_path / "nodes" / "cn-07"
    folder.mkdir(parents=True)
    (folder / "dmesg.txt").write_text(text)
    rows = run([str(tmp_path)], Options(anomaly=False)).store.frame("oom_culprits")
    return rows.select("culprit", "culprit_pid", "held_gib", "constraint", "line").rows()


def test_a_kill_without_a_report_names_its_victim(tmp_path: Path) -> None:
    kill = "Out of memory: Killed process 41 (python3) total-vm:9kB, anon-rss:2097152kB, file-rss:0kB, shmem-rss:0kB\n"
    assert alone(tmp_path, f"[  100.000800] {kill}") == [("python3", 41, 2.0, "CONSTRAINT_NONE", 1)]


def test_an_older_kernel_writes_a_kill_in_two_lines(tmp_path: Path) -> None:
    text = (
        "[  100.000800] Memory cgroup out of memory: Kill process 41 (python3) score 905 or sacrifice child\n"
        "[  100.000900] Killed process 41 (python3) total-vm:9kB, anon-rss:1048576kB, file-rss:0kB\n"
    )
    assert alone(tmp_path, text) == [("python3", 41, 1.0, "CONSTRAINT_MEMCG", 1)]


def test_a_kill_whose_constraint_is_told_is_left_to_that_line(tmp_path: Path) -> None:
    assert alone(tmp_path, TAIL.replace("CONSTRAINT_NONE", "CONSTRAINT_CPUSET")) == []
