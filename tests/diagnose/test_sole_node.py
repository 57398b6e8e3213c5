"""A log that names no node is that of the only node that any input names, else of an unnamed one."""

from __future__ import annotations

from pathlib import Path

import pytest

from analyzer.options import Options
from analyzer.pipeline import run

XID = "[  812.123456] NVRM: Xid (PCI:0000:3b:00): 79, pid=1234, name=python3, GPU has fallen off the bus.\n"
STARTED = "[2026-03-02T10:00:00.000] slurmd started on Mon, 02 Mar 2026 10:00:00 +0000\n"


def nodes_named(folder: Path) -> list[str]:
    return run([str(folder)], Options(anomaly=False)).analysis.diagnoses[0].entities.get("node", [])


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    (tmp_path / "dmesg.txt").write_text(XID, encoding="utf-8")
    (tmp_path / "slurmd-gpu-s03.log").write_text(STARTED, encoding="utf-8")
    return tmp_path


def test_the_only_node_is_taken(bundle: Path) -> None:
    assert nodes_named(bundle) == ["gpu-s03"]


def test_of_two_nodes_none_is_taken(bundle: Path) -> None:
    (bundle / "slurmd-gpu-s04.log").write_text(STARTED, encoding="utf-8")
    assert nodes_named(bundle) == []
