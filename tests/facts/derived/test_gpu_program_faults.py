"""``gpu_program_faults``: how many programs met a fault on a GPU, and on how many GPUs."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import polars as pl

from analyzer.facts.derived import gpu_program_faults

START = datetime(2026, 3, 2, 10, 0, tzinfo=UTC)


def faults(*rows: tuple[int, str | None, str, int]) -> pl.DataFrame:
    """Rows of program, GPU and Xid, a minute apart, as the table's counts."""
    frame = pl.DataFrame(
        [
            {"node": "n1", "source": 0, "line": line, "copy": False, "xid": xid, "process": process, "gpu": gpu,
             "time": START + timedelta(seconds=60 * line), "clock_s": None}
            for line, process, gpu, xid in rows
        ],
        schema_overrides={"clock_s": pl.Float64, "process": pl.String},
    )  # fmt: skip
    return gpu_program_faults.derive({"nvrm.xid": frame})


def test_programs_of_one_gpu_are_counted() -> None:
    found = faults((1, "a", "g1", 13), (2, "b", "g1", 31), (3, "c", "g1", 13))
    assert found.select("process", "programs", "elsewhere", "gpus", "span_s").rows() == [
        ("a", 3, 0, 1, 120.0),
        ("b", 3, 0, 1, 120.0),
        ("c", 3, 0, 1, 120.0),
    ]


def test_a_program_that_faults_on_two_gpus_is_known_on_both() -> None:
    found = faults((1, "a", "g1", 13), (2, "a", "g2", 13))
    assert found.select("gpu", "elsewhere", "gpus").rows() == [("g1", 1, 2), ("g2", 1, 2)]


def test_a_storm_of_one_program_leaves_its_ends() -> None:
    assert faults(*[(line, "a", "g1", 13) for line in range(1, 9)])["line"].to_list() == [1, 8]


def test_other_codes_and_unnamed_programs_are_left_out() -> None:
    assert faults((1, "a", "g1", 45), (2, None, "g1", 13)).is_empty()
