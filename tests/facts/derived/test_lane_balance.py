"""``lane_balance``: a lane beside the other lanes of its module."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from analyzer.facts.derived import lane_balance
from analyzer.facts.store import polars_schema, table_schema
from parsers._fabric import LINK_LANES

SCHEMA = polars_schema(table_schema(LINK_LANES))


def lanes(powers: list[float], errors: list[int], width: int | None = None) -> list[dict[str, Any]]:
    rows = [
        {
            "source": 0, "segment": 0, "line": 7, "device": "mlx5_0", "port_id": "mlx5_0/1", "lane": lane,
            "rx_power_dbm": power, "raw_errors": count, "width": width,
        }
        for lane, (power, count) in enumerate(zip(powers, errors, strict=True))
    ]  # fmt: skip
    return lane_balance.derive({"link_lanes": pl.DataFrame(rows, schema=SCHEMA)}).to_dicts()


def test_a_dim_lane_is_measured_against_the_best_one() -> None:
    dim = lanes([1.9, 2.0, -5.5], [0, 0, 0])[2]
    assert dim["rx_below_best_db"] == pytest.approx(7.5)


def test_errors_are_shares_of_the_whole_module() -> None:
    assert [row["error_share"] for row in lanes([1.0, 1.0], [1, 3])] == [0.25, 0.75]


def test_a_module_without_errors_has_no_shares() -> None:
    assert [row["error_share"] for row in lanes([1.0, 1.0], [0, 0])] == [None, None]


def test_lanes_beyond_the_width_of_the_link_are_left_out() -> None:
    found = lanes([1.0, 1.1, -40.0, -40.0], [0, 0, 0, 0], width=2)
    assert [row["lane"] for row in found] == [0, 1]
    assert max(row["rx_below_best_db"] for row in found) < 0.2


def test_no_lanes_give_an_empty_typed_table() -> None:
    derived = lane_balance.derive({"link_lanes": pl.DataFrame(schema=SCHEMA)})
    assert (derived.height, dict(derived.schema)) == (0, polars_schema(table_schema(lane_balance.SPEC)))
