"""Helpers that parsers of logs share."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers import _lines


def never(_line: bytes, _at: int) -> bool:
    """No message head anywhere."""
    return False


def always(_line: bytes, at: int) -> bool:
    """A message head behind the first blank."""
    return at > 0


@pytest.mark.parametrize(
    ("line", "rank", "host", "end"),
    [
        (b"[rank3]: text", 3, None, 9),
        (b"[default1]:[rank11]:[E1106", 11, None, 20),
        (b"[1,7]<stderr>:text", 7, None, 14),
        (b"(WorkerDict pid=1, ip=10.0.0.2) text", None, "10.0.0.2", 32),
        (b"text", None, None, 0),
    ],
)
def test_unmistakable_prefixes_are_always_taken(line: bytes, rank: int | None, host: str | None, end: int) -> None:
    found = _lines.launcher(line, never)
    assert (found.rank, found.host, found.end) == (rank, host, end)


@pytest.mark.parametrize(
    ("line", "rank", "host"), [(b" 3: text", 3, None), (b"[0] text", 0, None), (b"worker-1: text", None, "worker-1")]
)
def test_prefixes_that_look_like_text_need_a_message_behind_them(
    line: bytes, rank: int | None, host: str | None
) -> None:
    taken, left = _lines.launcher(line, always), _lines.launcher(line, never)
    assert (taken.rank, taken.host, line[taken.end :]) == (rank, host, b"text")
    assert left == _lines.Launcher()


def test_the_collectors_stamp_is_kept() -> None:
    found = _lines.launcher(b"2025-08-22T21:34:20.5Z stderr F [rank3]: text", never)
    assert found.stamp is not None
    assert found.stamp.seconds == 1755898460.5
    assert found.rank == 3


def test_text_is_readable_without_colours() -> None:
    assert _lines.text(b"\x1b[31merror\x1b[0m: caf\xe9\r\n") == "error: caf\ufffd"


def test_a_cut_last_line_of_a_long_head_is_not_judged() -> None:
    head = b"line\n" * 1000 + b"cut of"
    assert b"cut of" not in list(_lines.head_lines(head))


def test_indented_lines_do_not_count_against_a_format() -> None:
    assert _lines.share(b"A 1\n  more\nB 2\n", lambda line: line.startswith(b"A")) == (1, 2)


@given(st.binary(max_size=300))
def test_any_bytes_have_an_end_inside_the_line(line: bytes) -> None:
    for is_message in (never, always):
        assert 0 <= _lines.launcher(line, is_message).end <= len(line)
