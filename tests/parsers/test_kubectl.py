"""``kubectl describe`` of pods and nodes."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from analyzer.model.tables import Row
from parsers import kubectl

POD = b"""\
Name:             pretrain-worker-0
Namespace:        train
Node:             <none>
Status:           Pending
Containers:
  worker:
    State:          Waiting
      Reason:       ImagePullBackOff
    Limits:
      nvidia.com/gpu:  8
    Requests:
      nvidia.com/gpu:  8
Events:
  Type     Reason            Age                 From               Message
  ----     ------            ----                ----               -------
  Warning  FailedScheduling  61s (x41 over 40m)  default-scheduler  0/7 nodes are available: \
1 node(s) were unschedulable, \
2 node(s) didn't match Pod's node affinity/selector, 4 Insufficient nvidia.com/gpu. preemption: 0/7 nodes are available.
"""
NODE = b"""\
Name:               gpu-k07
Roles:              <none>
Labels:             kubernetes.io/hostname=gpu-k07
                    nvidia.com/gpu.present=true
Taints:             <none>
Unschedulable:      true
Conditions:
  Type             Status  LastHeartbeatTime                 LastTransitionTime                Reason        Message
  Ready            True    Thu, 12 Nov 2026 03:20:11 +0000   Wed, 11 Nov 2026 22:10:31 +0000   KubeletReady  posting
Capacity:
  nvidia.com/gpu:     8
Allocatable:
  nvidia.com/gpu:     7
Allocated resources:
  nvidia.com/gpu     3            3
Events:              <none>
"""


def rows(data: bytes, table: str) -> list[Row]:
    """Rows of one table."""
    return [row for row in kubectl.parse(data, "x").rows if row.table == table]


def values(row: Row) -> dict[str, Any]:
    """Values of a row."""
    return dict(row.values)


def test_a_pod_tells_its_state_and_what_it_asks_for() -> None:
    (row,) = rows(POD, "k8s_pods")
    assert (row.line, values(row)) == (
        1,
        {
            "pod": "pretrain-worker-0",
            "namespace": "train",
            "status": "Pending",
            "reason": "ImagePullBackOff",
            "gpus": 8,
        },
    )


def test_an_event_of_the_scheduler_is_counted_out() -> None:
    (row,) = rows(POD, "k8s_events")
    kept = {name: item for name, item in values(row).items() if name != "message"}
    assert (row.line, kept) == (
        16,
        {
            "kind": "pod",
            "pod": "pretrain-worker-0",
            "namespace": "train",
            "type": "Warning",
            "reason": "FailedScheduling",
            "reporter": "default-scheduler",
            "age_s": 61,
            "count": 41,
            "lasting_s": 2400,
            "nodes_available": 0,
            "nodes_total": 7,
            "insufficient_gpu": 4,
            "cordoned": 1,
            "selector_mismatch": 2,
        },
    )


def test_a_node_tells_its_gpus() -> None:
    (row,) = rows(NODE, "k8s_nodes")
    assert (row.line, values(row)) == (
        1,
        {
            "node": "gpu-k07",
            "unschedulable": True,
            "ready": True,
            "ready_reason": "KubeletReady",
            "gpu_capacity": 8,
            "gpu_allocatable": 7,
            "gpu_allocated": 3,
            "gpu_labelled": True,
        },
    )


def test_several_objects_stand_in_one_file() -> None:
    assert [row.line for row in rows(NODE + b"\n" + NODE, "k8s_nodes")] == [1, 18]


def test_descriptions_are_recognised() -> None:
    assert [bool(kubectl.sniff(data, "x")) for data in (POD, NODE, b"Name: alpha\nColour: red\n")] == [
        True,
        True,
        False,
    ]


@given(noise=st.binary(max_size=400), at=st.integers(0, 900))
def test_any_bytes_are_read_without_an_error(noise: bytes, at: int) -> None:
    data = POD[:at] + noise + POD[at:]
    assert all(1 <= row.line <= data.count(b"\n") + 1 for row in kubectl.parse(data, "x").rows)
