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


JSON = b"""{
   "dmesg": [
      {
         "pri": 4,
         "time":     1.000005,
         "msg": "NVRM: \\"a\\"\\nNVRM: b"
      },{
         "fac": "kern",
         "pri": "info",
         "time":  3661.000001,
         "msg": "second"
      }
   ]
}
"""
ONE_LINE_JSON = b'{"dmesg":[{"pri":4,"time": 3661.000001,"msg":"a"},{"pri":4,"time": 3662.000001,"msg":"b"}]}'


def rewritten(data: bytes) -> dict[int, bytes]:
    """Rewritten lines that are not empty, by line number; there must be as many as before."""
    rewrite = dmesg.rewriter(data)
    lines = data.rstrip(b"\n").split(b"\n")
    assert rewrite is not None
    out = list(rewrite(lines))
    assert len(out) == len(lines)
    return {number: line for number, line in enumerate(out, 1) if line}


def test_json_records_stand_on_the_line_of_their_message() -> None:
    assert rewritten(JSON) == {6: b'<4>[    1.000005] NVRM: "a"#012NVRM: b', 11: b"[ 3661.000001] second"}


def test_a_json_message_that_repeats_the_rest_of_the_file_is_cut() -> None:
    record = b'{"pri":4,"time":1.5,"msg":"one\\n<6>[    2.000000] two\\n"}\n'
    assert rewritten(record) == {1: b"<4>[    1.500000] one"}


def test_json_on_one_line_is_one_line() -> None:
    assert rewritten(ONE_LINE_JSON) == {1: b"<4>[ 3661.000001] a#012<4>[ 3662.000001] b"}


def test_differences_are_added_to_the_minute_stated_last() -> None:
    data = b"[Nov30 19:17] a\n[  +1.499999] b\n[  +2.000001] c\n[Dec 1 19:18] d\n[  +0.100000] e\n"
    assert rewritten(data) == {
        1: b"[Nov30 19:17] a",
        2: b"[Nov30 19:17:01.499999] b",
        3: b"[Nov30 19:17:03.500000] c",
        4: b"[Dec 1 19:18] d",
        5: b"[Dec 1 19:18:00.100000] e",
    }


def test_an_added_difference_is_known_to_the_minute() -> None:
    prefix = dmesg.prefix(b"[Nov30 19:17:01.499999] b")
    assert prefix is not None
    assert prefix.stamp is not None
    assert prefix.stamp.seconds == pytest.approx(334 * 86400 + 19 * 3600 + 17 * 60 + 1.499999)
    assert (prefix.stamp.kind, prefix.stamp.resolution_s, prefix.start) == (StampKind.YEARLESS, 60.0, 24)


def test_colours_are_taken_away() -> None:
    data = (
        b"\x1b[32m[   12.345678] \x1b[0m\x1b[33mmlx5_core 0000:18:00.0: \x1b[0mLink down\n               more\x1b[0m\n"
    )
    assert rewritten(data) == {1: b"[   12.345678] mlx5_core 0000:18:00.0: Link down", 2: b"               more"}


def test_escaped_line_ends_of_kmsg_records_are_folded() -> None:
    data = b"6,1234,5678,-;NVRM: a\\x0aNVRM: b\n SUBSYSTEM=pci\n DEVICE=+pci:0000:3b:00.0\n"
    assert rewritten(data)[1] == b"6,1234,5678,-;NVRM: a#012NVRM: b"


@pytest.mark.parametrize("line", [b" SUBSYSTEM=pci", b" DEVICE=+pci:0000:3b:00.0", b"Panic#1 Part2"])
def test_lines_between_records_have_no_head(line: bytes) -> None:
    assert dmesg.prefix(line) is None


def test_panic_records_of_persistent_storage_are_recognised() -> None:
    assert dmesg.sniff(b"Panic#1 Part2\n<4>[  812.000001] a\n<0>[  812.000002] b\n", "dmesg-erst-1") is not None


def test_plain_lines_are_left_alone() -> None:
    assert dmesg.rewriter(b"[   12.345678] a\n[   12.345679] b\n") is None


@given(
    st.sampled_from((JSON, ONE_LINE_JSON)), st.lists(st.tuples(st.integers(0, 300), st.binary(max_size=8)), max_size=4)
)
def test_any_damage_leaves_the_number_of_lines(form: bytes, changes: list[tuple[int, bytes]]) -> None:
    data = form
    for at, change in changes:
        data = data[:at] + change + data[at + 1 :]
    rewrite = dmesg.rewriter(form)
    assert rewrite is not None
    lines = data.split(b"\n")
    assert len(list(rewrite(lines))) == len(lines)


@given(st.binary(max_size=400))
def test_any_bytes_give_a_prefix_inside_the_line_or_none(line: bytes) -> None:
    dmesg.sniff(line, "x")
    prefix = dmesg.prefix(line)
    assert prefix is None or 0 <= prefix.start <= len(line)
