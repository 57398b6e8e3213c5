"""``counter_rates``: the counters of a port in one row, its peer and its growth."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import polars as pl

from analyzer.facts.derived import counter_rates
from analyzer.facts.store import polars_schema, table_schema
from analyzer.model.tables import TableSpec
from parsers import iblinkinfo, ibqueryerrors, perfquery
from parsers._fabric import IB_COUNTERS, IB_LINKS

SCAN = """CA: cn001 mlx5_0:
      0x02aa000000000101      7    1[  ] ==( 4X        53.125 Gbps Active/  LinkUp)==>       90    3[  ] "MF0;leaf-01:MQM8700/U1" ( )
Switch: 0x02bb000000000100 MF0;leaf-01:MQM8700/U1:
          90    3[  ] ==( 4X        53.125 Gbps Active/  LinkUp)==>       7    1[  ] "cn001 mlx5_0" ( )
"""  # noqa: E501


def report(counters: str) -> str:
    return f'Errors for "cn001 mlx5_0"\n   GUID 0x2aa000000000101 port 1: {counters}\n'


def query(symbol_errors: int) -> str:
    return (
        "# Port counters: Lid 7 port 1 (CapMask: 0x1200)\nPortSelect:......................1\n"
        f"LinkDownedCounter:...............0\nSymbolErrorCounter:..............{symbol_errors}\n"
    )


def frame(spec: TableSpec, dumps: tuple[str, ...], times: tuple[datetime, ...] | None) -> pl.DataFrame:
    rows = []
    for source, text in enumerate(dumps):
        parser = iblinkinfo if "==(" in text else perfquery if text.startswith("#") else ibqueryerrors
        for row in parser.parse(text.encode(), "x").rows:
            place = {"source": source, "segment": 0, "line": row.line, "text": row.text, "node": row.node}
            when = {"time": times[source]} if times else {}
            if row.table == spec.name:
                rows.append({**row.values, **place, **when})
    return pl.DataFrame(rows, schema=polars_schema(table_schema(spec)))


def rates(*dumps: str, times: tuple[datetime, ...] | None = None) -> list[dict[str, Any]]:
    frames = {spec.name: frame(spec, dumps, times) for spec in (IB_COUNTERS, IB_LINKS)}
    return counter_rates.derive(frames).to_dicts()


def test_counters_of_a_port_stand_in_one_row_with_its_peer() -> None:
    (row,) = rates(report("[SymbolErrorCounter == 65535] [PortRcvErrors == 57]"), SCAN)
    assert (row["port_id"], row["symbol_error"], row["rcv_errors"], row["link_downed"], row["saturated"]) == (
        "cn001 mlx5_0/1",
        65535,
        57,
        None,
        ["symbol_error"],
    )
    assert (row["peer_port_id"], row["peer_switch"], row["peer_guid"], row["line"], row["node"]) == (
        "MF0;leaf-01:MQM8700/U1/3",
        "leaf-01",
        "0x02bb000000000100",
        2,
        "cn001",
    )


def test_a_port_known_by_lid_takes_its_name_from_the_scan() -> None:
    (row,) = rates(query(12), SCAN)
    assert (row["port_id"], row["host"], row["guid_id"], row["line"]) == (
        "cn001 mlx5_0/1",
        "cn001",
        "0x02aa000000000101",
        4,
    )


def test_a_lid_that_two_ports_share_identifies_none() -> None:
    twin = SCAN.replace("cn001", "cn002").replace("0x02aa000000000101", "0x02aa000000000201")
    (row,) = rates(query(12), SCAN, twin)
    assert (row["port_id"], row["lid"], row["symbol_error"]) == (None, 7, 12)


def test_growth_between_two_readings_orders_them_when_nobody_states_a_time() -> None:
    later, earlier = rates(report("[SymbolErrorCounter == 500]"), report("[SymbolErrorCounter == 400]"))
    assert (earlier["reading"], earlier["symbol_error_delta"]) == (0, None)
    assert (later["reading"], later["symbol_error_delta"], later["order"], later["interval_s"]) == (
        1,
        100,
        "growth",
        None,
    )


def test_a_counter_that_was_below_the_threshold_grew_from_zero() -> None:
    first, second = rates(report("[PortRcvErrors == 5]"), report("[PortRcvErrors == 5] [SymbolErrorCounter == 40]"))
    assert (first["symbol_error"], second["symbol_error_delta"], second["rcv_errors_delta"]) == (None, 40, 0)


def test_stated_times_order_the_readings_even_after_a_clear() -> None:
    times = (datetime(2026, 3, 9, 2, tzinfo=UTC), datetime(2026, 3, 9, 3, tzinfo=UTC))
    _, second = rates(report("[SymbolErrorCounter == 500]"), report("[SymbolErrorCounter == 20]"), times=times)
    assert (second["reading"], second["symbol_error_delta"], second["order"], second["interval_s"]) == (
        1,
        -480,
        "time",
        3600.0,
    )


def test_outputs_of_two_programs_may_be_of_one_moment() -> None:
    assert [row["moments"] for row in rates(SCAN, report("[SymbolErrorCounter == 40]"), query(40))] == [1, 1]


def test_two_outputs_of_one_program_are_of_two_moments() -> None:
    same = report("[SymbolErrorCounter == 40]")
    assert [row["moments"] for row in rates(same, same)] == [2, 2]


def test_two_times_are_two_moments() -> None:
    times = (
        datetime(2026, 3, 9, 1, tzinfo=UTC),
        datetime(2026, 3, 9, 2, tzinfo=UTC),
        datetime(2026, 3, 9, 3, tzinfo=UTC),
    )
    found = rates(SCAN, report("[SymbolErrorCounter == 40]"), query(40), times=times)
    assert [row["moments"] for row in found] == [2, 2]


def test_equal_device_names_on_two_nodes_are_two_ports() -> None:
    schema = polars_schema(table_schema(IB_COUNTERS))
    rows = [
        {"source": source, "line": 1, "text": "", "node": node, "hca": "mlx5_0", "port": 1, "port_id": "mlx5_0/1",
         "counter": "SymbolErrorCounter", "value": value, "saturated": False}
        for source, (node, value) in enumerate([("cn001", 5), ("cn002", 9)])
    ]  # fmt: skip
    frames = {"ib_counters": pl.DataFrame(rows, schema=schema), "ib_links": frame(IB_LINKS, (), None)}
    derived = counter_rates.derive(frames).to_dicts()
    assert [(row["node"], row["readings"], row["symbol_error_delta"]) for row in derived] == [
        ("cn001", 1, None),
        ("cn002", 1, None),
    ]


def test_no_counters_give_an_empty_typed_table() -> None:
    frames = {spec.name: pl.DataFrame(schema=polars_schema(table_schema(spec))) for spec in (IB_COUNTERS, IB_LINKS)}
    derived = counter_rates.derive(frames)
    assert (derived.height, dict(derived.schema)) == (0, polars_schema(table_schema(counter_rates.SPEC)))
