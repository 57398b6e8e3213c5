"""Process lists."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from analyzer.model.formats import Problem
from parsers import ps

CHOSEN = b"""  PID STAT WCHAN                    ELAPSED COMMAND
   12 I    worker_thread               1886 [kworker/u8:0-ext4-rsv-conversion]
22959 D    percpu_rwsem_wait              4 dd if=/dev/zero of=/scratch/ckpt.1 bs=1M
"""
AUX = b"""[root@gpu-j02 ~]# ps aux
USER       PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND
mlee      4711 99.0  1.2 123456 78900 ?        Rl   04:31   3:07 python3 train.py --lr 1
"""


def test_a_chosen_layout() -> None:
    rows = ps.parse(CHOSEN, "ps.txt").rows

    assert [(row.line, row.values["pid"], row.values["blocked"], row.values["wchan"]) for row in rows] == [
        (2, 12, False, "worker_thread"),
        (3, 22959, True, "percpu_rwsem_wait"),
    ]
    assert (rows[1].values["elapsed_s"], rows[1].values["command"]) == (4, "dd if=/dev/zero of=/scratch/ckpt.1 bs=1M")


def test_the_usual_layout() -> None:
    (row,) = ps.parse(AUX, "ps.txt").rows

    assert row.values == {
        "pid": 4711,
        "user": "mlee",
        "stat": "Rl",
        "blocked": False,
        "wchan": None,
        "elapsed_s": None,
        "command": "python3 train.py --lr 1",
    }


def test_a_list_without_states_is_not_claimed() -> None:
    assert ps.sniff(b"UID PID PPID C STIME TTY TIME CMD\nroot 1 0 0 Jan01 ? 00:00:02 init\n", "ps.txt") is None
    assert ps.sniff(CHOSEN, "ps-gpu-j02.txt") is not None


def test_a_line_that_does_not_fit_is_a_problem() -> None:
    assert ps.parse(CHOSEN + b"no process\n", "x").problems == (Problem("line does not fit the columns", 4, 1),)


@given(st.binary(max_size=300), st.sampled_from([b"", CHOSEN, AUX]))
def test_any_bytes_are_read(noise: bytes, before: bytes) -> None:
    data = before + noise
    ps.sniff(data, "x")
    assert all(1 <= row.line <= data.count(b"\n") + 1 for row in ps.parse(data, "x").rows)
