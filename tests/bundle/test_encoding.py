from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.bundle import StreamCutError
from analyzer.bundle.encoding import as_utf8, decode, to_utf8
from analyzer.bundle.streams import MemoryStream


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "utf-32"])
def test_a_marked_text_is_decoded(encoding: str) -> None:
    assert decode("Zustand: läuft\r\n".encode(encoding)) == "Zustand: läuft\r\n"


def test_bytes_that_are_not_utf8_become_replacement_characters() -> None:
    assert decode(b"caf\xe9") == "caf\ufffd"


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_a_utf16_log_is_streamed_as_utf8(encoding: str) -> None:
    text = "\ufeff" + "line ä 😀\n" * 100_000
    assert as_utf8(MemoryStream(text.encode(encoding))).read() == text[1:].encode()


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf16_without_a_mark_is_told_by_its_zero_bytes(encoding: str) -> None:
    text = "[   12.345678] mlx5_core: läuft\r\n" * 3
    assert to_utf8(text.encode(encoding)) == text.encode()


def test_lines_ended_by_carriage_returns_alone_are_lines() -> None:
    assert as_utf8(MemoryStream(b"one\rtwo\r")).read() == b"one\ntwo\n"


@pytest.mark.parametrize("data", [b"10%\r20%\r\ndone\n", b"one\r\ntwo\r\n", b"\x00\x01\r\x02", b"\x80\x02}q\x00\r"])
def test_progress_bars_and_binary_data_stay_as_they_are(data: bytes) -> None:
    assert to_utf8(data) == data


def test_a_log_without_mark_is_the_same_stream() -> None:
    stream = MemoryStream(b"plain")
    assert as_utf8(stream) is stream


def test_a_utf8_mark_is_dropped() -> None:
    assert as_utf8(MemoryStream(b"\xef\xbb\xbfplain")).read() == b"plain"


def test_a_cut_of_the_source_is_passed_on_after_its_text() -> None:
    stream = as_utf8(MemoryStream("\ufeffab".encode("utf-16-le"), StreamCutError("truncated")))
    buffer = bytearray(10)
    assert stream.readinto(buffer) == 2
    with pytest.raises(StreamCutError, match="truncated"):
        stream.readinto(buffer)


@given(data=st.binary(max_size=200))
def test_any_bytes_can_be_decoded(data: bytes) -> None:
    assert as_utf8(MemoryStream(data)).read() == to_utf8(data)


def test_reads_and_peeks_give_the_bytes_in_order() -> None:
    stream = MemoryStream(b"abcdef")
    assert (stream.peek(2), stream.read(1), stream.peek(100), stream.read(), stream.read()) == (
        b"ab",
        b"a",
        b"bcdef",
        b"bcdef",
        b"",
    )


def test_reading_into_an_empty_buffer_reads_nothing() -> None:
    assert MemoryStream(b"abc").readinto(memoryview(io.BytesIO().getbuffer())) == 0
