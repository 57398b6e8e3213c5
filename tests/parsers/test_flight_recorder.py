from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.model.formats import Dump
from analyzer.sources.identify import identify
from parsers import flight_recorder
from tests.parsers.flight_dumps import as_json, as_pickle, dump, entry

WORLD = {"0": [0, 1, 2, 3]}
PIPELINE = {**WORLD, "7": [1, 3]}


def rows(read: Dump, table: str) -> list[dict[str, Any]]:
    return [dict(row.values) for row in read.rows if row.table == table]


def rank(content: dict[str, Any], path: str) -> int | None:
    found: int | None = rows(flight_recorder.parse(as_pickle(content), path), "flight_dumps")[0]["rank"]
    return found


@pytest.mark.parametrize("write", [as_pickle, as_json])
def test_an_entry_is_one_row_with_its_record_as_event(write: Callable[[object], bytes]) -> None:
    content = dump([entry(20535, 40, "completed"), entry(20536, 41)], WORLD, {"0": (41, 40)})
    read = flight_recorder.parse(write(content), "fr/nccl_trace_rank_2")

    assert not read.problems
    assert [(row.event, row.stamp_s) for row in read.rows if row.table == "flight_entries"] == [
        (20535, 1_767_020_535.0),
        (20536, 1_767_020_536.0),
    ]
    assert rows(read, "flight_entries")[1] == {
        "folder": "fr", "rank": 2, "record": 20536, "group": "0", "description": "default_pg", "seq": 41,
        "operation": "all_reduce", "from_rank": None, "to_rank": None, "shape": "[4096] Float", "state": "scheduled",
        "timeout_s": 600.0, "frame": "train.py:88 backward",
    }  # fmt: skip
    assert read.rows[-1].text == (
        "all_reduce 41 in group 0 (default_pg): scheduled, [4096] Float from train.py:88 backward"
    )


def test_a_dump_tells_how_far_the_rank_came_in_each_group() -> None:
    content = dump([entry(7, 12, group="7", group_id=3)], PIPELINE, {"0": (41, 40), "3": (12, 11)})
    read = flight_recorder.parse(as_pickle(content), "nccl_trace_rank_1")

    groups = [
        (g["group"], g["group_id"], g["ranks"], g["enqueued"], g["completed"]) for g in rows(read, "flight_groups")
    ]
    assert groups == [("0", None, "0,1,2,3", None, None), ("7", "3", "1,3", 12, 11), (None, "0", None, 41, 40)]
    (whole,) = rows(read, "flight_dumps")
    assert (whole["version"], whole["nccl_version"], whole["world"], whole["entries"], whole["pending"]) == (
        "2.9", "2.27.3", 4, 1, 1,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("groups", "operation", "path", "expected"),
    [
        (WORLD, "all_reduce", "a/nccl_trace_rank_3", 3),
        (WORLD, "all_reduce", "a/comm_lib_trace_rank_3.json.gz", 3),
        (WORLD, "all_reduce", "_dump_0", 0),
        (WORLD, "all_reduce", "dump-of-rank-2.pickle", 2),
        (WORLD, "all_reduce", "dump", None),
        (WORLD, "all_reduce", "job_90417", None),
        ({**WORLD, "9": [2]}, "all_reduce", "job_90417", 2),
        ({**WORLD, "9": [2]}, "all_reduce", "nccl_trace_rank_0", 2),
        (PIPELINE, "send 1->0", "dump", 3),
    ],
)
def test_the_rank_is_told_by_groups_messages_or_name(
    groups: dict[str, list[int]], operation: str, path: str, expected: int | None
) -> None:
    content = dump([entry(1, 5, operation=operation, group="7" if groups is PIPELINE else "0")], groups)
    assert rank(content, path) == expected


def test_a_send_names_both_places_in_its_group() -> None:
    content = dump([entry(1, 5, operation="send 1->0", group="7")], PIPELINE)
    (read,) = rows(flight_recorder.parse(as_pickle(content), "dump"), "flight_entries")
    assert (read["operation"], read["from_rank"], read["to_rank"], read["seq"]) == ("send", 1, 0, 5)


def test_older_forms_are_read() -> None:
    old = {"record_id": 4, "pg_id": 0, "seq_id": 9, "profiling_name": "nccl:broadcast", "state": "started"}
    listed = flight_recorder.parse(as_pickle([old]), "nccl_trace_rank_0")
    grouped = flight_recorder.parse(as_pickle({"version": "1.2", "pg_config": {0: [0, 1]}, "entries": [old]}), "r_1")

    assert [(e["seq"], e["operation"], e["state"]) for e in rows(listed, "flight_entries")] == [
        (9, "broadcast", "started")
    ]
    assert rows(grouped, "flight_groups")[0]["ranks"] == "0,1"


def test_a_long_dump_keeps_its_newest_and_its_unfinished_operations() -> None:
    content = dump([entry(1, 1), *(entry(n, n, "completed") for n in range(2, 1000))], WORLD)
    kept = rows(flight_recorder.parse(as_pickle(content), "r_0"), "flight_entries")
    assert [e["record"] for e in kept] == [1, *range(1000 - flight_recorder.MAX_KEPT, 1000)]


@pytest.mark.parametrize("protocol", [2, 4, 5])
def test_the_content_tells_the_format(protocol: int) -> None:
    content = dump([entry(1, 1)], WORLD)
    assert identify(as_pickle(content, protocol), "anything").parser == "flight_recorder"
    assert identify(as_json(content), "anything").parser == "flight_recorder"


@pytest.mark.parametrize("data", [pickle.dumps({"weights": [1.0]}), b'{"version": "1", "entries": []}', b"\x80\x02}."])
def test_other_pickles_and_other_json_are_left_alone(data: bytes) -> None:
    assert flight_recorder.sniff(data, "model.pkl") is None


@pytest.mark.parametrize("data", [b"\x80\x02cos\nsystem\n.", b"{", as_pickle(dump([entry(1, 1)], WORLD))[:-40]])
def test_damage_is_a_problem(data: bytes) -> None:
    read = flight_recorder.parse(data, "nccl_trace_rank_0")
    assert not read.rows
    assert len(read.problems) == 1


JSON_LIKE = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(
        ["entries", "pg_config", "pg_status", "record_id", "process_group", "profiling_name", "input_sizes", "frames",
         "ranks", "version", "nccl_version", "state", "time_created_ns", "pg_id"]), inner, max_size=6),
    max_leaves=25,
)  # fmt: skip


@settings(max_examples=200)
@given(JSON_LIKE, st.sampled_from([as_pickle, as_json]))
def test_any_values_in_any_place_are_read(value: object, write: Callable[[object], bytes]) -> None:
    read = flight_recorder.parse(write({"entries": [value, value], "pg_config": value, "pg_status": value}), "r_0")
    declared = {spec.name: set(spec.names()) for spec in flight_recorder.TABLES}
    assert all(set(row.values) <= declared[row.table] for row in read.rows)


@given(st.binary(max_size=300))
def test_any_bytes_are_a_dump_or_a_problem(data: bytes) -> None:
    flight_recorder.sniff(data, "nccl_trace_rank_0")
    read = flight_recorder.parse(data, "nccl_trace_rank_0")
    assert read.rows or read.problems
