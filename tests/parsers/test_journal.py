"""Output of journalctl in its text and JSON forms."""

from __future__ import annotations

import struct

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
        ("2026-03-09T04:41:27.123456+0000 n01 kernel: ", StampKind.UTC, "n01", "kernel"),
        ("Mon 2026-03-09 04:41:27 UTC n01 kernel: ", StampKind.UTC, "n01", "kernel"),
        ("Mon 2026-03-09 05:41:27 CET n01 slurmd.service[4711]: ", StampKind.LOCAL, "n01", "slurmd.service"),
        ("1773031287.123456 n01 kernel: ", StampKind.UTC, "n01", "kernel"),
        ("[   12.345678] n01 kernel: ", StampKind.UPTIME, "n01", "kernel"),
        ("[   12.345678 <    0.000123>] n01 kernel: ", StampKind.UPTIME, "n01", "kernel"),
    ],
)
def test_prefix_reads_the_short_forms(head: str, kind: StampKind, host: str, program: str) -> None:
    prefix = journal.prefix(f"{head}text".encode())
    assert prefix is not None
    assert prefix.stamp is not None
    assert (prefix.stamp.kind, prefix.host, prefix.program, prefix.start) == (kind, host, program, len(head))


def rewritten(data: bytes) -> list[bytes]:
    """Lines of a form with several fields an entry, rewritten; there must be as many as before."""
    lines = data.rstrip(b"\n").split(b"\n")
    rewrite = journal.rewriter(data)
    assert rewrite is not None
    out = list(rewrite(lines))
    assert len(out) == len(lines)
    return out


def messages(data: bytes) -> dict[int, bytes]:
    """Rewritten lines that are not empty, by line number."""
    return {number: line for number, line in enumerate(rewritten(data), 1) if line}


STAMP = b"2026-03-09T04:41:27.123456+00:00 "


def test_a_json_entry_is_one_line_with_time_host_and_program() -> None:
    assert rewritten(ENTRY + b"\n") == [STAMP + b"n01 kernel: nfs: server nas-01 OK"]


def test_a_line_of_a_json_entry_has_its_time() -> None:
    prefix = journal.prefix(rewritten(ENTRY)[0])
    assert prefix is not None
    assert prefix.stamp is not None
    assert (prefix.host, prefix.program, prefix.stamp.kind) == ("n01", "kernel", StampKind.UTC)
    assert prefix.stamp.seconds == pytest.approx(1773031287.123456)


@pytest.mark.parametrize(
    ("printed", "message"),
    [
        (b'"a \\"b\\" \\\\ c"', b'a "b" \\ c'),
        (b'"first\\nsecond\\n"', b"first#012second"),
        (b"[78, 86, 255]", b"NV\xff"),
        (b"null", b""),
        (b'["a", "b"]', b"a#012b"),
    ],
)
def test_messages_of_json_entries_are_decoded(printed: bytes, message: bytes) -> None:
    entry = b'{"MESSAGE":' + printed + b',"__REALTIME_TIMESTAMP":"1773031287123456","_HOSTNAME":"n01","_COMM":"app"}'
    assert rewritten(entry) == [STAMP + b"n01 app: " + message]


def test_json_sequences_begin_with_a_separator() -> None:
    assert messages(b"\x1e" + ENTRY + b"\n\x1e" + ENTRY) == {
        1: STAMP + b"n01 kernel: nfs: server nas-01 OK",
        2: STAMP + b"n01 kernel: nfs: server nas-01 OK",
    }


PRETTY = b"""{
\t"__CURSOR" : "s=0;i=1",
\t"__REALTIME_TIMESTAMP" : "1773031287123456",
\t"MESSAGE" : "link down",
\t"_HOSTNAME" : "n01",
\t"SYSLOG_IDENTIFIER" : "slurmd",
\t"_PID" : "4711"
}
{
\t"MESSAGE" : [
\t\t78,
\t\t86
\t],
\t"__REALTIME_TIMESTAMP" : "1773031287123456"
}
"""


def test_a_pretty_entry_stands_on_the_line_of_its_message() -> None:
    assert messages(PRETTY) == {4: STAMP + b"n01 slurmd[4711]: link down", 10: STAMP + b"- unknown: NV"}


EXPORT_HEAD = b"__CURSOR=s=c48fba8f5c1d4f3b8a9e3e2d1c0b0a09;i=1;b=1\n__REALTIME_TIMESTAMP=1773031287123456\n"


