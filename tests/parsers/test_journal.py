"""Output of journalctl in its text and JSON forms."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.model.stamps import StampKind
from parsers import journal, syslog

ENTRY = (
    b'{"__REALTIME_TIMESTAMP":"1773031287123456","_HOSTNAME":"n01","SYSLOG_IDENTIFIER":"kernel",'
    b'"PRIORITY":"3","_TRANSPORT":"kernel","MESSAGE":"nfs: server nas-01 OK"}'
)


@pytest.mark.parametrize(
    ("head", "kind", "host", "program"),
    [
        ("Mar 09 04:41:27 n01 kernel: ", StampKind.YEARLESS, "n01", "kernel"),
        ("Mar 09 04:41:27.123456 n01 slurmd[4711]: ", StampKind.YEARLESS, "n01", "slurmd"),
        ("2026-03-09T04:41:27+0000 n01 kernel: ", StampKind.UTC, "n01", "kernel"),
        ("[   12.345678] n01 kernel: ", StampKind.UPTIME, "n01", "kernel"),
    ],
)
def test_prefix_reads_the_short_forms(head: str, kind: StampKind, host: str, program: str) -> None:
    prefix = journal.prefix(f"{head}text".encode())
    assert prefix is not None
    assert prefix.stamp is not None
    assert (prefix.stamp.kind, prefix.host, prefix.program, prefix.start) == (kind, host, program, len(head))


def test_prefix_reads_a_json_entry() -> None:
    prefix = journal.prefix(ENTRY)
    assert prefix is not None
    assert prefix.stamp is not None
    assert (prefix.host, prefix.program, prefix.level) == ("n01", "kernel", "err")
    assert prefix.stamp.kind is StampKind.UTC
    assert prefix.stamp.seconds == pytest.approx(1773031287.123456)
    assert ENTRY[prefix.start :].startswith(b"nfs: server")


@pytest.mark.parametrize(
    "head",
    [
        b"-- Journal begins at Mon 2025-03-03 08:00:01 UTC. --\nApr 22 22:40:12 n17 systemd[1]: a\n",
        b"Mar 09 04:41:27 n01 kernel: a\nMar 09 04:41:28 n01 kernel: b\n",
        b"2026-03-09T04:41:27+0000 n01 kernel: a\n",
        b"[   12.345678] n01 kernel: a\n",
        ENTRY + b"\n",
    ],
)
def test_forms_that_only_journalctl_writes_win_over_syslog(head: bytes) -> None:
    mine, other = journal.sniff(head, "x"), syslog.sniff(head, "x")
    assert mine is not None
    assert mine.score > (other.score if other else 0)


def test_an_ambiguous_head_is_left_to_syslog() -> None:
    head = b"Mar 19 04:41:27 n01 kernel: a\n"
    mine, other = journal.sniff(head, "x"), syslog.sniff(head, "x")
    assert mine is not None
    assert other is not None
    assert mine.score < other.score


def test_an_ambiguous_head_in_a_file_named_journal_is_taken() -> None:
    found = journal.sniff(b"Mar 19 04:41:27 n01 kernel: a\n", "n01/journalctl-k.txt")
    assert found is not None
    assert found.score >= 90


@pytest.mark.parametrize("head", [b'{"jobs": [{"job_id": 1}]}\n', b"{}\n", b"[1, 2]\n", b""])
def test_other_json_is_not_claimed(head: bytes) -> None:
    assert journal.sniff(head, "journal.json") is None


@given(st.one_of(st.binary(max_size=400), st.binary(max_size=100).map(lambda tail: ENTRY[:60] + tail)))
def test_any_bytes_give_a_prefix_inside_the_line_or_none(line: bytes) -> None:
    journal.sniff(line, "x")
    prefix = journal.prefix(line)
    assert prefix is None or 0 <= prefix.start <= len(line)
