from __future__ import annotations

import gzip
import pathlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.bundle.members import Member
from analyzer.bundle.streams import ByteStream, CallStream, MemoryStream
from analyzer.bundle.text import MAX_CHARACTERS, lines_of, read_lines
from tests.bundle.conftest import tar_bytes


def test_lines_are_fetched_by_number_from_members_of_an_archive(tmp_path: pathlib.Path) -> None:
    log = b"".join(b"line %d\r\n" % number for number in range(1, 100_001))
    (tmp_path / "x.tar.gz").write_bytes(gzip.compress(tar_bytes({"a.log": log, "b.log": b"only"})))
    wanted = {"a.log": [100_000, 1, 50_000], "b.log": [1, 2], "c.log": [1]}
    assert read_lines([str(tmp_path / "x.tar.gz")], wanted) == {
        "a.log": {1: "line 1", 50_000: "line 50000", 100_000: "line 100000"},
        "b.log": {1: "only"},
    }


def test_a_utf16_file_counts_lines_of_its_text(tmp_path: pathlib.Path) -> None:
    (tmp_path / "x.txt").write_bytes("eins\nzwei ä\n".encode("utf-16"))
    assert read_lines([str(tmp_path)], {"x.txt": [2]}) == {"x.txt": {2: "zwei ä"}}


def test_long_lines_are_cut(tmp_path: pathlib.Path) -> None:
    (tmp_path / "x.txt").write_bytes(b"a" * 3_000_000 + b"\nnext\n")
    found = read_lines([str(tmp_path)], {"x.txt": [1, 2]})
    assert found == {"x.txt": {1: "a" * MAX_CHARACTERS, 2: "next"}}


def test_a_truncated_member_gives_the_lines_it_has(tmp_path: pathlib.Path) -> None:
    (tmp_path / "x.gz").write_bytes(gzip.compress(b"one\ntwo\n")[:-6])
    assert read_lines([str(tmp_path)], {"x.gz": [1, 9]}) == {"x.gz": {1: "one"}}


@pytest.mark.parametrize("wanted", [{}, {"x.txt": []}, {"x.txt": [0, -1]}])
def test_nothing_wanted_reads_nothing(wanted: dict[str, list[int]]) -> None:
    assert read_lines(["/nowhere"], wanted) == {}


TEXT = st.lists(st.sampled_from([b"\n", b"\r\n", b"a", b"\xc3", b"bcd", b"\x00"]), max_size=40).map(b"".join)


@given(data=TEXT, size=st.integers(1, 7))
def test_any_block_boundaries_give_the_lines_of_the_whole(data: bytes, size: int) -> None:
    def open_blocks() -> ByteStream:
        whole = MemoryStream(data)
        return CallStream(lambda: whole.read(size))

    lines = data.removesuffix(b"\n").split(b"\n") if data else []
    expected = {i + 1: line.removesuffix(b"\r").decode("utf-8", "replace") for i, line in enumerate(lines)}
    assert lines_of(Member("x", open_blocks), range(1, len(lines) + 3)) == expected
