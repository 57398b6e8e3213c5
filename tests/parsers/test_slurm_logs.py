"""Logs of Slurm's daemons and of munged, and messages of its commands."""

from __future__ import annotations

from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.model.formats import Sniff
from analyzer.model.stamps import Prefix, RawStamp, StampKind
from parsers import munged, mysqld, slurm_client, slurmctld, slurmd, slurmdbd

LOGS = (slurmctld, slurmd, slurmdbd, munged, mysqld, slurm_client)
AT_S = 1_773_195_296.0  # 2026-03-11 02:14:56


def message(line: bytes, prefix: Prefix | None) -> bytes:
    assert prefix is not None
    return line[prefix.start :]


@pytest.mark.parametrize(
    ("head", "stamp"),
    [
        (b"[2026-03-11T02:14:56.838] ", RawStamp(StampKind.LOCAL, AT_S + 0.838, 0.001)),
        (b"[2026-03-11T02:14:56] ", RawStamp(StampKind.LOCAL, AT_S, 1.0)),
        (b"[2026-03-11T02:14:56.838+01:00] ", RawStamp(StampKind.UTC, AT_S - 3600 + 0.838, 0.001)),
        (b"[2026-03-11T02:14:56+00:00] ", RawStamp(StampKind.UTC, AT_S, 1.0)),
        (b"[Jan 02 00:00:03] ", RawStamp(StampKind.YEARLESS, 86_403.0, 1.0)),
        (b"[Jan 02 00:00:03.500000 4711   rpc-17 0x7f01a2] ", RawStamp(StampKind.YEARLESS, 86_403.5, 1e-6)),
        (b"sched: [2026-03-11T02:14:56.838] ", RawStamp(StampKind.LOCAL, AT_S + 0.838, 0.001)),
        (b"[   1234567] ", None),
        (b"slurmctld: ", None),
    ],
)
def test_every_form_of_stamp_is_read(head: bytes, stamp: RawStamp | None) -> None:
    line = head + b"error: Nodes gpu-c03 not responding, setting DOWN"

    prefix = slurmctld.prefix(line)

    assert prefix is not None
    assert (prefix.stamp, prefix.level, prefix.program) == (stamp, "error", "slurmctld")
    assert message(line, prefix) == b"Nodes gpu-c03 not responding, setting DOWN"


@pytest.mark.parametrize(
    ("line", "program", "level", "text"),
    [
        (b"[2026-03-11T02:14:56.838] Running as primary controller", "slurmd", None, b"Running as primary controller"),
        (b"[2026-03-11T02:14:56.838] debug:  Note large", "slurmd", "debug", b"Note large"),
        (b"[2026-03-11T02:14:56.838] [1.batch] done with job", "slurmstepd", None, b"done with job"),
        (b"[2026-03-11T02:14:56.838] [7+2.0] error: *** STEP", "slurmstepd", "error", b"*** STEP"),
        (b"[2026-03-11T02:14:56.838] [job 1] prolog failed", "slurmd", None, b"[job 1] prolog failed"),
        (b"[2026-03-11T02:14:56.838] error: sched: too slow", "slurmd", "error", b"too slow"),
        (b"slurmstepd-gn02: error: Detected", "slurmstepd", "error", b"Detected"),
    ],
)
def test_step_and_level_are_not_part_of_the_message(line: bytes, program: str, level: str | None, text: bytes) -> None:
    prefix = slurmd.prefix(line)

    assert prefix is not None
    assert (prefix.program, prefix.level) == (program, level)
    assert message(line, prefix) == text


def test_output_of_a_prolog_continues_the_record() -> None:
    assert slurmd.prefix(b"leftover GPU process") is None
    assert slurmd.prefix(b"[epoch 3] loss 0.2") is None


@pytest.mark.parametrize(
    ("line", "stamp", "level", "text"),
    [
        (b"munged: Info: Rewound credential from 10.0.0.9", None, "info", b"Rewound credential from 10.0.0.9"),
        (
            b"2026-03-11 02:14:56 +0000 Notice:    Exiting on signal 15 (Terminated)",
            RawStamp(StampKind.UTC, AT_S, 1.0),
            "notice",
            b"Exiting on signal 15 (Terminated)",
        ),
    ],
)
def test_munged_writes_two_forms(line: bytes, stamp: RawStamp | None, level: str, text: bytes) -> None:
    prefix = munged.prefix(line)

    assert prefix is not None
    assert (prefix.stamp, prefix.level) == (stamp, level)
    assert message(line, prefix) == text


@pytest.mark.parametrize(
    ("line", "stamp"),
    [
        (b"2026-03-11  2:14:56 5 [Warning] Aborted connection", None),
        (b"2026-03-11 02:14:56 5 [Warning] Aborted connection", RawStamp(StampKind.LOCAL, AT_S, 1.0)),
        (
            b"2026-03-11T02:14:56.000000Z 5 [Warning] [MY-010055] [Server] Aborted connection",
            RawStamp(StampKind.UTC, AT_S, 1e-6),
        ),
    ],
)
def test_the_database_server_writes_two_forms(line: bytes, stamp: RawStamp | None) -> None:
    prefix = mysqld.prefix(line)

    assert (prefix.stamp if prefix else None) == stamp
    assert prefix is None or message(line, prefix) == b"Aborted connection"


def test_a_command_is_named_by_its_message() -> None:
    line = b"sbatch: error: Batch job submission failed: Socket timed out on send/recv operation"

    assert slurm_client.prefix(line) == Prefix(program="sbatch", level="error", start=15)
    assert slurm_client.prefix(b"[mlee@login01 ~]$ sbatch job.sh") is None


CONTROLLER = b"[2026-03-11T02:14:05.565] slurmctld version 22.05.8 started on cluster hpc1\n"
NODE = b"[2026-03-11T02:14:07.059] slurmd version 22.05.8 started\n"
ACCOUNTING = b"[2026-07-14T20:44:15.031] error: mysql_real_connect failed: 1040 Too many connections\n"
MUNGE = b"munged: Notice: Starting munge-0.5.15 daemon (pid 15856)\n"
DATABASE = b"2026-11-30 22:30:42 0 [Note] mariadbd: ready for connections.\n"
CLIENT = b"sacct: error: Problem talking to the database: Unable to connect to database\n"


@pytest.mark.parametrize(
    ("head", "own"),
    [
        (CONTROLLER, slurmctld),
        (NODE, slurmd),
        (ACCOUNTING, slurmdbd),
        (MUNGE, munged),
        (DATABASE, mysqld),
        (CLIENT, slurm_client),
    ],
)
def test_a_log_is_known_by_its_content(head: bytes, own: ModuleType) -> None:
    scores = {log.FORMAT.name: found.score for log in LOGS if (found := log.sniff(head, "unnamed.txt")) is not None}

    assert list(scores) == [own.FORMAT.name]


def test_a_name_alone_is_weak_evidence() -> None:
    head = b"[2026-03-11T02:14:05.565] error: something new\n"

    assert slurmd.sniff(head, "nodes/cn001/slurmd.log") == Sniff(55, "Slurm daemon lines and the file name")
    assert slurmd.sniff(head, "slurm/slurmdbd.log") is None
    assert slurmd.sniff(b"", "nodes/cn001/slurmd.log") is None


@given(st.binary(max_size=300))
def test_any_bytes_are_judged_and_read(line: bytes) -> None:
    for log in LOGS:
        found = log.sniff(line, "x")
        prefix = log.prefix(line)
        assert found is None or 0 <= found.score <= 100
        assert prefix is None or 0 <= prefix.start <= len(line)
