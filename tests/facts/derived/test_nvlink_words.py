"""Words of NVLink errors, taken apart."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from analyzer.facts.derived import nvlink_bits, nvlink_records
from analyzer.facts.store import event_schema, polars_schema
from analyzer.rulebook.load import load
from analyzer.rules_folder import rules_dir


def frame(event: str, *rows: dict[str, Any]) -> pl.DataFrame:
    schema = polars_schema(event_schema(load([rules_dir()]).events[event]))
    return pl.DataFrame(
        [{"source": 0, "line": line, "copy": False, **row} for line, row in enumerate(rows, 1)], schema=schema
    )


def bits(*registers: str | None) -> list[tuple[Any, ...]]:
    rows = [{"gpu": "0000:5d:00.0", "link": 9, "registers": words} for words in registers]
    found = nvlink_bits.derive({"nvlink.fatal_error": frame("nvlink.fatal_error", *rows)})
    return found.select("line", "link", "key", "bits").rows()


def test_each_bit_that_is_set_is_a_row() -> None:
    assert bits("0x0, 0x0, 0x10000, 0x0, 0x0, 0x0, 0x0", "0x80000001, 0x0, 0x0") == [
        (1, 9, "w3b16", 1),
        (2, 9, "w1b0", 2),
        (2, 9, "w1b31", 2),
    ]


@pytest.mark.parametrize("words", ["0x0, 0x0", None, "", "text"])
def test_a_line_without_bits_has_no_row(words: str | None) -> None:
    assert bits(words) == []


def record(**values: Any) -> dict[str, Any]:
    row = {"xid": 149, "unit": "NETIR_LINK_EVT", "severity": "Fatal", "containment": "XC0", "injected": 0, "link": 1}
    given = frame("nvlink.report", row | values)
    return nvlink_records.derive({"nvlink.report": given}).row(0, named=True)


def test_the_first_word_holds_subcode_and_unit() -> None:
    row = record(intrinfo="0x021425c6", errorstatus="0x00000000")
    assert (row["subcode"], row["unit_code_old"], row["unit_code"], row["error_status"]) == (33, 14, 70, 0)


def test_flags_of_a_record_are_read() -> None:
    row = record(severity="Nonfatal", containment="XC1", injected=1, link=-1, intrinfo="0x7", errorstatus="0x80000000")
    assert (row["fatal"], row["crosses"], row["injected"], row["link"]) == (False, True, True, None)
    assert (row["unit_code"], row["error_status"]) == (7, 0x80000000)


def test_words_that_are_no_numbers_are_unknown() -> None:
    assert record(intrinfo="0x", errorstatus=None)["subcode"] is None
