"""Result tables of nccl-tests."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers import nccl_tests

TABLE = """\
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
     8388608       2097152     float     sum      -1     93.3   89.92  157.36      0     93.2   90.05  157.58      0
cn-046:34713:34789 [2] NCCL INFO Connected all rings
  1073741824     268435456     float     sum      -1   4320.9  248.50  434.88      3   4304.0  249.47  436.58    N/A
# Out of bounds values : 3 FAILED"""
LINES = [line.encode() for line in TABLE.split("\n")]


def test_each_size_is_a_row_on_its_own_line() -> None:
    rows = nccl_tests.read(LINES, 13)
    assert [(row.line, row.values["size_bytes"]) for row in rows] == [(15, 8388608), (17, 1073741824)]
    assert rows[0].values == {
        "table_line": 13,
        "size_bytes": 8388608,
        "elements": 2097152,
        "type": "float",
        "redop": "sum",
        "root": -1,
        "time_us": 93.3,
        "algbw_gb_s": 89.92,
        "busbw_gb_s": 157.36,
        "wrong": 0,
        "inplace_time_us": 93.2,
        "inplace_algbw_gb_s": 90.05,
        "inplace_busbw_gb_s": 157.58,
        "inplace_wrong": 0,
        "largest": False,
    }


def test_the_largest_size_is_marked_and_wrong_elements_are_counted() -> None:
    last = nccl_tests.read(LINES, 13)[-1].values
    assert (last["largest"], last["wrong"], last["inplace_wrong"]) == (True, 3, None)


@pytest.mark.parametrize(
    ("row", "redop", "root"),
    [
        (b"  1024    256   float     sum    35.20   0.00   0.00   N/A   34.05   0.00   0.00   N/A", "sum", None),
        (b"  1024    256   float             1.63   0.00   0.00   N/A    1.38   0.00   0.00   N/A", None, None),
        (b"[1,0]<stdout>:  1024  256  float  sum  -1  35.2  0.1  0.1  0  34.0  0.1  0.1  0", "sum", -1),
        (b"  1024    256   float    none     0    35.2  0.1  0.1  5e-07  34.0  0.1  0.1  5e-07  ", "none", 0),
    ],
)
def test_rows_of_all_versions(row: bytes, redop: str | None, root: int | None) -> None:
    (read,) = nccl_tests.read([LINES[0], row], 1)
    assert (read.values["size_bytes"], read.values["redop"], read.values["root"]) == (1024, redop, root)


PER_ITERATION = [
    (
        b"#       size         count      type   redop    root     time   algbw   busbw  #wrong    i_min    i_max"
        b"    i_p99    i_cv%     time   algbw   busbw  #wrong    i_min    i_max    i_p99    i_cv%           timestamp"
    ),
    (
        b"  1073741824     268435456     float     sum      -1   4320.9  248.50  434.88  1.04858e+06   4301.2   4502.7"
        b"   4502.7     1.20   4304.0  249.47  436.58     N/A   4300.1   4310.0   4309.5     0.10  2026-03-02 10:11:12"
    ),
]


def test_times_of_single_iterations_and_the_time_of_day_are_no_results() -> None:
    (row,) = nccl_tests.read(PER_ITERATION, 1)
    assert (row.values["root"], row.values["busbw_gb_s"], row.values["inplace_busbw_gb_s"]) == (-1, 434.88, 436.58)
    assert (row.values["iteration_max_us"], row.values["inplace_iteration_cv_pct"]) == (4502.7, 0.1)


def test_a_million_wrong_elements_are_printed_with_an_exponent() -> None:
    (row,) = nccl_tests.read(PER_ITERATION, 1)
    assert (row.values["wrong"], row.values["inplace_wrong"]) == (1048580, None)


def test_the_largest_error_of_old_versions_is_no_count() -> None:
    header = b"#   size   count   type   redop   time   algbw   busbw  error   time   algbw   busbw  error"
    row = b"  1024    256   float     sum    35.2  0.1  0.1  2e+00  34.0  0.1  0.1  5e-07"
    (read,) = nccl_tests.read([header, row], 1)
    assert (read.values["wrong"], read.values["inplace_wrong"]) == (None, None)


def test_a_run_of_minutes_prints_its_time_with_an_exponent() -> None:
    row = b"  1024  256  float  sum  -1  1.2e+08  0.00  0.00  0  1.1e+08  0.00  0.00  0"
    (read,) = nccl_tests.read([LINES[0], row], 1)
    assert (read.values["time_us"], read.values["root"]) == (1.2e8, -1)


def test_the_record_ends_with_its_footer() -> None:
    assert [nccl_tests.ends(line, count) for count, line in enumerate(LINES)].index(True) == len(LINES) - 1


def test_rows_hold_declared_columns_only() -> None:
    assert all(set(row.values) <= set(nccl_tests.TABLES[0].names()) for row in nccl_tests.read(LINES, 1))


@given(st.lists(st.one_of(st.binary(max_size=120), st.sampled_from(LINES)), max_size=10))
def test_any_lines_give_rows_inside_the_record(lines: list[bytes]) -> None:
    assert all(100 <= row.line < 100 + len(lines) for row in nccl_tests.read(lines, 100))
