"""``mlxlink``: link diagnosis as text and as JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest

from parsers import mlxlink

TEXT = b"""
Operational Info
----------------
State                              : Active
Physical state                     : LinkUp
Speed                              : IB-NDR
Width                              : 4x
FEC                                : Interleaved_Standard_RS_FEC_PLR - (544,514)
Loopback Mode                      : No Loopback
Auto Negotiation                   : ON

Troubleshooting Info
--------------------
Status Opcode                      : 15
Group Opcode                       : PHY FW
Recommendation                     : Bad signal integrity

Module Info
-----------
Temperature [C]                    : 84 [-5..75]
Voltage [mV]                       : 3301.2 [3135..3465]
Rx Power Current [dBm]             : 1.912,2.004,1.877,-5.530 [-7..7]
Tx Power Current [dBm]             : 2.210,2.305,2.190,2.244 [-6..7]
Identifier                         : OSFP
Vendor Part Number                 : MMS4X00-NM

Physical Counters and BER Info
------------------------------
Time Since Last Clear [Min]        : 62.9
Effective Physical Errors          : 9908841
Effective Physical BER             : 6E-09
Raw Physical Errors Per Lane       : 1911221,2100931,2004112,98120733911
Raw Physical BER                   : 2E-04
Symbol BER                         : 15E-255
Link Down Counter                  : 2
"""


def rows(table: str, data: bytes = TEXT, path: str = "mlxlink-gpu0011-mlx5_2.txt") -> list[dict[str, Any]]:
    found = mlxlink.parse(data, path).rows
    return [{**row.values, "line": row.line} for row in found if row.table == table]


def test_the_diagnosis_is_read_whole() -> None:
    assert rows("link_diag") == [
        {
            "device": "mlx5_2",
            "port_id": "mlx5_2/1",
            "state": "Active",
            "phys_state": "LinkUp",
            "speed": "IB-NDR",
            "width": 4,
            "fec": "Interleaved_Standard_RS_FEC_PLR - (544,514)",
            "auto_negotiation": "ON",
            "loopback": "No Loopback",
            "opcode": 15,
            "opcode_group": "PHY FW",
            "recommendation": "Bad signal integrity",
            "effective_ber": 6e-9,
            "raw_ber": 2e-4,
            "symbol_ber": 0.0,
            "effective_errors": 9908841,
            "link_downed": 2,
            "since_clear_min": 62.9,
            "temperature_c": 84.0,
            "temperature_low_c": -5.0,
            "temperature_high_c": 75.0,
            "voltage_mv": 3301.2,
            "rx_power_dbm": ["1.912", "2.004", "1.877", "-5.530"],
            "tx_power_dbm": ["2.210", "2.305", "2.190", "2.244"],
            "raw_errors": ["1911221", "2100931", "2004112", "98120733911"],
            "identifier": "OSFP",
            "part_number": "MMS4X00-NM",
            "line": 14,
        }
    ]


def test_each_lane_has_a_row_with_the_modules_limits() -> None:
    weak = rows("link_lanes")[3]
    assert weak == {
        "device": "mlx5_2",
        "port_id": "mlx5_2/1",
        "lane": 3,
        "rx_power_dbm": -5.53,
        "rx_power_low_dbm": -7.0,
        "rx_power_high_dbm": 7.0,
        "tx_power_dbm": 2.244,
        "tx_power_low_dbm": -6.0,
        "tx_power_high_dbm": 7.0,
        "raw_errors": 98120733911,
        "lanes": 4,
        "width": 4,
        "line": 22,
    }


def test_every_key_can_be_cited_by_its_own_line() -> None:
    fec = next(fact for fact in rows("link_facts") if fact["key"] == "FEC")
    heat = next(fact for fact in rows("link_facts") if fact["key"] == "Temperature [C]")
    assert (fec["line"], fec["section"]) == (8, "Operational Info")
    assert (heat["line"], heat["number"]) == (20, 84.0)


@pytest.mark.parametrize("zero", [b"15E-255", b"1.5E-254"])
def test_the_printed_form_of_zero_is_zero(zero: bytes) -> None:
    assert rows("link_diag", TEXT.replace(b"6E-09", zero))[0]["effective_ber"] == 0.0


def test_values_that_are_not_available_are_left_out() -> None:
    down = TEXT.replace(b"IB-NDR", b"N/A").replace(b"4x", b"N/A").replace(b"6E-09", b"N/A")
    assert not {"speed", "width", "effective_ber"} & set(rows("link_diag", down)[0])


def test_two_ports_in_one_file_are_two_diagnoses_named_by_their_commands() -> None:
    both = b"# mlxlink -d mlx5_0 -m -c\n" + TEXT + b"# mlxlink -d mlx5_1 -p 2 -m -c\n" + TEXT
    assert [row["port_id"] for row in rows("link_diag", both, "links.txt")] == ["mlx5_0/1", "mlx5_1/2"]


def test_colours_of_a_terminal_are_ignored() -> None:
    coloured = TEXT.replace(b"Active", b"\x1b[32mActive\x1b[0m")
    assert rows("link_diag", coloured) == rows("link_diag")


JSON = json.dumps(
    {
        "result": {
            "output": {
                "Operational Info": {"State": "Active", "Width": "4x"},
                "Physical Counters and BER Info": {
                    "Effective Physical BER": "15E-255",
                    "Raw Physical Errors Per Lane": {"values": ["8120", "9922"]},
                },
                "Troubleshooting Info": {"Status Opcode": "0"},
            }
        },
        "status": {"code": 0, "message": "success"},
    },
    indent=3,
).encode()


def test_json_says_the_same_with_the_lines_of_its_keys() -> None:
    (diag,) = rows("link_diag", JSON)
    assert (diag["state"], diag["width"], diag["effective_ber"], diag["opcode"], diag["line"]) == (
        "Active",
        4,
        0.0,
        0,
        18,
    )
    assert [lane["raw_errors"] for lane in rows("link_lanes", JSON)] == [8120, 9922]


def test_json_of_a_failed_run_is_a_problem() -> None:
    dump = mlxlink.parse(b'{"result": {}, "status": {"code": 1}, "x": "Operational Info"}', "x")
    assert ([problem.text for problem in dump.problems], list(dump.rows)) == (["no result in the JSON object"], [])


def test_the_first_section_decides_the_format() -> None:
    assert mlxlink.sniff(TEXT, "x") is not None
    assert mlxlink.sniff(JSON, "x") is not None
    assert mlxlink.sniff(b"bash: mlxlink: command not found\n", "mlxlink.txt") is None
