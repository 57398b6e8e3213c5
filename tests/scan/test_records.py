"""Records of several lines are collected whole, wherever the bytes are cut."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.model.formats import Format
from analyzer.model.patterns import BlockHit
from analyzer.model.tables import Row, TableSpec
from analyzer.scan.engine import Scanner
from analyzer.scan.records import MAX_OPEN, MAX_RECORDS
from tests.scan.reference import ENGINES, pattern, scan


class Report:
    """Begins with ``BEGIN <name>`` and ends with ``END <name>``."""

    TABLES: tuple[TableSpec, ...] = ()
    MAX_LINES = 6

    def __init__(self, name: str, families: frozenset[str] = frozenset({"kernel"})) -> None:
        self.FORMAT = Format(name, "block", families, name)
        self.ANCHOR = rf"BEGIN {name}\b"

    def ends(self, line: bytes, count: int) -> bool:
        assert count >= 1
        return line.endswith(b"END " + self.FORMAT.name.encode())

    def read(self, lines: Sequence[bytes], first_line: int) -> Sequence[Row]:
        return [Row("t", {"n": len(lines)}, first_line)]


A, B = Report("a"), Report("b")


def hit(name: str, first_line: int, *lines: bytes) -> BlockHit:
    return BlockHit(name, first_line, lines)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("block_bytes", [4, 20, 1 << 20])
def test_interleaved_records_are_told_apart_across_blocks(engine: str, block_bytes: int) -> None:
    data = b"x\nBEGIN a\r\na1\nBEGIN b\nEND a\nb1\r\nEND b\ny\nBEGIN a\nEND a\n"
    found = scan(data, Scanner([pattern(0, "b1")], [A, B], engine=engine, block_bytes=block_bytes))  # type: ignore[arg-type]
    assert found.blocks == [
        hit("a", 2, b"BEGIN a", b"a1", b"BEGIN b", b"END a"),
        hit("b", 4, b"BEGIN b", b"END a", b"b1", b"END b"),
        hit("a", 9, b"BEGIN a", b"END a"),
    ]
    assert found.totals == {0: 1}


def test_a_record_ends_at_its_longest_and_at_the_end_of_the_source() -> None:
    found = scan(b"BEGIN a\n1\n2\n3\n4\n5\n6\nBEGIN b\n1", Scanner([], [A, B]))
    assert found.blocks == [hit("a", 1, b"BEGIN a", b"1", b"2", b"3", b"4", b"5"), hit("b", 8, b"BEGIN b", b"1")]


def test_an_anchor_inside_an_open_record_opens_another() -> None:
    found = scan(b"BEGIN a\nBEGIN a\nEND a\n", Scanner([], [A]))
    assert found.blocks == [hit("a", 1, b"BEGIN a", b"BEGIN a", b"END a"), hit("a", 2, b"BEGIN a", b"END a")]


def test_records_of_other_families_are_not_looked_for() -> None:
    found = scan(b"BEGIN c\nEND c\n", Scanner([], [Report("c", frozenset({"nccl"}))]))
    assert (found.blocks, found.lines) == ([], 2)


def test_records_beyond_the_limit_are_counted() -> None:
    found = scan(b"BEGIN a\nEND a\n" * (MAX_RECORDS + 7), Scanner([], [A]))
    assert len(found.blocks) == MAX_RECORDS
    assert [problem.count for problem in found.problems] == [7]


def test_no_more_than_so_many_are_open_at_once() -> None:
    parsers = [Report(f"r{number}") for number in range(MAX_OPEN + 3)]
    data = b" ".join(b"BEGIN r%d" % number for number in range(MAX_OPEN + 3)) + b"\n"
    found = scan(data, Scanner([], parsers))
    assert len(found.blocks) == MAX_OPEN
    assert [problem.count for problem in found.problems] == [3]


def plain_records(lines: list[bytes]) -> list[BlockHit]:
    found = []
    for place, line in enumerate(lines):
        for parser in (A, B):
            name = parser.FORMAT.name.encode()
            if b"BEGIN " + name in line:
                record = lines[place : place + Report.MAX_LINES]
                ends = [i for i, text in enumerate(record) if i and text.endswith(b"END " + name)]
                found.append(hit(name.decode(), place + 1, *record[: ends[0] + 1 if ends else None]))
    return found


LINE = st.sampled_from([b"BEGIN a", b"BEGIN b", b"BEGIN a BEGIN b", b"END a", b"END b", b"x", b""])


@given(st.lists(LINE, max_size=25), st.integers(1, 40))
def test_they_equal_a_plain_search(lines: list[bytes], block_bytes: int) -> None:
    data = b"".join(line + b"\n" for line in lines)
    found = scan(data, Scanner([], [A, B], block_bytes=block_bytes))
    assert sorted(found.blocks, key=lambda one: (one.first_line, one.parser)) == plain_records(lines)
