"""``nic_rates``: growth of an adapter's counters between readings."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import polars as pl

from analyzer.facts.derived import nic_rates
from analyzer.facts.store import polars_schema, table_schema
from parsers import ethtool
from parsers._fabric import NIC_COUNTERS

SCHEMA = polars_schema(table_schema(NIC_COUNTERS))


def statistics(discards: int, sent: int) -> str:
    return f"NIC statistics:\n     rx_discards_phy: {discards}\n     tx_packets: {sent}\n"


def rates(*dumps: str, times: tuple[datetime, ...] | None = None, node: str | None = None) -> list[dict[str, Any]]:
    rows = [
        {**row.values, "source": source, "segment": 0, "line": row.line, "text": row.text, "node": node}
        | ({"time": times[source]} if times else {})
        for source, text in enumerate(dumps)
        for row in ethtool.parse(text.encode(), "ethtool-S.txt").rows
    ]
    return nic_rates.derive({"nic_counters": pl.DataFrame(rows, schema=SCHEMA)}).to_dicts()


def test_the_reading_with_the_larger_totals_is_the_later_one() -> None:
    after, _, before, _ = rates(statistics(900, 5000), statistics(100, 4000))
    assert (before["reading"], before["delta"]) == (0, None)
    assert (after["counter"], after["reading"], after["delta"], after["order"], after["line"]) == (
        "rx_discards_phy",
        1,
        800,
        "growth",
        2,
    )


def test_totals_that_contradict_each_other_are_not_subtracted() -> None:
    assert {row["delta"] for row in rates(statistics(900, 4000), statistics(100, 9000))} == {None}


def test_readings_of_one_file_are_followed_too() -> None:
    assert [row["delta"] for row in rates(statistics(1, 10) + statistics(3, 20))] == [None, None, 2, 10]


def test_stated_times_order_the_readings_even_after_a_clear() -> None:
    times = (datetime(2026, 3, 9, 2, tzinfo=UTC), datetime(2026, 3, 9, 2, 1, tzinfo=UTC))
    rows = rates(statistics(900, 5000), statistics(10, 20), times=times)
    assert [(row["delta"], row["interval_s"], row["order"]) for row in rows[2:]] == [
        (-890, 60.0, "time"),
        (-4980, 60.0, "time"),
    ]


def test_a_single_reading_has_no_growth() -> None:
    assert [(row["delta"], row["readings"]) for row in rates(statistics(1, 2))] == [(None, 1), (None, 1)]


def test_no_counters_give_an_empty_typed_table() -> None:
    derived = nic_rates.derive({"nic_counters": pl.DataFrame(schema=SCHEMA)})
    assert (derived.height, dict(derived.schema)) == (0, polars_schema(table_schema(nic_rates.SPEC)))
