"""``ibswinfo``: power supplies, fans and temperatures of a switch."""

from __future__ import annotations

from parsers import ibswinfo

SWITCH = b"""=================================================
ib-leaf-07
=================================================
part number        | MQM8790-HS2F
ports              | 80
GUID               | 0x02bb000300add20e
firmware version   | 27.2010.4102
-------------------------------------------------
PSU0 status        | OK
     DC power      | OK
     power (W)     | 287
PSU1 status        | OK
     DC power      | ERROR
     fan status    | ERROR
-------------------------------------------------
temperature (C)    | 47
-------------------------------------------------
fan status         | OK
fan#1 (rpm)        | 5959
-------------------------------------------------
"""


def test_a_supply_without_power_is_a_state_that_is_not_ok() -> None:
    bad = [row for row in ibswinfo.parse(SWITCH, "x").rows if row.values.get("ok") is False]
    assert [(row.line, row.values["part"], row.values["reading"], row.values["switch"]) for row in bad] == [
        (13, "PSU1", "DC power", "ib-leaf-07"),
        (14, "PSU1", "fan status", "ib-leaf-07"),
    ]


def test_a_state_that_could_not_be_read_is_unknown() -> None:
    rows = ibswinfo.parse(SWITCH.replace(b"| ERROR", b"|"), "x").rows
    assert all(row.values.get("ok", True) for row in rows)


def test_measured_values_are_numbers() -> None:
    rows = [row.values for row in ibswinfo.parse(SWITCH, "x").rows if "number" in row.values]
    numbers = [(row["part"], row["reading"], row["number"]) for row in rows]
    assert numbers == [
        ("PSU0", "power (W)", 287.0),
        ("switch", "temperature (C)", 47.0),
        ("fan", "fan#1 (rpm)", 5959.0),
    ]


def test_readings_carry_the_guid_of_their_own_switch() -> None:
    both = SWITCH + SWITCH.replace(b"0x02bb000300add20e", b"0x02bb000300add20f").replace(b"leaf-07", b"leaf-08")
    assert {(row.values["switch"], row.values["switch_guid"]) for row in ibswinfo.parse(both, "x").rows} == {
        ("ib-leaf-07", "0x02bb000300add20e"),
        ("ib-leaf-08", "0x02bb000300add20f"),
    }


def test_the_table_of_parts_decides_the_format() -> None:
    assert ibswinfo.sniff(SWITCH, "x") is not None
    assert ibswinfo.sniff(b"ports | 80\n", "ibswinfo.txt") is None
