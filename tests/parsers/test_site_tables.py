"""Exports of environment sensors and of rack power: columns by their words, units by their names."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers import environment, rack_power

SEMICOLONS = b"time;rack;sensor_pos;inlet_c;humidity_pct;static_pressure_pa\n2026-09-08 12:00:00;A01;top;21,4;47;13,4\n"
PLAN = b"Rack,Servers,Server_Model,Max_Continuous_Power_kW,Peak_Power_kW,Feed_A_Rating_kW,Feed_B_Rating_kW\nA05,3,x,28.9,33.0,34.5,30\n"  # noqa: E501


def row(reader: Any, data: bytes) -> Any:
    """The only row of an export."""
    (found,) = reader.parse(data, "x").rows
    return found


def test_semicolons_and_decimal_commas_are_read() -> None:
    found = row(environment, SEMICOLONS)
    assert (found.line, found.stamp_s, dict(found.values)) == (
        2,
        None,
        {
            "rack": "A01",
            "position": "top",
            "inlet_c": 21.4,
            "humidity_pct": 47.0,
            "pressure_pa": 13.4,
            "sampled_s": 1788868800.0,
        },
    )


def test_a_zone_in_the_stamp_makes_the_time_absolute() -> None:
    found = row(environment, b"timestamp_utc,sensor,rack,rh_percent\n2026-01-16T18:58:08Z,HT-1,R07,31.0\n")
    assert (found.stamp_s, found.values["sensor"], found.values["humidity_pct"]) == (1768589888.0, "HT-1", 31.0)


@pytest.mark.parametrize(
    ("header", "cell", "column", "value"),
    [
        ("Intake Temperature (F)", "77", "inlet_c", 25.0),
        ("Supply air [\u00b0C]", "22.5", "inlet_c", 22.5),
        ("return temp C", "37.1", "outlet_c", 37.1),
        ("Relative Humidity %", "44", "humidity_pct", 44.0),
        ("Dew Point C", "9.3", "dew_point_c", 9.3),
        ("Static Pressure (in. wc)", "0.05", "pressure_pa", 12.45445),
        ("\u9032\u98a8 \u6eab\u5ea6", "24", "inlet_c", 24.0),
    ],
)
def test_quantities_are_found_by_the_words_of_their_headers(header: str, cell: str, column: str, value: float) -> None:
    found = row(environment, f"rack,{header}\nR01,{cell}\n".encode())
    assert found.values[column] == pytest.approx(value)


def test_a_reading_that_no_sensor_can_give_is_left_out_and_counted() -> None:
    dump = environment.parse(b"rack,inlet_c\nR01,127\n", "x")
    assert ("inlet_c" in dump.rows[0].values, [problem.line for problem in dump.problems]) == (False, [2])


def test_a_plan_of_racks_gives_power_and_feeds() -> None:
    found = row(rack_power, PLAN)
    assert (found.line, dict(found.values)) == (
        2,
        {
            "rack": "A05",
            "servers": 3.0,
            "continuous_kw": 28.9,
            "peak_kw": 33.0,
            "feed_a_kw": 34.5,
            "feed_b_kw": 30.0,
            "smaller_feed_kw": 30.0,
        },
    )


def test_watts_become_kilowatts() -> None:
    assert row(rack_power, b"rack,Active Power W\nR1,4410\n").values["power_kw"] == 4.41


@pytest.mark.parametrize(
    "data",
    [
        b"timestamp, index, utilization.gpu [%], power.draw [W]\n2026/10/03 09:15:00.221, 0, 0 %, 62.10 W\n",
        b"time,route,status,latency_ms\n2026-11-19T09:01:00Z,/v1,200,2100\n",
        b"The rack, its inlet and its humidity were fine\n",
    ],
)
def test_other_tables_are_not_claimed(data: bytes) -> None:
    assert (environment.sniff(data, "x"), rack_power.sniff(data, "x")) == (None, None)


@pytest.mark.parametrize(("reader", "sample"), [(environment, SEMICOLONS), (rack_power, PLAN)])
@given(noise=st.binary(max_size=300), at=st.integers(0, 150))
def test_any_bytes_are_read_without_an_error(reader: Any, sample: bytes, noise: bytes, at: int) -> None:
    data = sample[:at] + noise + sample[at:]
    assert all(1 <= found.line <= data.count(b"\n") + 1 for found in reader.parse(data, "x").rows)
