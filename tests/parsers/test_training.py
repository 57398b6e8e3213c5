"""Job output without NCCL lines: PyTorch, Python logging, Slurm and torchrun."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.model.stamps import StampKind
from parsers import training


def yearless(month: int, day: int, hour: int, minute: int, second: float) -> float:
    """Seconds since the start of the leap year 2000."""
    days = (0, 31, 60, 91, 121, 152, 182, 213, 244, 274, 305, 335)[month - 1] + day - 1
    return days * 86400 + hour * 3600 + minute * 60 + second


@pytest.mark.parametrize(
    ("head", "kind", "seconds", "level"),
    [
        ("[rank3]:[E1106 07:08:57.125 a.cpp:616] ", StampKind.YEARLESS, yearless(11, 6, 7, 8, 57.125), "error"),
        ("[rank3]:[E612 07:08:57.125 a.cpp:616] ", StampKind.YEARLESS, yearless(6, 12, 7, 8, 57.125), "error"),
        ("12: [rank3]:[W1106 07:08:57.125 a.cpp:6] ", StampKind.YEARLESS, yearless(11, 6, 7, 8, 57.125), "warning"),
        ("W0917 09:02:11.113000 140301 torch/run.py:7] ", StampKind.YEARLESS, yearless(9, 17, 9, 2, 11.113), "warning"),
        ("I1102 14:00:00.100200 5200 Wrapper.cpp:520] ", StampKind.YEARLESS, yearless(11, 2, 14, 0, 0.1002), "info"),
        (" 3: 2026-03-09 04:41:27,500", StampKind.LOCAL, 1773031287.5, "info"),
        ("INFO 08-10 22:58:11 ", StampKind.YEARLESS, yearless(8, 10, 22, 58, 11), "info"),
        ("(Worker_TP4 pid=21811) ERROR 08-10 23:02:31 ", StampKind.YEARLESS, yearless(8, 10, 23, 2, 31), "error"),
        ("2026-03-09 04:41:27,500", StampKind.LOCAL, 1773031287.5, "info"),
        ("[default3]:2026-03-09 04:41:27,500", StampKind.LOCAL, 1773031287.5, "info"),
        ("[2026-03-09 04:41:27,500]", StampKind.LOCAL, 1773031287.5, "info"),
    ],
)  # fmt: skip
def test_stamp_and_level_of_frameworks(head: str, kind: StampKind, seconds: float, level: str) -> None:
    prefix = training.prefix(f"{head} [INFO] text".encode())
    assert prefix is not None
    assert prefix.stamp is not None
    assert (prefix.stamp.kind, prefix.level, prefix.start) == (kind, level, len(head))
    assert prefix.stamp.seconds == pytest.approx(seconds)


def test_old_pytorch_heads_have_a_level_but_no_time() -> None:
    prefix = training.prefix(b"[rank3]:[E ProcessGroupNCCL.cpp:563] [Rank 3] Watchdog caught")
    assert prefix is not None
    assert (prefix.stamp, prefix.level, prefix.program) == (None, "error", "pytorch")


def test_a_cancelled_step_states_time_and_host() -> None:
    line = b"slurmstepd: error: *** STEP 9.0 ON hgx-01 CANCELLED AT 2026-03-09T04:41:27 DUE TO TIME LIMIT ***"
    prefix = training.prefix(line)
    assert prefix is not None
    assert prefix.stamp is not None
    assert (prefix.program, prefix.level, prefix.host) == ("slurmstepd", "error", "hgx-01")
    assert prefix.stamp.seconds == 1773031287.0


def test_srun_names_other_nodes_and_has_no_time() -> None:
    prefix = training.prefix(b"srun: error: hgx-01: task 5: Killed")
    assert prefix is not None
    assert (prefix.program, prefix.level, prefix.host, prefix.stamp) == ("srun", "error", None, None)


def test_torchrun_summary_states_when_a_worker_failed() -> None:
    prefix = training.prefix(b"  time      : 2026-03-09_04:41:27")
    assert prefix is not None
    assert prefix.stamp is not None
    assert prefix.stamp.seconds == 1773031287.0


@pytest.mark.parametrize(
    "line", [b"", b"step 10 loss 2.1", b"12: twelve apples", b"note: done", b'  File "a.py", line 1']
)
def test_plain_text_has_no_head(line: bytes) -> None:
    assert training.prefix(line) is None


@pytest.mark.parametrize(
    "head",
    [
        b'Traceback (most recent call last):\n  File "a.py", line 1\nValueError: no\n',
        b"2026-01-14 06:00:07 INFO trainer: step 41200 loss 2.3133 tok/s 381218\n",
        b"srun: error: hgx-01: task 5: Killed\n",
        b"[rank0]: epoch 1 it 10/20\n",
    ],
)
def test_job_output_is_recognised_by_its_words(head: bytes) -> None:
    found = training.sniff(head, "output.txt")
    assert found is not None
    assert found.score >= 50


def test_a_name_alone_counts_little() -> None:
    found = training.sniff(b"hello\n", "job/slurm-4711.out")
    assert found is not None
    assert found.score <= 30


@pytest.mark.parametrize(
    "head",
    [
        b"[2026-07-14T20:44:15.035] [9.0] error: *** STEP 9.0 ON n01 CANCELLED AT 2026-07-14T20:44:15 ***\n",
        b"Mar  9 04:41:27 n01 slurmstepd[99]: error: Detected 1 oom-kill event(s)\n",
        b"JobID,JobName,State\n1,train,FAILED\n",
        b"",
    ],
)
def test_other_logs_about_jobs_are_not_claimed(head: bytes) -> None:
    assert training.sniff(head, "slurmd.log") is None


@given(st.one_of(st.binary(max_size=400), st.text(alphabet="[]():,.-T 0123EWIrank", max_size=200)))
def test_any_bytes_give_a_prefix_inside_the_line_or_none(text: bytes | str) -> None:
    line = text.encode() if isinstance(text, str) else text
    training.sniff(line, "x")
    prefix = training.prefix(line)
    assert prefix is None or 0 <= prefix.start <= len(line)


@pytest.mark.parametrize(
    "line",
    [
        ':::MLLOG {"namespace": "", "time_ms": 1713489737636, "event_type": "POINT_IN_TIME", "key": "cache_clear"}',
        "+ srun -l --mpi=pmix --ntasks=8 ./run.sh",
        "{'loss': 0.52, 'grad_norm': 1.2, 'learning_rate': 2e-05, 'epoch': 0.1}",
        '{"step": 12, "loss": 2.31}',
        "Epoch: [0][ 100/5004]  Time  0.34 ( 0.51)  Loss 6.9 (7.0)",
        " 12%|#2        | 120/1000 [02:11<16:01,  1.09s/it, v_num=3, loss=2.1]",
        "mpirun noticed that process rank 3 with PID 4242 on node gpu-01 exited on signal 9 (Killed).",
        "LOCAL_RANK: 0 - CUDA_VISIBLE_DEVICES: [0,1,2,3,4,5,6,7]",
    ],
)
def test_lines_of_frameworks_and_launchers_make_a_job_output(line: str) -> None:
    found = training.sniff(f"starting\n{line}\n".encode(), "output.txt")
    assert found is not None
    assert found.score >= 50


@pytest.mark.parametrize("line", ["2026-01-14 06:00:07 INFO web: request 12/100 done", "loss of signal on port 3"])
def test_ordinary_text_is_no_job_output(line: str) -> None:
    assert training.sniff(f"{line}\n".encode(), "output.txt") is None
