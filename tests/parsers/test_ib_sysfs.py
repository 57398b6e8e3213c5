"""Counters under ``/sys/class/infiniband``."""

from __future__ import annotations

from parsers import ib_sysfs

PASTED = b"""/sys/class/infiniband/mlx5_0/ports/1/hw_counters/out_of_sequence:911823
/sys/class/infiniband/mlx5_0/ports/1/counters/link_error_recovery:255
/sys/class/infiniband/mlx5_0/ports/1/hw_counters/out_of_sequence:911999
"""


def test_the_adapters_own_counters_are_numbered_readings() -> None:
    rows = [row for row in ib_sysfs.parse(PASTED, "hw_counters.txt").rows if row.table == "nic_counters"]
    assert [(row.line, dict(row.values)) for row in rows] == [
        (1, {"device": "mlx5_0", "port": 1, "counter": "out_of_sequence", "value": 911823, "sample": 0}),
        (3, {"device": "mlx5_0", "port": 1, "counter": "out_of_sequence", "value": 911999, "sample": 1}),
    ]


def test_port_counters_take_the_name_that_other_tools_print() -> None:
    (row,) = [row for row in ib_sysfs.parse(PASTED, "x").rows if row.table == "ib_counters"]
    assert (row.line, dict(row.values)) == (
        2,
        {
            "hca": "mlx5_0",
            "port": 1,
            "port_id": "mlx5_0/1",
            "counter": "LinkErrorRecoveryCounter",
            "value": 255,
            "saturated": True,
        },
    )


def test_a_file_of_a_copied_tree_holds_one_counter() -> None:
    path = "cn001/sys/class/infiniband/mlx5_3/ports/1/counters/symbol_error"
    (row,) = ib_sysfs.parse(b"12\n", path).rows
    assert (row.values["counter"], row.values["value"], row.values["hca"]) == ("SymbolErrorCounter", 12, "mlx5_3")
    assert ib_sysfs.sniff(b"12\n", path) is not None


def test_a_number_elsewhere_is_not_this_format() -> None:
    assert ib_sysfs.sniff(b"12\n", "cn001/sys/class/net/eth0/mtu") is None
