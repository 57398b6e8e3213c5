"""Lines of the kernel ring buffer in every form that dmesg prints."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.model.stamps import StampKind
from parsers import dmesg

MESSAGE = "NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus."


@pytest.mark.parametrize(
    ("head", "kind", "seconds", "resolution_s", "level"),
    [
        ("[   12.345678] ", StampKind.UPTIME, 12.345678, 1e-6, None),
        ("[123456.789012] ", StampKind.UPTIME, 123456.789012, 1e-6, None),
        ("<4>[ 3661.000001] ", StampKind.UPTIME, 3661.000001, 1e-6, "warn"),
        ("kern  :err   : [ 3661.000001] ", StampKind.UPTIME, 3661.000001, 1e-6, "err"),
        ("[ 3661.000001][ T1234] ", StampKind.UPTIME, 3661.000001, 1e-6, None),
        ("[ 3661.000001][   C17] ", StampKind.UPTIME, 3661.000001, 1e-6, None),
        ("[ 3661.000001] kernel: ", StampKind.UPTIME, 3661.000001, 1e-6, None),
        ("[ 3661.000001 < 3648.654323>] ", StampKind.UPTIME, 3661.000001, 1e-6, None),
        ("[Mon Nov 30 19:17:52 2026] ", StampKind.LOCAL, 1796066272.0, 1.0, None),
        ("kern  :warn  : [Mon Nov 30 19:17:52 2026] ", StampKind.LOCAL, 1796066272.0, 1.0, "warn"),
        ("2026-11-30T19:17:52,000001+00:00 ", StampKind.UTC, 1796066272.000001, 1e-6, None),
        ("kern  :info  : 2026-11-30T20:17:52,000001+01:00 ", StampKind.UTC, 1796066272.000001, 1e-6, "info"),
        ("[Nov30 19:17] ", StampKind.YEARLESS, 334 * 86400 + 19 * 3600 + 17 * 60, 60.0, None),
        ("4,3973,227996636,-;", StampKind.UPTIME, 227.996636, 1e-6, "warn"),
    ],
)
def test_prefix_reads_stamp_level_and_start(
    head: str, kind: StampKind, seconds: float, resolution_s: float, level: str | None
) -> None:
    prefix = dmesg.prefix((head + MESSAGE).encode())
    assert prefix is not None
    assert prefix.stamp is not None
    assert (prefix.stamp.kind, prefix.level, prefix.start) == (kind, level, len(head))
    assert prefix.stamp.seconds == pytest.approx(seconds, abs=1e-6)
    assert prefix.stamp.resolution_s == pytest.approx(resolution_s)


def test_a_difference_to_the_line_before_is_no_time() -> None:
    prefix = dmesg.prefix(b"[  +1.499999] usb 1-1: new device")
    assert prefix is not None
    assert prefix.stamp is None
    assert prefix.start == 14


def test_colours_are_part_of_the_head() -> None:
    line = b"\x1b[32m[   12.345678] \x1b[0m\x1b[33mmlx5_core 0000:18:00.0: \x1b[0mLink down"
    prefix = dmesg.prefix(line)
    assert prefix is not None
    assert line[prefix.start :].startswith(b"mlx5_core")


@pytest.mark.parametrize("line", [b"               NVRM: BAR1 is 0M @ 0x0", b"", b"plain text", b" SUBSYSTEM=pci"])
def test_a_continuation_has_no_head(line: bytes) -> None:
    assert dmesg.prefix(line) is None


@pytest.mark.parametrize(
    "head",
    [
        "[   12.345678] a\n[   12.345679] b\n",
        "# dmesg -T\n\n[Mon Nov 30 19:17:52 2026] a\n[Mon Nov 30 19:17:52 2026] b\n",
        "kern  :info  : 2026-11-30T20:17:52,000001+01:00 a\n",
        "6,3973,227996636,-;a\n SUBSYSTEM=pci\n6,3974,227996637,-;b\n",
    ],
)
def test_kernel_stamps_are_recognised(head: str) -> None:
    found = dmesg.sniff(head.encode(), "anything")
    assert found is not None
    assert found.score >= 80


@pytest.mark.parametrize(
    "head",
    [
        "[2026-07-14T20:44:15.035] error: slurm_persist_conn_open failed\n",
        "[    11.543] (II) Loading /usr/lib/xorg/modules/drivers/nvidia_drv.so\n",
        "[1710000000.000000] [gpu0031:2000:0]  ucp_ep.c:1012 UCX  DEBUG ep 0x7f\n",
        "[Sep 02 2026 19:05:33] [ERROR] [tid 2011] detected NVLink fatal error\n",
        "[   12.345678] n01 kernel: mlx5_core: a\n[   12.345678] n01 kernel: b\n",
        "time,node,temperature\n12.345678,n01,30\n",
        "",
    ],
)
def test_other_bracketed_stamps_are_not_claimed(head: str) -> None:
    assert dmesg.sniff(head.encode(), "dmesg.txt") is None


@given(st.binary(max_size=400))
def test_any_bytes_give_a_prefix_inside_the_line_or_none(line: bytes) -> None:
    dmesg.sniff(line, "x")
    prefix = dmesg.prefix(line)
    assert prefix is None or 0 <= prefix.start <= len(line)
