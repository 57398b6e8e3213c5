"""Bulk patterns give the same values as ordinary ones, in columns and without a cap."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.model.patterns import SourceScan
from analyzer.scan.engine import Scanner
from tests.scan.reference import ENGINES, pattern, scan
from tests.scan.test_engine import SAMPLE, hostile_log

CHANNEL = r"Channel (?P<channel>\d+)/\d+ : (?P<from>\d+) -> (?P<to>\d+)(?: via (?P<via>\S+))?"


def both(data: bytes, regexes: tuple[str, ...], **options: object) -> tuple[SourceScan, SourceScan]:
    scans = [
        scan(data, Scanner([pattern(i, r, bulk=bulk) for i, r in enumerate(regexes)], cap_per_pattern=10**6, **options))  # type: ignore[arg-type]
        for bulk in (True, False)
    ]
    return scans[0], scans[1]


def rows(found: SourceScan, index: int) -> list[tuple[object, ...]]:
    return found.bulk[index].rows() if index in found.bulk else []


def ordinary_rows(found: SourceScan, index: int) -> list[tuple[object, ...]]:
    return [
        (
            hit.line,
            hit.offset,
            *(value if value is None else value.decode("utf-8", "replace") for value in hit.captures),
        )
        for hit in found.hits
        if hit.pattern == index
    ]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("block_bytes", [1000, 1 << 20])
def test_bulk_equals_ordinary_on_hostile_input(engine: str, block_bytes: int) -> None:
    bulk, ordinary = both(hostile_log(), SAMPLE, engine=engine, block_bytes=block_bytes)
    assert bulk.totals == ordinary.totals
    for index in range(len(SAMPLE)):
        assert rows(bulk, index) == ordinary_rows(ordinary, index)


PIECES = st.sampled_from(
    [b"\n", b"\r\n", b"\xff", "é".encode(), b"Channel 0", b"/1 : 2 -> 3", b" via P2P", b"1:z", b"x"]
)


@given(st.lists(PIECES, max_size=40))
def test_bulk_equals_ordinary_on_any_input(pieces: list[bytes]) -> None:
    regexes = (CHANNEL, r"(?P<a>.)(?P<b>[^x]{0,3}?)z?$")
    bulk, ordinary = both(b"".join(pieces), regexes)
    for index in range(len(regexes)):
        assert rows(bulk, index) == ordinary_rows(ordinary, index)


def test_columns_are_line_offset_and_the_named_groups() -> None:
    data = b"x Channel 0/1 : 2 -> 3\nx\ny Channel 4/1 : 5 -> 6 via P2P/IPC\r\n"
    found = scan(data, Scanner([pattern(0, CHANNEL, bulk=True)]))
    expected = {"line": [1, 3], "offset": [0, 25], "channel": ["0", "4"], "from": ["2", "5"], "to": ["3", "6"]}
    assert found.bulk[0].equals(pl.DataFrame(expected | {"via": [None, "P2P/IPC"]}))
    assert (found.hits, found.totals) == ([], {0: 2})


def test_a_pattern_without_groups_gives_places_only() -> None:
    found = scan(b"a\nb\na\n", Scanner([pattern(0, "a", bulk=True)]))
    assert found.bulk[0].rows() == [(1, 0), (3, 4)]


def test_nothing_is_dropped() -> None:
    data = b"".join(b"Channel %d/0 : 1 -> 2\n" % number for number in range(40_000))
    found = scan(data, Scanner([pattern(0, CHANNEL, bulk=True)], cap_per_pattern=10))
    assert found.bulk[0]["channel"].cast(pl.Int64).to_list() == list(range(40_000))


def test_a_pattern_that_polars_cannot_say_is_extracted_line_by_line() -> None:
    found = scan(b"Xid 79\nXid 80 ok\n", Scanner([pattern(0, r"Xid (?P<xid>\d++)(?! ok)", bulk=True, trusted=False)]))
    assert found.bulk[0].rows() == [(1, 0, "79")]
