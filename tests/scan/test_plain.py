from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.scan.plain import unwrap


def unwrapped(data: bytes) -> bytes:
    buffer = bytearray(data + b"rest of the buffer")
    unwrap(buffer, len(data))
    assert buffer.endswith(b"rest of the buffer")
    return bytes(buffer[: len(data)])


def lines(data: bytes) -> list[bytes]:
    return [line.rstrip(b"\r") for line in unwrapped(data).split(b"\n")]


def docker(text: str, time: str = "2026-01-14T06:18:11.5Z") -> bytes:
    return json.dumps({"log": text, "stream": "stderr", "time": time}, separators=(",", ":")).encode()


def test_colours_go_and_offsets_of_lines_stay() -> None:
    data = b"plain\n\x1b[36m(Worker pid=7)\x1b[0m text \x1b[1;31merror\x1b[0m\nplain again\n"
    assert lines(data) == [b"plain", b"(Worker pid=7) text error", b"plain again", b""]
    assert unwrapped(data).index(b"plain again") == data.index(b"plain again")


def test_lines_that_docker_wrapped_read_as_those_of_other_runtimes() -> None:
    data = docker('[rank3]: "quoted" \\ tab\t\n') + b"\n" + docker("second\r\n") + b"\n"
    assert lines(data) == [
        b'2026-01-14T06:18:11.5Z stderr F [rank3]: "quoted" \\ tab',
        b"2026-01-14T06:18:11.5Z stderr F second",
        b"",
    ]


def test_a_colour_inside_a_wrapping_goes_too() -> None:
    assert lines(docker("\x1b[31mred\x1b[0m\n") + b"\n")[0] == b"2026-01-14T06:18:11.5Z stderr F red"


@pytest.mark.parametrize(
    "line",
    [b'{"log":"cut off', b'{"log":"no time"}', b'{"log":"a","stream":"other","time":"t"}', b'{"log":7,"time":"t"}'],
)
def test_other_json_stays(line: bytes) -> None:
    assert lines(line + b"\n") == [line, b""]


def test_windows_line_ends_are_kept_out_of_the_text() -> None:
    assert lines(b"\x1b[31mred\x1b[0m\r\nnext\r\n") == [b"red", b"next", b""]


PIECES = st.sampled_from([b"\x1b[0m", b"\x1b[", b'{"log":"', b'","stream":"stdout","time":"t"}', b"\n", b"\\", b"\r"])


@given(st.lists(st.one_of(PIECES, st.binary(max_size=10)), max_size=20).map(b"".join))
def test_any_bytes_keep_their_length_and_lines(data: bytes) -> None:
    result = unwrapped(data)
    assert len(result) == len(data)
    places = [place for place, byte in enumerate(data) if byte == 10]
    assert [place for place, byte in enumerate(result) if byte == 10] == places
