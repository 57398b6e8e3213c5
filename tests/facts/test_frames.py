"""Hits and rows become one typed frame per event and table."""

from __future__ import annotations

from datetime import UTC, datetime

import polars as pl

from analyzer.facts.frames import event_frames, table_frames
from analyzer.facts.moments import resolve
from analyzer.facts.reading import Reading
from analyzer.facts.store import event_schema, table_schema
from analyzer.model.patterns import LinePattern
from analyzer.model.tables import MAX_TEXT, Row
from analyzer.options import Options
from analyzer.rulebook.schema import EventSpec, FieldSpec
from parsers._gpu import GPUS
from tests.facts.builders import hit, reading

LINE = r"nodes (?P<nodes>\S+) lost, code (?P<code>\d+)"
EVENT = EventSpec(
    title="nodes are lost", lines=(LINE,), samples=("nodes n1 lost, code 3",),
    fields={"nodes": FieldSpec(type="hostlist", entity="node"), "code": FieldSpec(type="int")},
)  # fmt: skip
PATTERNS = (
    LinePattern(0, "nodes.lost", LINE),
    LinePattern(1, "nodes.lost", LINE, bulk=True),
    LinePattern(2, "clock.rtc_set", r"rtc (?P<epoch>\d+)"),
    LinePattern(3, "nodes.lost", LINE),
)


def lost(*readings: Reading) -> pl.DataFrame:
    moments = resolve(readings, PATTERNS, "", Options())
    groups = [("nodes", "code"), ("nodes", "code"), ("epoch",), ("nodes", "code")]
    events = {"nodes.lost": EVENT}
    schemas = {"nodes.lost": event_schema(EVENT)}
    frames = event_frames(readings, moments, PATTERNS, groups, events, schemas)
    assert set(frames) <= {"nodes.lost"}
    return frames.get("nodes.lost", pl.DataFrame())


def gpus(*rows: Row, path: str = "log.txt", taken_s: float | None = None) -> pl.DataFrame:
    readings = [reading(path=path, rows=rows, taken_s=taken_s)]
    return table_frames(readings, resolve(readings, (), "", Options()), {"gpus": table_schema(GPUS)})["gpus"]


def test_captures_have_the_types_of_the_fields() -> None:
    assert lost(reading(hits=[hit(7, "n1", "3")])).select("line", "nodes", "code").rows() == [(7, "n1", 3)]


def test_a_number_that_is_none_is_null() -> None:
    assert lost(reading(hits=[hit(7, "n1", "9" * 30)]))["code"].to_list() == [None]


def test_a_host_list_is_one_row_per_host() -> None:
    assert lost(reading(hits=[hit(7, "n[1-2],m3", "3")]))["nodes"].to_list() == ["n1", "n2", "m3"]


def test_a_host_list_may_end_with_a_range() -> None:
    assert lost(reading(hits=[hit(7, "N[1-2]", "3")]))["nodes"].to_list() == ["n1", "n2"]


def test_a_line_that_two_patterns_of_one_event_match_is_one_row() -> None:
    assert lost(reading(hits=[hit(7, "n1", "3"), hit(7, "n1", "3", pattern=3)])).height == 1


def test_the_statement_of_a_clock_is_no_event() -> None:
    assert lost(reading(hits=[hit(7, "1000000000", pattern=2)])).is_empty()


def test_lines_taken_in_columns_join_those_taken_one_by_one() -> None:
    source = reading(path="nodes/cn012/log.txt", hits=[hit(7, "n1", "3")])
    source.scan.bulk[1] = pl.DataFrame({"line": [9], "offset": [0], "nodes": ["n2"], "code": ["4"]})
    assert lost(source).select("line", "node", "nodes", "code").rows() == [(7, "cn012", "n1", 3), (9, "cn012", "n2", 4)]


def test_rows_of_a_dump_become_its_table() -> None:
    frame = gpus(Row("gpus", {"gpu": "0000:3b:00.0"}, line=4, text="GPU 0"), path="nodes/cn012/smi.txt")
    assert frame.select("line", "text", "node", "gpu").rows() == [(4, "GPU 0", "cn012", "0000:3b:00.0")]


def test_a_row_is_dated_by_its_dump() -> None:
    taken = datetime(2026, 3, 2, tzinfo=UTC)
    assert gpus(Row("gpus", {}, line=4), taken_s=taken.timestamp())["time"].to_list() == [taken]


def test_an_event_of_a_trace_has_no_line() -> None:
    assert gpus(Row("gpus", {}, event=3)).select("line", "event").rows() == [(None, 3)]


def test_what_a_row_does_not_say_is_null() -> None:
    assert gpus(Row("gpus", {}, line=4))["gpu"].to_list() == [None]


def test_the_text_of_a_row_is_cut() -> None:
    assert gpus(Row("gpus", {}, line=4, text="x" * (MAX_TEXT + 1)))["text"].str.len_chars().to_list() == [MAX_TEXT]
