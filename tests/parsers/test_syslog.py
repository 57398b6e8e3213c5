"""Lines of syslog files."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.model.stamps import StampKind
from parsers import syslog

YEARLESS_S = (31 + 29 + 8) * 86400 + 4 * 3600 + 41 * 60 + 27
UTC_S = 1773031287


@pytest.mark.parametrize(
    ("head", "kind", "seconds", "host", "program"),
    [
        ("Mar  9 04:41:27 n01 kernel: ", StampKind.YEARLESS, YEARLESS_S, "n01", "kernel"),
        ("Mar  9 04:41:27 n01 kernel: [   12.345678] ", StampKind.YEARLESS, YEARLESS_S, "n01", "kernel"),
        ("Mar  9 04:41:27 n01 kernel: [   12.345678][ T1234] ", StampKind.YEARLESS, YEARLESS_S, "n01", "kernel"),
        ("Mar  9 04:41:27 n01.example slurmd[4711]: ", StampKind.YEARLESS, YEARLESS_S, "n01.example", "slurmd"),
        ("2026-03-09T04:41:27.123456+00:00 n01 kernel: ", StampKind.UTC, UTC_S + 0.123456, "n01", "kernel"),
        ("<4>1 2026-03-09T04:41:27.5Z n01 kernel - - - ", StampKind.UTC, UTC_S + 0.5, "n01", "kernel"),
        ("<4>Mar  9 04:41:27 n01 kernel: ", StampKind.YEARLESS, YEARLESS_S, "n01", "kernel"),
    ],
)
def test_prefix_reads_time_host_and_program(
    head: str, kind: StampKind, seconds: float, host: str, program: str
) -> None:
    prefix = syslog.prefix(f"{head}nfs: server nas-01 OK".encode())
    assert prefix is not None
    assert prefix.stamp is not None
    assert (prefix.stamp.kind, prefix.host, prefix.program) == (kind, host, program)
    assert prefix.stamp.seconds == pytest.approx(seconds, abs=1e-6)
    assert prefix.start == len(head)


def test_priority_gives_the_level() -> None:
    prefix = syslog.prefix(b"<3>Mar  9 04:41:27 n01 kernel: text")
    assert prefix is not None
    assert prefix.level == "err"


def test_a_repeated_message_keeps_time_and_host() -> None:
    prefix = syslog.prefix(b"Mar  9 04:41:27 n01 last message repeated 3 times")
    assert prefix is not None
    assert (prefix.host, prefix.program) == ("n01", None)


@pytest.mark.parametrize(
    "line",
    [
        b"2026-01-14 06:00:07 INFO trainer: step 41200 loss 2.3133",
        b"Mar 13 23:48:00 356300 [69D1740] 0x80 -> Exiting SM",
        b"    indented continuation",
        b"[2026-07-14T20:44:15.035] error: text",
    ],
)
def test_other_formats_have_no_syslog_head(line: bytes) -> None:
    assert syslog.prefix(line) is None


def test_content_decides_and_the_name_helps() -> None:
    head = b"Mar 19 04:41:27 n01 kernel: a\nMar 19 04:41:28 n01 slurmd[1]: b\n"
    unnamed, named = syslog.sniff(head, "x"), syslog.sniff(head, "n01/var/log/messages-20260319")
    assert unnamed is not None
    assert named is not None
    assert named.score > unnamed.score >= 80


@pytest.mark.parametrize("head", [b"CA 'mlx5_0'\n\tCA type: MT4129\n", b"a,b\n1,2\n", b"", b"\n\n"])
def test_a_name_alone_claims_nothing(head: bytes) -> None:
    assert syslog.sniff(head, "var/log/messages") is None


@given(st.binary(max_size=400))
def test_any_bytes_give_a_prefix_inside_the_line_or_none(line: bytes) -> None:
    syslog.sniff(line, "messages")
    prefix = syslog.prefix(line)
    assert prefix is None or 0 <= prefix.start <= len(line)
