"""Jobs as ``sacct``, ``squeue`` and ``scontrol show job`` list them."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from analyzer.model.formats import Dump, Problem
from parsers import sacct, scontrol, squeue

PARSABLE = b"""JobID|JobName|User|Comment|State|ExitCode|Elapsed|Timelimit|ReqMem|MaxRSS|NodeList
1|train|mlee||FAILED|1:0|2-00:22:41|3-00:00:00|300M||gpu-g[01-02]
1.0|python3|||OUT_OF_MEMORY|0:125|00:00:04|||108K|gpu-g01
7_3|eval|jtan|two
lines|CANCELLED by 5002|0:0|00:01:00|UNLIMITED|4Gn||
"""
FIXED = b"""[root@head01 ~]# sacct
JobID           JobName      State ExitCode        NodeList
------------ ---------- ---------- -------- ---------------
5                 train  NODE_FAIL      0:0    gpu-c[02-03]
6                  eval CANCELLED+      0:0         gpu-c04
"""
QUEUE = b"""Mon May 18 03:23:02 2026
             JOBID PARTITION     NAME     USER    STATE       TIME TIME_LIMI  NODES NODELIST(REASON)
           2     batch    train     mlee  PENDING       0:00     10:00      1 (ReqNodeNotAvail, UnavailableNodes:n[3-4])
                 3     batch    train     mlee COMPLETI       1:09     10:00      2 gpu-j[02-03]
Mon May 18 03:24:02 2026
             JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)
              4_17     batch    train     mlee PD       0:00      2 (launch failed requeued held)
"""
SHOWN_JOB = b"""JobId=31 ArrayJobId=30 ArrayTaskId=4 JobName=pretrain
   UserId=mlee(5001) GroupId=users(100) MCS_label=N/A
   JobState=FAILED Reason=NonZeroExitCode Dependency=(null)
   Requeue=1 Restarts=0 BatchFlag=1 Reboot=0 ExitCode=6:0
   DerivedExitCode=0:9
   RunTime=00:52:07 TimeLimit=12:00:00 TimeMin=N/A
   StartTime=2026-03-09T05:29:27 EndTime=2026-03-09T06:21:34 Deadline=N/A
   NodeList=cn[001-003] FailedNode=cn002
   MinCPUsNode=1 MinMemoryCPU=7G MinTmpDiskNode=0
   Command=/home/mlee/run.sh --State=x
"""


def values(dump: Dump, *names: str) -> list[tuple[Any, ...]]:
    return [(row.line, *(row.values.get(name) for name in names)) for row in dump.rows]


def test_sacct_with_delimiters() -> None:
    dump = sacct.parse(PARSABLE, "sacct.txt")

    assert values(dump, "job", "step", "state", "exit_code", "exit_signal", "nodes") == [
        (2, "1", None, "FAILED", 1, 0, ["gpu-g01", "gpu-g02"]),
        (3, "1", "1.0", "OUT_OF_MEMORY", 0, 125, ["gpu-g01"]),
        (4, "7_3", None, "CANCELLED", 0, 0, []),
    ]
    assert values(dump, "elapsed_s", "time_limit_s", "req_mem_bytes", "req_mem_per", "max_rss_bytes") == [
        (2, 174_161, 259_200, 314_572_800, None, None),
        (3, 4, None, None, None, 110_592),
        (4, 60, None, 4_294_967_296, "node", None),
    ]
    assert values(dump, "cancelled_by", "comment")[2] == (4, 5002, "two\nlines")
    assert dump.problems == ()


def test_sacct_with_a_delimiter_of_the_sites_choice() -> None:
    dump = sacct.parse(PARSABLE.replace(b"|", b"|#"), "sacct.txt")

    assert [row.values["job"] for row in dump.rows] == ["1", "1", "7_3"]


def test_sacct_in_fixed_columns() -> None:
    dump = sacct.parse(FIXED, "sacct.txt")

    assert values(dump, "job", "name", "state", "nodes") == [
        (4, "5", "train", "NODE_FAIL", ["gpu-c02", "gpu-c03"]),
        (5, "6", "eval", "CANCELLED", ["gpu-c04"]),
    ]


def test_a_broken_record_does_not_swallow_the_next() -> None:
    dump = sacct.parse(b"JobID|State|End\n1|FAI\n2|FAILED|2026\n", "x")

    assert [row.line for row in dump.rows] == [3]
    assert dump.problems == (Problem("record has too few or too many fields", 2, 1),)


def test_squeue_tells_nodes_from_reasons() -> None:
    dump = squeue.parse(QUEUE, "squeue.txt")

    assert values(dump, "job", "state", "elapsed_s", "nodes", "reason", "unavailable", "latest") == [
        (3, "2", "PENDING", 0, [], "ReqNodeNotAvail, UnavailableNodes:n[3-4]", ["n3", "n4"], False),
        (4, "3", "COMPLETING", 69, ["gpu-j02", "gpu-j03"], None, [], False),
        (7, "4_17", "PENDING", 0, [], "launch failed requeued held", [], True),
    ]


def test_an_empty_queue_leaves_no_job_of_an_earlier_one_waiting() -> None:
    header = b"JOBID PARTITION NAME USER ST TIME NODES NODELIST(REASON)\n"
    dump = squeue.parse(header + b"2 gpu train mlee PD 0:00 1 (Resources)\n" + header, "squeue.txt")

    assert values(dump, "job", "latest") == [(2, "2", False)]


def test_scontrol_shows_a_job() -> None:
    dump = scontrol.parse(SHOWN_JOB, "scontrol.txt")

    assert values(dump, "job", "user", "state", "reason", "exit_code", "derived_exit_signal", "failed_node") == [
        (3, "30_4", "mlee", "FAILED", "NonZeroExitCode", 6, 9, "cn002")
    ]
    assert values(dump, "nodes", "elapsed_s", "time_limit_s", "req_mem_bytes", "req_mem_per") == [
        (3, ["cn001", "cn002", "cn003"], 3_127, 43_200, 7 * 1024**3, "cpu")
    ]


@given(st.binary(max_size=400), st.sampled_from([b"", PARSABLE, FIXED, QUEUE, SHOWN_JOB]))
def test_any_bytes_are_read(noise: bytes, before: bytes) -> None:
    data = before + noise
    for parser in (sacct, squeue, scontrol):
        parser.sniff(data, "x")
        assert all(1 <= row.line <= data.count(b"\n") + 1 for row in parser.parse(data, "x").rows)
