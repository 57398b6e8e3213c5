"""``perfquery``: all counters of a port."""

from __future__ import annotations

from analyzer.model.tables import Row
from parsers import perfquery

PLAIN = b"""# Port counters: Lid 7 port 1 (CapMask: 0x1200)
PortSelect:......................1
CounterSelect:...................0x0000
SymbolErrorCounter:..............65535
LinkErrorRecoveryCounter:........61
LinkDownedCounter:...............255
LocalLinkIntegrityErrors:........15
PortXmitWait:....................4294967295
"""
EXTENDED = b"""# Port extended counters: Lid 2052 port 2 (CapMask: 0x5300 CapMask2: 0x0000002)
PortSelect:......................2
PortXmitData:....................178791657177235
CounterSelect2:..................0x00000000
SymbolErrorCounter:..............65535
"""


def place(row: Row) -> tuple[int, int]:
    return row.values["lid"], row.values["port"]


def test_counters_carry_lid_and_port_and_selectors_are_no_counters() -> None:
    rows = perfquery.parse(PLAIN, "perfquery.txt").rows
    assert [(*place(row), row.values["counter"], row.values["value"], row.line) for row in rows] == [
        (7, 1, "SymbolErrorCounter", 65535, 4),
        (7, 1, "LinkErrorRecoveryCounter", 61, 5),
        (7, 1, "LinkDownedCounter", 255, 6),
        (7, 1, "LocalLinkIntegrityErrors", 15, 7),
        (7, 1, "PortXmitWait", 4294967295, 8),
    ]


def test_each_counter_saturates_at_its_own_width() -> None:
    rows = perfquery.parse(PLAIN, "perfquery.txt").rows
    assert [row.values["saturated"] for row in rows] == [True, False, True, True, True]


def test_64_bit_error_counters_do_not_saturate_at_16_bits() -> None:
    rows = perfquery.parse(EXTENDED, "perfquery-x.txt").rows
    assert [(row.values["counter"], row.values["saturated"]) for row in rows] == [
        ("PortXmitData", False),
        ("SymbolErrorCounter", False),
    ]


def test_without_the_second_capability_bit_error_counters_are_narrow() -> None:
    rows = perfquery.parse(EXTENDED.replace(b"0x0000002", b"0x0000000"), "perfquery-x.txt").rows
    assert [row.values["saturated"] for row in rows] == [False, True]


def test_sums_over_all_ports_are_left_out() -> None:
    assert perfquery.parse(PLAIN.replace(b"port 1 ", b"port 255 "), "").rows == []


def test_a_failed_query_is_a_problem_not_an_empty_answer() -> None:
    failed = b"perfquery: iberror: failed: can't resolve destination port 0x2aa00038037fc01\n"
    assert [problem.text for problem in perfquery.parse(failed, "").problems] == [
        "the tool could not read the counters"
    ]
    assert perfquery.sniff(failed, "x") is not None


def test_the_header_decides_the_format() -> None:
    assert perfquery.sniff(EXTENDED, "x") is not None
    assert perfquery.sniff(b"# Node info: Lid 7\nBaseVers:........................1\n", "x") is None
