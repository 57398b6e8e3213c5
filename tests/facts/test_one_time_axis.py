"""Clocks that are wrong, that are set, or whose zone differs, on one time axis: whole runs over small bundles."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import polars as pl

from analyzer.facts.store import Store
from analyzer.options import Options
from analyzer.pipeline import run

START = dt.datetime(2026, 3, 2, 10, 0, 0, tzinfo=dt.UTC)
XID = "kernel: NVRM: Xid (PCI:0000:3b:00): 79, pid=1234, name=python3, GPU has fallen off the bus."


def stamp(seconds: float) -> str:
    return (START + dt.timedelta(seconds=seconds)).replace(tzinfo=None).isoformat(timespec="milliseconds")


def slurm_bundle(folder: Path, ahead_s: float, jobs: int = 4) -> Path:
    """A controller and three nodes that run jobs; the clock of gpu-k03 is ahead."""
    controller: list[str] = []
    for node, off_s in (("gpu-k01", 0.0), ("gpu-k02", 0.3), ("gpu-k03", ahead_s)):
        lines = [f"[{stamp(off_s - 600)}] slurmd started on Mon, 02 Mar 2026 09:50:00 +0000"]
        for number in range(jobs):
            job, at = f"{node[-1]}{number}", 1000.0 * number + 10 * int(node[-1])
            controller += [
                f"[{stamp(at)}] sched: Allocate JobId={job} NodeList={node} #CPUs=2 Partition=batch",
                f"[{stamp(at + 500)}] _job_complete: JobId={job} WEXITSTATUS 0",
            ]
            lines += [
                f"[{stamp(at + 0.1 + off_s)}] Launching batch job {job} for UID 5001",
                f"[{stamp(at + 500.05 + off_s)}] [{job}.batch] done with job",
            ]
        target = folder / "nodes" / node
        target.mkdir(parents=True)
        (target / "slurmd.log").write_text("\n".join(lines) + "\n", encoding="utf-8")
        wall = (START + dt.timedelta(seconds=2000 + off_s)).strftime("%b %e %H:%M:%S")
        (target / "messages").write_text(f"{wall} {node} {XID}\n", encoding="utf-8")
    (folder / "slurm").mkdir()
    text = "\n".join(sorted(controller, key=lambda line: line[:25])) + "\n"
    (folder / "slurm" / "slurmctld.log").write_text(text, encoding="utf-8")
    return folder


def store_of(folder: Path) -> Store:
    store = run([str(folder)], Options(anomaly=False)).store
    assert isinstance(store, Store)
    return store


def xid_times(folder: Path) -> dict[str, float]:
    """Seconds after the start, by node."""
    frame = store_of(folder).frame("nvrm.xid").filter(~pl.col("copy"))
    return {node: (time - START).total_seconds() for node, time in frame.select("node", "time").iter_rows()}


def test_a_clock_that_is_ahead_is_moved_back(tmp_path: Path) -> None:
    times = xid_times(slurm_bundle(tmp_path, 2220.0))
    assert abs(times["gpu-k03"] - 2000.0) < 10.0
    assert times["gpu-k01"] == 2000.0


def test_coverage_says_how_far_and_why(tmp_path: Path) -> None:
    analysis = run([str(slurm_bundle(tmp_path, -300.0))], Options(anomaly=False)).analysis
    clock = next(i.clock for i in analysis.coverage.inputs if i.file.endswith("gpu-k03/messages"))
    assert -310.0 < float(clock["skew_s"] or 0) < -290.0
    assert "behind the other machines, corrected: " in str(clock["skew_why"])


def test_the_uncertainty_of_evidence_covers_the_correction(tmp_path: Path) -> None:
    analysis = run([str(slurm_bundle(tmp_path, 2220.0))], Options(anomaly=False)).analysis
    cited = {e.node: e for d in analysis.diagnoses for e in d.evidence if "Xid" in e.text}
    assert (cited["gpu-k03"].uncertainty_s or 0) > 2.0 > (cited["gpu-k01"].uncertainty_s or 0)


def test_clocks_in_step_are_left_alone(tmp_path: Path) -> None:
    assert set(xid_times(slurm_bundle(tmp_path, 0.8)).values()) == {2000.0}


def test_two_shared_events_prove_nothing(tmp_path: Path) -> None:
    assert xid_times(slurm_bundle(tmp_path, 2220.0, jobs=1))["gpu-k03"] == 4220.0


STEPPED = """\
2026-03-02T10:00:00+00:00 gpu-k01 {xid}
2026-03-02T10:00:05+00:00 gpu-k01 chronyd[811]: System clock wrong by {step:.6f} seconds
{after}+00:00 gpu-k01 chronyd[811]: System clock was stepped by {step:.6f} seconds
{after}+00:00 gpu-k01 systemd[1]: Started session 1 of user root.
"""


def stepped(folder: Path, step_s: float) -> Path:
    after = START + dt.timedelta(seconds=5 + step_s)
    node = folder / "nodes" / "gpu-k01"
    node.mkdir(parents=True)
    text = STEPPED.format(xid=XID, step=step_s, after=after.replace(tzinfo=None).isoformat())
    (node / "syslog").write_text(text, encoding="utf-8")
    return folder


def test_stamps_before_a_step_forward_are_moved_forward(tmp_path: Path) -> None:
    assert xid_times(stepped(tmp_path, 861.0)) == {"gpu-k01": 861.0}


def test_stamps_before_a_step_back_are_moved_back(tmp_path: Path) -> None:
    assert xid_times(stepped(tmp_path, -32400.0)) == {"gpu-k01": -32400.0}


def test_other_logs_of_the_node_are_moved_too(tmp_path: Path) -> None:
    stepped(tmp_path, 861.0)
    log = tmp_path / "nodes" / "gpu-k01" / "kern.log"
    log.write_text(f"2026-03-02T09:59:00+00:00 gpu-k01 {XID.replace('3b', '5e')}\n", encoding="utf-8")
    frame = store_of(tmp_path).frame("nvrm.xid")
    assert [str(t)[11:19] for t in frame.sort("time")["time"]] == ["10:13:21", "10:14:21"]


def test_logs_of_other_nodes_are_not(tmp_path: Path) -> None:
    stepped(tmp_path, 861.0)
    other = tmp_path / "nodes" / "gpu-k02"
    other.mkdir()
    (other / "kern.log").write_text(f"2026-03-02T09:59:00+00:00 gpu-k02 {XID}\n", encoding="utf-8")
    assert xid_times(tmp_path)["gpu-k02"] == -60.0


KERNEL = "[ 4000.000000] NVRM: Xid (PCI:0000:3b:00): 79, pid=1234, name=python3, GPU has fallen off the bus.\n"
FOUND = (
    "[2026-03-02T10:00:00.000] CPUs=2 Boards=1 Sockets=1 Cores=2 Threads=1 Memory=24105 TmpDisk=258019 Uptime=2000 "
    "CPUSpecList=(null) FeaturesAvail=(null) FeaturesActive=(null)\n"
)


def booted(folder: Path, **beside: str) -> float | None:
    """Seconds after the start at which a line of a kernel log without any date lies, given other files of the node."""
    node = folder / "nodes" / "gpu-k01"
    node.mkdir(parents=True)
    (node / "dmesg.txt").write_text(KERNEL, encoding="utf-8")
    for name, text in beside.items():
        (node / f"{name}.txt").write_text(text, encoding="utf-8")
    time = store_of(folder).frame("nvrm.xid")["time"][0]
    return None if time is None else (time - START).total_seconds()


def test_a_kernel_log_without_any_date_has_no_times(tmp_path: Path) -> None:
    assert booted(tmp_path) is None


def test_the_uptime_that_slurmd_logs_tells_when_the_node_booted(tmp_path: Path) -> None:
    assert booted(tmp_path, slurmd=FOUND) == 2000.0


def test_the_last_boot_counts(tmp_path: Path) -> None:
    older = FOUND.replace("03-02T10", "02-20T10").replace("2000", "90000")
    assert booted(tmp_path, slurmd=older + FOUND) == 2000.0


def test_the_kernel_counter_tells_when_the_node_booted(tmp_path: Path) -> None:
    stat = f"cpu  1 2 3 4\nintr 5 6\nctxt 7\nbtime {START.timestamp() - 3000:.0f}\nprocesses 8\n"
    assert booted(tmp_path, proc_stat=stat) == 1000.0


def test_who_tells_it_in_the_zone_that_the_node_states(tmp_path: Path) -> None:
    zone = "               Local time: Mon 2026-03-02 12:00:00 CET\n"
    zone += "                Time zone: Europe/Berlin (CET, +0100)\n"
    assert booted(tmp_path, who="         system boot  2026-03-02 10:10\n", timedatectl=zone) == 4000.0 - 3000.0 + 30.0
