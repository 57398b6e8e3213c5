"""The words that every face of an answer shares."""

from __future__ import annotations

import msgspec
import pytest

from analyzer.model.analysis import Analysis, Coverage, Evidence, Tool
from analyzer.report.wording import answer, many, names_told, place

EMPTY = Analysis(tool=Tool(name="fabtriage", version="1", rules="0"), verdict="ok", diagnoses=(), coverage=Coverage())


@pytest.mark.parametrize(("count", "text"), [(0, "0 lines"), (1, "1 line"), (12_345, "12,345 lines")])
def test_a_count_agrees_with_its_noun(count: int, text: str) -> None:
    assert many(count, "line") == text


def test_an_irregular_plural_is_given() -> None:
    assert many(2, "diagnosis", "diagnoses") == "2 diagnoses"


def test_nothing_found_is_said_of_what_was_read_only() -> None:
    assert answer(EMPTY, "cause") == "nothing wrong found in what was read"


def test_an_unknown_verdict_is_not_called_healthy() -> None:
    assert answer(msgspec.structs.replace(EMPTY, verdict="unknown"), "cause").startswith("no verdict")


def test_a_line_is_cited_by_file_and_number() -> None:
    assert place(Evidence(file="n1/dmesg.txt", line=7, text="")) == "n1/dmesg.txt:7"


def test_an_event_of_a_trace_is_cited_as_such() -> None:
    assert place(Evidence(file="LK-0310.sor", event=3, text="")) == "LK-0310.sor:event 3"


@pytest.mark.parametrize(
    ("kind", "names", "told"),
    [
        ("node", ["cn012", "10.61.0.22"], ["cn012"]),
        ("node", ["10.61.0.22"], ["10.61.0.22"]),
        ("port", ["leaf-02/4", "MF0;leaf-02:MQM8700/U1/4", "0x02bb0003e8d10000/4"], ["leaf-02/4"]),
        ("port", ["cn012/mlx5_0/1", "cn012 mlx5_0/1", "leaf-02/4"], ["cn012/mlx5_0/1", "leaf-02/4"]),
        ("gpu", ["0000:9b:00.0", "GPU-1234"], ["0000:9b:00.0", "GPU-1234"]),
    ],
)
def test_each_part_is_named_once(kind: str, names: list[str], told: list[str]) -> None:
    assert names_told(kind, names) == told


def test_control_characters_of_a_file_name_are_not_shown() -> None:
    assert "\x1b" not in place(Evidence(file="n1\x1b[31m.txt", line=7, text=""))
