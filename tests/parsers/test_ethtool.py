"""``ethtool -S`` and ``ethtool -a``: counters and pause settings of an interface."""

from __future__ import annotations

from parsers import ethtool, ethtool_pause

COUNTERS = b"NIC statistics:\n     rx_discards_phy: 1844212\n     tx_global_pause: 0\n     [0]: rx_ucast_packets: 7\n"


def test_counters_carry_the_interface_of_the_file_name() -> None:
    names = ("device", "counter", "value", "sample")
    rows = ethtool.parse(COUNTERS, "nodes/cn001/ethtool-S-ens5np0.txt").rows
    assert [(*(row.values[name] for name in names), row.line) for row in rows] == [
        ("ens5np0", "rx_discards_phy", 1844212, 0, 2),
        ("ens5np0", "tx_global_pause", 0, 0, 3),
        ("ens5np0", "[0]: rx_ucast_packets", 7, 0, 4),
    ]


def test_other_words_in_a_file_name_are_no_interface() -> None:
    assert [ethtool.device_of(name) for name in ("ethtool-S-before.txt", "ethtool-S.txt", "ens5np0.txt")] == [
        None,
        None,
        "ens5np0",
    ]


def test_readings_of_one_file_are_numbered_per_interface() -> None:
    text = b"".join(b"# ethtool -S " + name + b"\n" + COUNTERS for name in (b"eth0", b"eth1", b"eth0"))
    rows = [row for row in ethtool.parse(text, "x").rows if row.values["counter"] == "rx_discards_phy"]
    assert [(row.values["device"], row.values["sample"]) for row in rows] == [("eth0", 0), ("eth1", 0), ("eth0", 1)]


def test_a_line_cut_in_its_value_is_counted() -> None:
    (problem,) = ethtool.parse(COUNTERS + b"     rx_prio0_by", "x").problems
    assert (problem.line, problem.count) == (5, 1)


def test_pause_settings_are_read_and_cited_by_the_first_that_is_on() -> None:
    text = b"Pause parameters for ens5np0:\nAutonegotiate:\toff\nRX:\t\toff\nTX:\t\ton\n"
    (row,) = ethtool_pause.parse(text, "x").rows
    assert (row.line, dict(row.values)) == (
        4,
        {"device": "ens5np0", "global_pause_rx": False, "global_pause_tx": True},
    )


def test_each_output_has_its_own_format() -> None:
    assert ethtool.sniff(COUNTERS, "x") is not None
    assert ethtool_pause.sniff(COUNTERS, "x") is None
    assert ethtool_pause.sniff(b"Pause parameters for eth0:\n", "x") is not None
