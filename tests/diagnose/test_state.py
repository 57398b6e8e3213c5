"""Whether a fault still held when the logs ended."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.options import Options
from analyzer.pipeline import run

XID = (
    "2026-03-02T10:00:00+00:00 gpu-k01 kernel: NVRM: Xid (PCI:0000:3b:00): 79, pid=77, name=python3, "
    "GPU has fallen off the bus.\n"
)
BOOT = "2026-03-02T10:{minute}:00+00:00 {node} kernel: Linux version 5.15.0-105-generic (builder@host) (gcc) #115\n"
SINFO = """\
PARTITION AVAIL  TIMELIMIT  NODES  STATE NODELIST
batch*       up   infinite      1  {state} gpu-k01
batch*       up   infinite      1   idle gpu-k02
"""


def state_of(folder: Path, log: str, sinfo: str = "") -> str:
    (folder / "syslog").write_text(log, encoding="utf-8")
    if sinfo:
        (folder / "sinfo.txt").write_text(SINFO.format(state=sinfo), encoding="utf-8")
    return run([str(folder)], Options(anomaly=False)).analysis.diagnoses[0].state


def test_without_any_sign_it_is_unknown(tmp_path: Path) -> None:
    assert state_of(tmp_path, XID) == "unknown"


def test_a_reboot_after_it_ends_it(tmp_path: Path) -> None:
    assert state_of(tmp_path, XID + BOOT.format(minute=30, node="gpu-k01")) == "recovered"


def test_a_reboot_before_it_does_not(tmp_path: Path) -> None:
    assert state_of(tmp_path, BOOT.format(minute="00", node="gpu-k01").replace("10:00", "09:30") + XID) == "unknown"


def test_a_reboot_of_another_node_does_not(tmp_path: Path) -> None:
    assert state_of(tmp_path, XID + BOOT.format(minute=30, node="gpu-k02")) == "unknown"


@pytest.mark.parametrize(("shown", "state"), [("drain", "active"), ("down*", "active"), ("idle", "unknown")])
def test_a_node_out_of_service_is_a_fault_that_holds(tmp_path: Path, shown: str, state: str) -> None:
    assert state_of(tmp_path, XID, shown) == state


def test_what_came_later_outweighs_the_snapshot(tmp_path: Path) -> None:
    assert state_of(tmp_path, XID + BOOT.format(minute=30, node="gpu-k01"), "drain") == "recovered"
