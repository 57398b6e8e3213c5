"""Statistics and configuration of the Slurm controller: ``sdiag``, slurm.conf and its like."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from analyzer.model.formats import Problem
from parsers import sdiag, slurm_conf

STATISTICS = b"""*******************************************************
sdiag output at Tue Oct 20 13:05:25 2026 (1792501525)
Data since      Tue Oct 20 13:05:12 2026 (1792501512)
*******************************************************
Server thread count:  57
RPC queue enabled:    0
Agent queue size:     1
DBD Agent queue size: 21

Jobs submitted: 3
Jobs pending:   3000

Main schedule statistics (microseconds):
	Last cycle:   1656
	Max cycle:    1700
	Last queue length: 9

Backfilling stats
	Last cycle when: N/A
	Last cycle: 5
	Last depth cycle: 100

Latency for 1000 calls to gettimeofday(): 25 microseconds

Remote Procedure Call statistics by message type
	REQUEST_JOB_INFO                        ( 2003) count:535    ave_time:543277 total_time:290653554
	REQUEST_PING                            ( 1008) count:1      ave_time:191    total_time:191 queued:2 dropped:7

Remote Procedure Call statistics by user
	jtan            (    5002) count:1067   ave_time:286163 total_time:305336607

Pending RPC statistics
	REQUEST_TERMINATE_JOB                   ( 6011) count:1      gpu-a01
"""

CONFIGURATION = b"""# cluster
ClusterName=hpc1   # name
SlurmctldHost=head01(10.31.0.1)
SlurmctldParameters=enable_configless,\\
idle_on_node_suspend
NodeName=gpu-a[01-02] CPUs=2 RealMemory=8000 Gres=gpu:h100:8 State=UNKNOWN
PartitionName=batch Nodes=gpu-a[01-02] Default=YES
Include extra.conf
bad line
"""


def test_sdiag_figures() -> None:
    dump = sdiag.parse(STATISTICS, "sdiag.txt")
    head = dump.rows[0]

    assert (head.table, head.line, head.stamp_s, dump.taken_s) == ("sdiag", 2, 1_792_501_525.0, 1_792_501_525.0)
    assert head.values == {
        "snapshot": 0,
        "at_s": 1_792_501_525.0,
        "since_s": 1_792_501_512.0,
        "server_threads": 57,
        "agent_queue": 1,
        "dbd_agent_queue": 21,
        "jobs_submitted": 3,
        "jobs_pending": 3000,
        "main_last_us": 1656,
        "main_max_us": 1700,
        "main_queue": 9,
        "backfill_last_us": 5,
        "backfill_depth": 100,
        "gettimeofday_us": 25,
    }


def test_sdiag_calls_by_type_and_user() -> None:
    calls = sdiag.parse(STATISTICS + STATISTICS, "sdiag.txt").rows

    read = [
        (row.line, row.values["snapshot"], row.values["kind"], row.values["name"], row.values["number"])
        for row in calls
        if row.table == "sdiag_rpc"
    ]
    assert read == [
        (26, 0, "type", "REQUEST_JOB_INFO", 2003),
        (27, 0, "type", "REQUEST_PING", 1008),
        (30, 0, "user", "jtan", 5002),
        (59, 1, "type", "REQUEST_JOB_INFO", 2003),
        (60, 1, "type", "REQUEST_PING", 1008),
        (63, 1, "user", "jtan", 5002),
    ]
    ping = calls[2].values
    assert [ping[name] for name in ("count", "ave_us", "total_us", "queued", "dropped")] == [1, 191, 191, 2, 7]


def test_sdiag_cut_after_its_head() -> None:
    dump = sdiag.parse(STATISTICS[:150], "sdiag.txt")

    assert dump.problems == (Problem("output without a thread count", 2, 1),)


def test_slurm_conf() -> None:
    dump = slurm_conf.parse(CONFIGURATION, "slurm.conf")

    pairs = [(row.line, row.values["key"], row.values["value"]) for row in dump.rows if row.table == "slurm_conf"]
    assert pairs[:3] == [
        (2, "ClusterName", "hpc1"),
        (3, "SlurmctldHost", "head01(10.31.0.1)"),
        (4, "SlurmctldParameters", "enable_configless,idle_on_node_suspend"),
    ]
    assert (6, "RealMemory", "8000") in pairs
    gres = [row for row in dump.rows if row.table == "slurm_gres"]
    assert [(row.line, row.values["nodes"], row.values["count"]) for row in gres] == [(6, ["gpu-a01", "gpu-a02"], 8)]
    assert dump.problems == (Problem("line is no key=value", 9, 1),)


def test_gres_conf_counts_its_files() -> None:
    data = b"NodeName=gpu-t[01-02] Name=gpu Type=h100 File=/dev/nvidia[0-7] Cores=0-31\nAutoDetect=nvml\n"

    gres = [row.values for row in slurm_conf.parse(data, "gres.conf").rows if row.table == "slurm_gres"]

    assert gres[0]["nodes"] == ["gpu-t01", "gpu-t02"]
    assert [gres[0][name] for name in ("name", "type", "count", "file")] == ["gpu", "h100", 8, "/dev/nvidia[0-7]"]
    assert (gres[1]["autodetect"], gres[1]["count"], gres[1]["nodes"]) == ("nvml", None, [])


def test_passwords_are_not_kept() -> None:
    dump = slurm_conf.parse(b"DbdHost=db01\nStorageUser=slurm\nStoragePass=hunter2\n", "slurmdbd.conf")

    assert [row.values["value"] for row in dump.rows] == ["db01", "slurm", "(hidden)"]
    assert "hunter2" not in repr(dump)


def test_kinds_of_configuration() -> None:
    kinds = {
        b"Configuration data as of 2026-01-02\nSlurmUser               = slurm(64030)\n": "show config",
        b"NodeName=gpu-n03 CPUs=2 RealMemory=24105\nUpTime=0-00:33:29\n": "slurmd -C",
        b"CgroupPlugin=cgroup/v1\nConstrainDevices=yes\n": "cgroup.conf",
    }
    for data, kind in kinds.items():
        assert {row.values["file_kind"] for row in slurm_conf.parse(data, "x").rows} == {kind}


@given(st.binary(max_size=400), st.sampled_from([b"", STATISTICS, CONFIGURATION]))
def test_any_bytes_are_read(noise: bytes, before: bytes) -> None:
    data = before + noise
    for parser in (sdiag, slurm_conf):
        parser.sniff(data, "x")
        assert all(1 <= row.line <= data.count(b"\n") + 1 for row in parser.parse(data, "x").rows)
