"""The qualifiers of a symptom choose among rows: by catalogue, by count, by duration, by difference from peers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import polars as pl
import pytest

from analyzer.diagnose.qualifiers import counted, lasting, looked_up, odd_ones
from analyzer.rulebook.schema import Count, Lasts, Lookup, Odd
from tests.diagnose.builders import SCHEMA, Rows, frame, row, rulebook, store


def numbered(rows: Rows) -> pl.DataFrame:
    return frame(rows).with_row_index("row")


def kept(rows: pl.DataFrame) -> list[int]:
    return rows["row"].to_list()


def often(rows: Rows, **count: Any) -> list[int]:
    return kept(counted(numbered(rows), Count(**count), SCHEMA))


def test_fewer_rows_than_asked_for_are_none() -> None:
    assert often([row(), row()], min=3) == []


def test_as_many_rows_as_asked_for_all_stay() -> None:
    assert often([row(), row(), row()], min=3) == [0, 1, 2]


def test_rows_are_counted_per_part() -> None:
    assert often([row(job="1"), row(job="1"), row(job="2")], min=2, per=("job",)) == [0, 1]


@pytest.mark.parametrize(("times", "rows"), [([0, 50, 100], [0, 1, 2]), ([0, 50, 200], [])])
def test_a_rate_counts_within_a_time(times: list[float], rows: list[int]) -> None:
    assert often([row(t) for t in times], min=3, within="2min") == rows


@pytest.mark.parametrize(("gpus", "rows"), [("aaa", []), ("abc", [0, 1, 2]), ("aabc", [0, 1, 2, 3])])
def test_different_values_may_be_counted(gpus: str, rows: list[int]) -> None:
    seen = [row(10.0 * place, gpu=gpu) for place, gpu in enumerate(gpus)]
    assert often(seen, min=3, per=("node",), of="gpu", within="2min") == rows


def test_rows_of_unknown_time_make_no_rate() -> None:
    assert often([row(), row(), row()], min=3, within="2min") == []


def test_the_order_of_lines_does_not_matter_to_a_rate() -> None:
    assert often([row(100), row(0), row(50)], min=3, within="2min") == [0, 1, 2]


def held(begun: Rows, ended: Rows) -> list[int]:
    return kept(lasting(numbered(begun), Lasts(min="60s", ended_by="up"), numbered(ended), SCHEMA))


def test_a_state_that_ends_too_soon_is_dropped() -> None:
    assert held([row(0), row(1000)], [row(30), row(1100)]) == [1]


def test_a_state_that_nothing_ends_lasts() -> None:
    assert held([row(0)], []) == [0]


def test_the_end_on_another_part_ends_nothing() -> None:
    assert held([row(0, port="leaf-02/4")], [row(30, port="leaf-02/5")]) == [0]


def odd(codes: list[int | None], **asked: Any) -> list[tuple[int, bool]]:
    rows = numbered([row(code=code) for code in codes])
    found = odd_ones(rows, Odd(value="code", **asked))
    return list(zip(kept(found), found["majority"].to_list(), strict=True))


def test_the_one_that_differs_from_the_majority_is_odd() -> None:
    assert odd([4, 4, 2, 4]) == [(2, True)]


def test_equal_peers_have_no_odd_one() -> None:
    assert odd([4, 4, 4]) == []


def test_without_a_majority_all_differ_and_none_is_named() -> None:
    assert odd([4, 2]) == [(0, False), (1, False)]


def test_too_few_peers_name_nobody() -> None:
    assert [majority for _, majority in odd([4, 4, 2], min_peers=4)] == [False, False, False]


def test_a_row_without_a_value_is_no_peer() -> None:
    assert odd([4, 4, None, 2]) == [(3, True)]


def test_peers_are_those_of_the_same_group() -> None:
    rows = numbered([row(code=c, job=j) for c, j in ((4, "a"), (4, "a"), (2, "a"), (2, "b"), (2, "b"), (2, "b"))])
    assert kept(odd_ones(rows, Odd(value="code", among=("job",)))) == [2]


@pytest.fixture
def catalogue(tmp_path: Path) -> Path:
    file = tmp_path / "codes.csv"
    file.write_text("code,name,fatal\n79,OFF,yes\n31,MMU,no\n", encoding="utf-8")
    return file


def look_up(catalogue: Path, where: str | None) -> pl.DataFrame:
    facts = store()
    facts.rulebook = msgspec.structs.replace(rulebook((), {}, ()), catalogues={"codes": str(catalogue)})
    rows = numbered([row(code=79), row(code=31), row(code=5)])
    return looked_up(rows, Lookup(catalogue="codes", key="code"), where, facts)


def test_a_catalogue_adds_its_columns_under_its_name(catalogue: Path) -> None:
    assert look_up(catalogue, None)["codes_name"].to_list() == ["OFF", "MMU", None]


def test_rows_are_chosen_by_what_the_catalogue_says(catalogue: Path) -> None:
    assert kept(look_up(catalogue, "codes_fatal = 'yes'")) == [0]
