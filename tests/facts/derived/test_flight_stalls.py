"""Who is to blame, by the flight-recorder dumps of a job."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from analyzer.options import Options
from analyzer.pipeline import run
from tests.parsers.flight_dumps import as_pickle, dump, entry

WORLD = {"0": [0, 1, 2, 3]}
DONE = entry(10, 40, "completed")
WAITS = dump([DONE, entry(11, 41)], WORLD, {"0": (41, 40)})
IDLE = dump([DONE], WORLD, {"0": (40, 40)})


def stalls(folder: Path, dumps: Mapping[str, Mapping[str, Any]]) -> pl.DataFrame:
    for name, content in dumps.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(as_pickle(content))
    return run([str(folder)], Options(anomaly=False)).store.frame("flight_stalls").sort("rank")


def of_ranks(*contents: Mapping[str, Any] | None) -> dict[str, Mapping[str, Any]]:
    return {f"nccl_trace_rank_{rank}": content for rank, content in enumerate(contents) if content is not None}


def named(table: pl.DataFrame) -> list[tuple[int, str]]:
    return [(rank, kind) for rank, kind in table.select("rank", "kind").iter_rows()]


def test_a_rank_that_called_nothing_is_missing(tmp_path: Path) -> None:
    table = stalls(tmp_path, of_ranks(WAITS, IDLE, WAITS, WAITS))
    assert named(table) == [(1, "missing")]
    assert table.select("common_seq", "common_operation", "reporting", "dumps", "world").row(0) == (
        41, "all_reduce", 3, 4, 4,
    )  # fmt: skip
    assert table["evidence"][0].to_list() == ["1:0:10", "0:0:11", "2:0:11", "3:0:11"]


def test_nobody_is_named_where_all_arrived_alike(tmp_path: Path) -> None:
    assert named(stalls(tmp_path, of_ranks(WAITS, WAITS, WAITS, WAITS))) == []


def test_nobody_is_named_where_nobody_waits(tmp_path: Path) -> None:
    assert named(stalls(tmp_path, of_ranks(IDLE, IDLE, IDLE, IDLE))) == []


def test_a_gpu_that_does_not_finish_what_others_finished_is_stalled(tmp_path: Path) -> None:
    ahead = dump([DONE, entry(11, 41, "completed"), entry(12, 42)], WORLD, {"0": (42, 41)})
    behind = dump([DONE, entry(11, 41), entry(12, 42)], WORLD, {"0": (42, 40)})
    table = stalls(tmp_path, of_ranks(ahead, ahead, behind, ahead))
    assert named(table) == [(2, "stalled")]
    assert (table["common_seq"][0], table["reporting"][0]) == (41, 3)


def test_a_rank_without_a_dump_is_named_where_nobody_else_is(tmp_path: Path) -> None:
    assert named(stalls(tmp_path, of_ranks(WAITS, WAITS, WAITS, None))) == [(3, "no-dump")]


def test_a_rank_without_a_dump_is_not_named_beside_one_that_is_missing(tmp_path: Path) -> None:
    assert named(stalls(tmp_path, of_ranks(WAITS, IDLE, WAITS, None))) == [(1, "missing")]


@pytest.mark.parametrize(
    ("other", "kind"),
    [(entry(11, 41, operation="broadcast"), "operation"), (entry(11, 41, size=(2048,)), "size")],
)
def test_a_rank_that_calls_it_differently_is_named(tmp_path: Path, other: dict[str, Any], kind: str) -> None:
    odd = dump([DONE, other], WORLD, {"0": (41, 40)})
    table = stalls(tmp_path, of_ranks(WAITS, WAITS, odd, WAITS))
    assert named(table) == [(2, kind)]
    assert table.select("common_operation", "common_shape").row(0) == ("all_reduce", "[4096] Float")


def test_sizes_of_an_exchange_differ_by_nature(tmp_path: Path) -> None:
    dumps = [dump([entry(11, 41, operation="all_to_all", size=(n,))], WORLD, {"0": (41, 40)}) for n in range(4)]
    assert named(stalls(tmp_path, of_ranks(*dumps))) == []


def test_two_ranks_that_differ_are_both_named_without_a_majority(tmp_path: Path) -> None:
    groups = {"0": [0, 1]}
    dumps = [dump([entry(1, 5, size=(n,))], groups, {"0": (5, 4)}) for n in (8, 16)]
    table = stalls(tmp_path, of_ranks(*dumps))
    assert named(table) == [(0, "size"), (1, "size")]
    assert table["common_shape"].to_list() == [None, None]


def test_ranks_that_wait_for_one_another_in_two_groups_call_in_another_order(tmp_path: Path) -> None:
    groups = {"0": [0, 1, 2], "5": [0, 1, 2]}
    first = dump([entry(11, 41)], groups)
    second = dump([entry(11, 3, group="5", group_id=1)], groups)
    assert named(stalls(tmp_path, of_ranks(first, second, first))) == [(1, "order")]


def test_waiting_is_followed_through_groups_to_its_end(tmp_path: Path) -> None:
    """Rank 0 waits for a message of rank 2, which waits for rank 3 in another group; only rank 3 is idle."""
    groups = {"0": [0, 1, 2, 3], "7": [0, 2], "8": [2, 3], "9": [0, 1]}
    described = {"7": "pipeline", "8": "tensor", "9": "tensor"}
    message = entry(5, 9, operation="recv 0<-1", group="7", group_id=1, description="pipeline")
    zero = dump([message], groups, {}, described)
    one = dump([entry(5, 77, group="9", group_id=2, description="tensor")], groups, {"2": (77, 76)}, described)
    two = dump([entry(5, 30, group="8", group_id=2, description="tensor")], groups, {"2": (30, 29)}, described)
    three = dump([], groups, {"2": (29, 29)}, described)
    table = stalls(tmp_path, of_ranks(zero, one, two, three))
    assert named(table) == [(3, "missing")]
    assert table["reporting"][0] == 3


def test_two_attempts_in_two_folders_are_two_jobs(tmp_path: Path) -> None:
    first = {f"try1/nccl_trace_rank_{r}": c for r, c in enumerate((WAITS, IDLE, WAITS, WAITS))}
    second = {f"try2/nccl_trace_rank_{r}": c for r, c in enumerate((WAITS, WAITS, WAITS, IDLE))}
    assert named(stalls(tmp_path, first | second)) == [(1, "missing"), (3, "missing")]


def test_dumps_kept_per_node_are_one_job(tmp_path: Path) -> None:
    dumps = {f"nodes/gpu-0{r // 2}/nccl_trace_rank_{r}": c for r, c in enumerate((WAITS, WAITS, WAITS, IDLE))}
    table = stalls(tmp_path, dumps)
    assert table.select("rank", "node").rows() == [(3, "gpu-01")]


def test_the_host_of_a_rank_is_learnt_from_the_job_log(tmp_path: Path) -> None:
    line = "gpu-0{0}:7{0}:7{0} [0] NCCL INFO comm 0x1 rank {0} nranks 4 cudaDev 0 busId 7000 commId 0xfe - Init START"
    (tmp_path / "job.out").write_text("\n".join(line.format(rank) for rank in range(4)) + "\n")
    table = stalls(tmp_path, of_ranks(WAITS, IDLE, WAITS, WAITS))
    assert table.select("rank", "node").rows() == [(1, "gpu-01")]


def test_the_order_of_files_does_not_change_the_answer(tmp_path: Path) -> None:
    contents = (WAITS, IDLE, WAITS, WAITS)
    found = set()
    for number, order in enumerate(itertools.permutations(range(4))):
        dumps = {f"{place}_rank_{rank}": contents[rank] for place, rank in enumerate(order)}
        table = stalls(tmp_path / str(number), dumps)
        found.add(str(table.select("rank", "kind", "common_seq", "reporting", "culprits").rows()))
    assert found == {str([(1, "missing", 41, 3, 1)])}