def test_export_entries_are_separated_by_blank_lines() -> None:
    data = EXPORT_HEAD + b"_TRANSPORT=kernel\nMESSAGE=one\n_HOSTNAME=n01\n\n" + EXPORT_HEAD + b"MESSAGE=two\n"
    assert messages(data) == {4: STAMP + b"n01 kernel: one", 9: STAMP + b"- unknown: two"}


@pytest.mark.parametrize("message", [b"one\ntwo", b"0123456789", b"x" * 2570, b"\n\n"])
def test_binary_fields_of_an_export_have_a_length(message: bytes) -> None:
    data = EXPORT_HEAD + b"MESSAGE\n" + struct.pack("<Q", len(message)) + message + b"\n_HOSTNAME=n01\n_COMM=app\n"
    assert messages(data)[4] == STAMP + b"n01 app: " + message.rstrip(b"\n").replace(b"\n", b"#012")


VERBOSE = b"""-- Journal begins at Mon 2026-03-02 08:00:01 UTC. --
Mon 2026-03-09 04:41:27.123456 UTC [s=c48fba8f5c1d4f3b8a9e3e2d1c0b0a09;i=1;b=0a;m=bc614e;t=64c90040b6e00;x=1]
    _HOSTNAME=n01
    MESSAGE=one
            two
    SYSLOG_IDENTIFIER=kernel
-- Boot c48fba8f5c1d4f3b8a9e3e2d1c0b0a09 --
Mon 2026-03-09 04:41:27.123456 UTC [s=c48fba8f5c1d4f3b8a9e3e2d1c0b0a09;i=2;b=0a;m=bc614e;t=64c90040b6e00;x=1]
    MESSAGE=three
"""


def test_a_verbose_entry_has_a_head_and_indented_fields() -> None:
    assert {n: line for n, line in messages(VERBOSE).items() if not line.startswith(b"--")} == {
        4: STAMP + b"n01 kernel: one#012two",
        9: STAMP + b"- unknown: three",
    }


def test_the_boots_between_verbose_entries_stay() -> None:
    assert messages(VERBOSE)[7] == b"-- Boot c48fba8f5c1d4f3b8a9e3e2d1c0b0a09 --"


@pytest.mark.parametrize("damage", [b"{\n", b'{"MESSAGE": "cut', b"plain text", b"}"])
def test_a_damaged_entry_stays_as_it_is(damage: bytes) -> None:
    assert rewritten(ENTRY + b"\n" + damage)[1] == damage.rstrip(b"\n")


@pytest.mark.parametrize(
    "head",
    [
        b"-- Journal begins at Mon 2025-03-03 08:00:01 UTC. --\nApr 22 22:40:12 n17 systemd[1]: a\n",
        b"Mar 09 04:41:27 n01 kernel: a\nMar 09 04:41:28 n01 kernel: b\n",
        b"2026-03-09T04:41:27+0000 n01 kernel: a\n",
        b"[   12.345678] n01 kernel: a\n",
        b"1773031287.123456 n01 kernel: a\n",
        b"Mon 2026-03-09 04:41:27 UTC n01 kernel: a\n",
        PRETTY,
        EXPORT_HEAD + b"MESSAGE=one\n",
        VERBOSE,
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


FORMS = (ENTRY + b"\n", PRETTY, EXPORT_HEAD + b"MESSAGE\n\x03\0\0\0\0\0\0\0abc\n\n", VERBOSE)


@given(st.sampled_from(FORMS), st.lists(st.tuples(st.integers(0, 400), st.binary(max_size=8)), max_size=4))
def test_any_damage_leaves_the_number_of_lines(form: bytes, changes: list[tuple[int, bytes]]) -> None:
    data = form
    for at, change in changes:
        data = data[:at] + change + data[at + 1 :]
    rewrite = journal.rewriter(form)
    assert rewrite is not None
    lines = data.split(b"\n")
    assert len(list(rewrite(lines))) == len(lines)


@given(st.one_of(st.binary(max_size=400), st.binary(max_size=100).map(lambda tail: STAMP[:40] + tail)))
def test_any_bytes_give_a_prefix_inside_the_line_or_none(line: bytes) -> None:
    journal.sniff(line, "x")
    journal.rewriter(line)
    prefix = journal.prefix(line)
    assert prefix is None or 0 <= prefix.start <= len(line)
