"""Python tracebacks in job output, alone and interleaved."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers import traceback

ALONE = """\
Traceback (most recent call last):
  File "/opt/train.py", line 12, in <module>
    main()
  File "/opt/losses/nce.py", line 58, in gather_features
    dist.all_gather(out, feat)
    ~~~~~~~~~~~~~~~^^^^^^^^^^^
RuntimeError: Detected mismatch between collectives on ranks."""


def read(text: str, first_line: int = 70) -> Any:
    """The only row of one record."""
    (row,) = traceback.read([line.encode() for line in text.split("\n")], first_line)
    return row


def test_the_row_stands_on_the_exceptions_line() -> None:
    row = read(ALONE)
    assert row.line == 76
    assert row.text == "RuntimeError: Detected mismatch between collectives on ranks."
    assert row.values["traceback_line"] == 70


def test_the_innermost_frame_is_kept() -> None:
    values = read(ALONE).values
    assert (values["file"], values["file_line"]) == ("/opt/losses/nce.py", 58)
    assert (values["function"], values["code"]) == ("gather_features", "dist.all_gather(out, feat)")
    assert (values["frames"], values["complete"]) == (2, True)


@pytest.mark.parametrize(
    ("line", "exception", "message"),
    [
        ("torch.OutOfMemoryError: CUDA out of memory", "torch.OutOfMemoryError", "CUDA out of memory"),
        ("KeyboardInterrupt", "KeyboardInterrupt", ""),
        ("_queue.Empty", "_queue.Empty", ""),
        ("ValueError: ", "ValueError", ""),
    ],
)
def test_exception_and_message(line: str, exception: str, message: str) -> None:
    values = read(f'Traceback (most recent call last):\n  File "a.py", line 1, in f\n    g()\n{line}').values
    assert (values["exception"], values["message"]) == (exception, message)


@pytest.mark.parametrize(
    ("tag", "rank"),
    [
        ("[rank3]: ", 3),
        ("[default0]:[rank12]: ", 12),
        ("[1,7]<stderr>:", 7),
        (" 5: ", 5),
        ("(Worker_TP4 pid=21811) ", None),
    ],
)
def test_lines_of_other_ranks_are_passed_over(tag: str, rank: int | None) -> None:
    row = read(
        f"{tag}Traceback (most recent call last):\n"
        "[rank99]: Traceback (most recent call last):\n"
        f'{tag}  File "a.py", line 1, in f\n'
        "[rank99]: KeyError: 'theirs'\n"
        f"{tag}    g()\n"
        f"{tag}ValueError: mine"
    )
    assert (row.values["exception"], row.values["message"], row.values["rank"]) == ("ValueError", "mine", rank)
    assert row.line == 75


def test_time_stamps_in_the_prefix_may_differ_from_line_to_line() -> None:
    row = read(
        "2025-08-22T21:34:20.1Z stderr F Traceback (most recent call last):\n"
        '2025-08-22T21:34:20.100731Z stderr F   File "a.py", line 1, in f\n'
        "2025-08-22T21:34:21.2Z stderr F OSError: [Errno 28] No space left on device"
    )
    assert row.values["exception"] == "OSError"


def test_a_traceback_without_its_end_is_marked_and_cited_by_its_start() -> None:
    row = read('Traceback (most recent call last):\n  File "a.py", line 1, in f')
    assert (row.line, row.values["complete"]) == (70, False)


def test_only_an_exception_without_prefix_ends_the_record() -> None:
    assert traceback.ends(b"torch.OutOfMemoryError: CUDA out of memory", 5)
    assert not traceback.ends(b"[rank3]: ValueError: theirs", 5)
    assert not traceback.ends(b"    raise ValueError", 5)


def test_rows_hold_declared_columns_only() -> None:
    assert set(read(ALONE).values) <= set(traceback.TABLES[0].names())


@given(st.lists(st.one_of(st.binary(max_size=80), st.sampled_from(ALONE.encode().split(b"\n"))), max_size=12))
def test_any_lines_give_rows_inside_the_record(lines: list[bytes]) -> None:
    rows = traceback.read(lines, 100)
    assert all(100 <= row.line < 100 + len(lines) for row in rows)
