"""Reports of the kernel about itself."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers import kernel_trace

SOFT_LOCKUP = """\
[ 812.000001] watchdog: BUG: soft lockup - CPU#17 stuck for 27s! [cuda-EvtHandlr:4242]
[ 812.000002] Modules linked in: nvidia_uvm(OE) nvidia(OE) mlx5_core ib_core [last unloaded: nvidia_drm]
[ 812.000003] CPU: 17 PID: 4242 Comm: cuda-EvtHandlr Kdump: loaded Tainted: G           OEL     5.15.0-91-generic #1
[ 812.000004] RIP: 0010:_nv013223rm+0x4c/0xa0 [nvidia]
[ 812.000005] Call Trace:
[ 812.000006]  <TASK>
[ 812.000007]  ? rm_ioctl+0x10/0x20 [nvidia]
[ 812.000008]  nvidia_ioctl+0x67b/0x810 [nvidia]
[ 812.000009]  do_syscall_64+0x5c/0xc0
[ 812.000010]  </TASK>"""
OOPS = """\
[  90.1] BUG: kernel NULL pointer dereference, address: 0000000000000008
[  90.1] Oops: 0000 [#1] PREEMPT SMP NOPTI
[  90.1] CPU: 3 UID: 0 PID: 991 Comm: kworker/3:1 Not tainted 6.11.0-9-generic #9
[  90.1] RIP: 0010:mlx5e_poll_rx_cq+0x21/0x990 [mlx5_core]
[  90.1] Call Trace:
[  90.1]  napi_poll+0x2c/0x180
[  90.1] ---[ end trace 0000000000000000 ]---"""


def read(text: str) -> Any:
    """The only row of one record."""
    (row,) = kernel_trace.read([line.encode() for line in text.split("\n")], 700)
    return row


def test_a_soft_lockup_names_task_place_and_stack() -> None:
    row = read(SOFT_LOCKUP)
    assert row.line == 700
    assert row.values == {
        "kind": "soft_lockup",
        "detail": "BUG: soft lockup - CPU#17 stuck for 27s! [cuda-EvtHandlr:4242]",
        "process": "cuda-EvtHandlr",
        "pid": 4242,
        "cpu": 17,
        "stuck_s": 27,
        "function": "_nv013223rm",
        "module": "nvidia",
        "frames": ["nvidia_ioctl", "do_syscall_64"],
        "modules": ["nvidia"],
        "kernel": "5.15.0-91-generic",
        "tainted": "GOEL",
        "modules_loaded": 4,
    }


def test_an_oops_is_one_report() -> None:
    values = read(OOPS).values
    assert (values["kind"], values["cpu"], values["pid"], values["process"]) == ("oops", 3, 991, "kworker/3:1")
    assert (values["function"], values["module"], values["frames"]) == ("mlx5e_poll_rx_cq", "mlx5_core", ["napi_poll"])
    assert "tainted" not in values


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("INFO: task nvidia-smi:811 blocked for more than 120 seconds.",
         {"kind": "hung_task", "process": "nvidia-smi", "pid": 811, "stuck_s": 120}),
        ("NMI watchdog: Watchdog detected hard LOCKUP on cpu 41", {"kind": "hard_lockup", "cpu": 41}),
        ("rcu: INFO: rcu_sched self-detected stall on CPU", {"kind": "rcu_stall"}),
        ("WARNING: CPU: 5 PID: 77 at net/core/dev.c:1 netif_tx+0x1/0x2", {"kind": "warning", "cpu": 5, "pid": 77}),
        ("Kernel panic - not syncing: Fatal exception", {"kind": "panic"}),
        ("kernel BUG at mm/slub.c:303!", {"kind": "bug"}),
        ("general protection fault: 0000 [#1] SMP", {"kind": "oops"}),
    ],
)  # fmt: skip
def test_the_first_line_tells_the_kind(line: str, expected: dict[str, Any]) -> None:
    values = read(f"[  1.5] {line}").values
    assert {name: values[name] for name in expected} == expected


def test_a_report_ends_where_the_next_begins() -> None:
    assert read(f"[ 1.5] INFO: task a:1 blocked for more than 120 seconds.\n{OOPS}").values["frames"] == []


def test_lines_that_rsyslog_folded_belong_to_the_report() -> None:
    row = read("Mar  9 04:41:27 n01 kernel: " + SOFT_LOCKUP.replace("\n", "#012"))
    assert row.values["frames"] == ["nvidia_ioctl", "do_syscall_64"]


@pytest.mark.parametrize("line", [b" ---[ end trace 0 ]---", b"  </TASK>"])
def test_marks_of_the_end(line: bytes) -> None:
    assert kernel_trace.ends(line, 3)


def test_rows_hold_declared_columns_only() -> None:
    assert set(read(SOFT_LOCKUP).values) <= set(kernel_trace.TABLES[0].names())


@given(
    st.lists(
        st.one_of(st.binary(max_size=90), st.sampled_from((SOFT_LOCKUP + OOPS).encode().split(b"\n"))), max_size=12
    )
)
def test_any_lines_give_rows_inside_the_record(lines: list[bytes]) -> None:
    assert all(100 <= row.line < 100 + len(lines) for row in kernel_trace.read(lines, 100))
