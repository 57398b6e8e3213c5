"""Job output with NCCL lines behind the prefixes of every launcher."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.model.stamps import StampKind
from parsers import nccl

NCCL = "cn-046:34713:34789 [2] NCCL INFO "
WARN = "cn-046:34713:34789 [2] transport/net_ib.cc:95 NCCL WARN "


@pytest.mark.parametrize(
    "launcher",
    [
        "",
        " 3: ",
        "12: ",
        "[1,7]<stdout>:",
        "[rank3]:",
        "[rank3]: ",
        "[default3]:",
        "[default3]:[rank11]:",
        "[0] ",
        "2025-08-22T21:34:20.160673Z stdout F ",
        "(RayWorkerWrapper pid=4009) ",
        "(WorkerDict pid=1, ip=10.0.0.2) ",
        "\x1b[36m(WorkerDict pid=1, ip=10.0.0.2)\x1b[0m ",
        "worker-1: ",
        "10.10.23.10: ",
        "2026-03-09 04:41:27,123 - launcher - INFO - ",
    ],
)
@pytest.mark.parametrize(("head", "level"), [(NCCL, "info"), (WARN, "warn")])
def test_host_and_level_come_from_nccl_behind_any_launcher(launcher: str, head: str, level: str) -> None:
    prefix = nccl.prefix(f"{launcher}{head}text".encode())
    assert prefix is not None
    assert (prefix.host, prefix.program, prefix.level) == ("cn-046", "nccl", level)
    assert prefix.start == len(launcher) + len(head)


@pytest.mark.parametrize(
    ("head", "level"),
    [
        ("cn-046:34713:34789 [2] os/linux.cc:204 (ncclOsSocketTryAccept) NCCL WARN ", "warn"),
        ("cn-046:34713:34789 NCCL CALL ", "call"),
        ("cn-046:34713:34789 [32626] 12.345 init.cc:10 NCCL TRACE ", "trace"),
        ("cn-046:34713:34789 [2] INFO ", "info"),
    ],
)
def test_heads_of_all_versions(head: str, level: str) -> None:
    prefix = nccl.prefix(f"{head}text".encode())
    assert prefix is not None
    assert (prefix.host, prefix.level, prefix.start) == ("cn-046", level, len(head))


@pytest.mark.parametrize(
    ("line", "kind", "seconds"),
    [
        (f"[2025-04-22 23:09:41] {WARN}x", StampKind.LOCAL, 1745363381.0),
        (f"26: [2025-04-22 23:09:41] {WARN}x", StampKind.LOCAL, 1745363381.0),
        (f"2025-04-22T23:09:41.5Z stdout F [2025-04-22 23:09:41] {WARN}x", StampKind.UTC, 1745363381.5),
        (f'{{"log":"{NCCL}x\\n","stream":"stdout","time":"2025-04-22T23:09:41.5Z"}}', StampKind.UTC, 1745363381.5),
        (f"2025-04-22 23:09:41,250 - launcher - INFO - {NCCL}x", StampKind.LOCAL, 1745363381.25),
    ],
)
def test_time_comes_from_the_collector_or_from_nccl(line: str, kind: StampKind, seconds: float) -> None:
    prefix = nccl.prefix(line.encode())
    assert prefix is not None
    assert prefix.stamp is not None
    assert prefix.stamp.kind is kind
    assert prefix.stamp.seconds == pytest.approx(seconds)


def test_without_a_stamp_there_is_no_time() -> None:
    prefix = nccl.prefix(f"{NCCL}Using network IB".encode())
    assert prefix is not None
    assert prefix.stamp is None


def test_one_nccl_line_is_enough_and_more_are_surer() -> None:
    one = nccl.sniff(f"starting\nmodel loaded\n{NCCL}x\n".encode(), "x")
    all_lines = nccl.sniff(f"{NCCL}x\n{WARN}y\n".encode(), "x")
    assert one is not None
    assert all_lines is not None
    assert 70 <= one.score < all_lines.score <= 95


@pytest.mark.parametrize(
    "head",
    [
        b"[2026-07-14T20:44:15.035] [9.0] NCCL_DEBUG=INFO set by user\n",
        b"set NCCL INFO to see more\n",
        b"NCCL_IB_HCA,mlx5_0\n",
        b"",
    ],
)
def test_words_about_nccl_are_not_its_log(head: bytes) -> None:
    assert nccl.sniff(head, "nccl.log") is None


@given(st.one_of(st.binary(max_size=400), st.text(alphabet="[]():,. 0123rankNCLINFO:", max_size=200)))
def test_any_bytes_give_a_prefix_inside_the_line_or_none(text: bytes | str) -> None:
    line = text.encode() if isinstance(text, str) else text
    nccl.sniff(line, "x")
    prefix = nccl.prefix(line)
    assert prefix is None or 0 <= prefix.start <= len(line)
