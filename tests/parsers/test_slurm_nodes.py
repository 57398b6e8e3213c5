"""Nodes as ``sinfo`` and ``scontrol show node`` list them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.model.formats import Dump, Problem
from parsers import scontrol, sinfo
from parsers._slurm_nodes import configured_gpus
from parsers._slurm_states import NodeState, job_state, listed_node_state, shown_node_state

LONG = b"""[root@head01 ~]# sinfo -N -l
Wed Mar 11 02:16:49 2026
NODELIST   NODES PARTITION       STATE CPUS    S:C:T MEMORY TMP_DISK WEIGHT AVAIL_FE REASON
gpu-c01        1     debug        idle 2       1:2:1   8000        0      1   (null) none
gpu-c03        1    batch*       down* 2       1:2:1   8000        0      1   (null) Not responding
[root@head01 ~]# sinfo -R
REASON               USER      TIMESTAMP           NODELIST
gres/gpu count repor slurm     2026-03-11T02:14:56 gpu-c[04-05]
"""
DEFAULT_TWICE = b"""PARTITION AVAIL  TIMELIMIT  NODES  STATE NODELIST
batch*       up    2:00:00      1  boot^ gpu-l04
batch*       up    2:00:00      3   idle gpu-l[01-03]
debug        up    2:00:00      0    n/a
PARTITION AVAIL  TIMELIMIT  NODES  STATE NODELIST
batch*       up    2:00:00      2   idle gpu-l[03-04]
"""
SHOWN = b"""NodeName=gpu-s03 Arch=x86_64 CoresPerSocket=2
   CPUAlloc=0 CPUEfctv=2 CPUTot=2 CPULoad=2.73
   Gres=gpu:h100:8(S:0-1)
   NodeAddr=10.31.0.12 NodeHostName=gpu-s03 Version=22.05.8
   OS=Linux 5.14.0 #1 SMP State=x
   RealMemory=8000 AllocMem=0 FreeMem=19567 Sockets=1 Boards=1
   State=IDLE+DRAIN+INVALID_REG ThreadsPerCore=1 TmpDisk=0 Weight=1 Owner=N/A MCS_label=N/A
   Partitions=batch
   BootTime=2026-05-18T02:57:31 SlurmdStartTime=2026-05-18T03:22:51
   Reason=Low CPUs, gres/gpu count reported lower than configured (7 < 8) [slurm@2026-05-18T03:22:51]

NodeName=gpu-s04 Arch=x86_64 CoresPerSocket=2
   State=DOWN* ThreadsPerCore=1
"""


def values(dump: Dump, *names: str) -> list[tuple[Any, ...]]:
    return [(row.line, *(row.values[name] for name in names)) for row in dump.rows]


def test_sinfo_lists_state_and_reason() -> None:
    dump = sinfo.parse(LONG, "sinfo.txt")

    assert values(dump, "host", "state", "flags", "reason", "reason_cut", "partition", "taken") == [
        (4, "gpu-c01", "IDLE", [], None, False, "debug", "Wed Mar 11 02:16:49 2026"),
        (5, "gpu-c03", "DOWN", ["NOT_RESPONDING"], "Not responding", False, "batch", "Wed Mar 11 02:16:49 2026"),
        (8, "gpu-c04", None, None, "gres/gpu count repor", True, None, None),
        (8, "gpu-c05", None, None, "gres/gpu count repor", True, None, None),
    ]
    assert values(dump, "reason_user", "reason_time")[2] == (8, "slurm", "2026-03-11T02:14:56")
    assert (dump.rows[1].node, dump.rows[1].values["memory_mb"], dump.rows[1].values["cpus"]) == ("gpu-c03", 8000, 2)
    assert dump.problems == ()


def test_only_the_last_listing_of_a_node_is_the_latest() -> None:
    dump = sinfo.parse(DEFAULT_TWICE, "sinfo.txt")

    assert values(dump, "host", "flags", "block", "latest") == [
        (2, "gpu-l04", ["REBOOT_ISSUED"], 0, False),
        (3, "gpu-l01", [], 0, True),
        (3, "gpu-l02", [], 0, True),
        (3, "gpu-l03", [], 0, False),
        (6, "gpu-l03", [], 1, True),
        (6, "gpu-l04", [], 1, True),
    ]


def test_a_line_with_too_few_words_is_a_problem() -> None:
    dump = sinfo.parse(b"PARTITION AVAIL TIMELIMIT NODES STATE NODELIST\nbatch up\n", "x")

    assert dump.problems == (Problem("line does not fit the columns", 2, 1),)


def test_scontrol_shows_a_node_with_its_reason() -> None:
    dump = scontrol.parse(SHOWN, "scontrol-show-node.txt")

    assert values(dump, "host", "state", "flags", "gpus", "memory_mb", "boot_time") == [
        (10, "gpu-s03", "IDLE", ["DRAIN", "INVALID_REG"], 8, 8000, "2026-05-18T02:57:31"),
        (13, "gpu-s04", "DOWN", ["NOT_RESPONDING"], None, None, None),
    ]
    assert values(dump, "reason", "reason_user", "reason_time")[0] == (
        10,
        "Low CPUs, gres/gpu count reported lower than configured (7 < 8)",
        "slurm",
        "2026-05-18T03:22:51",
    )


def test_scontrol_shows_one_record_per_line_on_request() -> None:
    record = (
        b"NodeName=cn1 Arch=x86_64 CPUTot=4 OS=Linux 5.14 #1 RealMemory=64 State=DOWN+DRAIN Partitions=a "
        b"Reason=bad disk [root@2026-01-02T03:04:05]\n"
    )

    dump = scontrol.parse(record, "x")

    assert values(dump, "host", "state", "flags", "cpus", "memory_mb", "partition", "reason", "reason_user") == [
        (1, "cn1", "DOWN", ["DRAIN"], 4, 64, "a", "bad disk", "root")
    ]


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("drained", NodeState("IDLE", ("DRAIN",))),
        ("drng*", NodeState("ALLOCATED", ("DRAIN", "NOT_RESPONDING"))),
        ("inval", NodeState("UNKNOWN", ("DRAIN", "INVALID_REG"))),
        ("idle~", NodeState("IDLE", ("POWERED_DOWN",))),
        ("n/a", None),
        ("up", None),
    ],
)
def test_listed_states(text: str, state: NodeState | None) -> None:
    assert listed_node_state(text) == state


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("IDLE*+DRAIN", NodeState("IDLE", ("DRAIN", "NOT_RESPONDING"))),
        ("IDLE#", NodeState("IDLE", ("POWERING_UP",))),
        ("DOWN+DRAIN+REBOOT_ISSUED", NodeState("DOWN", ("DRAIN", "REBOOT_ISSUED"))),
        ("a b", None),
    ],
)
def test_shown_states(text: str, state: NodeState | None) -> None:
    assert shown_node_state(text) == state


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("NF", "NODE_FAIL"),
        ("CANCELLED by 5002", "CANCELLED"),
        ("OUT_OF_ME+", "OUT_OF_MEMORY"),
        ("COMPLETI", "COMPLETING"),
        ("CONFIGUR", "CONFIGURING"),
        ("COMP", None),
        ("?", None),
    ],
)
def test_job_states(text: str, state: str | None) -> None:
    assert job_state(text) == state


@pytest.mark.parametrize(
    ("gres", "count"),
    [
        ("gpu:8", 8),
        ("gpu:h100:8(S:0-1)", 8),
        ("gpu:1g.10gb:7,gpu:a100:1", 8),
        ("nic:2", None),
        ("gpu", 1),
        (None, None),
    ],
)
def test_gpus_of_a_gres_string(gres: str | None, count: int | None) -> None:
    assert configured_gpus(gres) == count


@given(st.binary(max_size=400), st.sampled_from([b"", LONG, DEFAULT_TWICE, SHOWN]))
def test_any_bytes_are_read(noise: bytes, before: bytes) -> None:
    data = before + noise
    for parser in (sinfo, scontrol):
        parser.sniff(data, "x")
        assert all(1 <= row.line <= data.count(b"\n") + 1 for row in parser.parse(data, "x").rows)


def test_sinfo_with_bars() -> None:
    data = b"NODELIST|STATE|STATE|REASON|GRES\ncn[1-2] |drain* |drained* |bad disk, replace |gpu:a100:8\n"

    dump = sinfo.parse(data, "sinfo.txt")

    assert values(dump, "host", "state", "flags", "reason", "gpus") == [
        (2, "cn1", "IDLE", ["DRAIN", "NOT_RESPONDING"], "bad disk, replace", 8),
        (2, "cn2", "IDLE", ["DRAIN", "NOT_RESPONDING"], "bad disk, replace", 8),
    ]
