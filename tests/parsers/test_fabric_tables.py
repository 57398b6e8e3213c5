"""What every table parser of the fabric family keeps for any input."""

from __future__ import annotations

import importlib
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from analyzer.model.formats import Dump, TableParser
from analyzer.model.tables import Column

NAMES: Final = (
    "ibstat",
    "iblinkinfo",
    "ibqueryerrors",
    "perfquery",
    "sminfo",
    "saquery",
    "mlxlink",
    "ibv_devinfo",
    "ibstatus",
    "show_gids",
    "ethtool",
    "ethtool_pause",
    "mlnx_qos",
    "ib_sysfs",
    "ibnetdiscover",
    "ibhosts",
    "rdma",
    "ip_link",
    "opensm_conf",
    "ibswinfo",
)
PARSERS: Final[list[Any]] = [importlib.import_module(f"parsers.{name}") for name in NAMES]

FRAGMENTS: Final = (
    b"CA 'mlx5_0'",
    b"Port 1:",
    b"State: Active",
    b"Rate: 1e999",
    b"Node GUID: 0x0",
    b"Port GUID: 0x",
    b"CA: a mlx5_0:",
    b'      0x02aa  10    1[  ] ==( 4X   53.125 Gbps Active/  LinkUp)==>   3    1[  ] "MF0;l:M/U1" (Could be 4X )',
    b"Switch: 0x02bb MF0;l:M/U1:",
    b'Errors for 0x2 "a"',
    b"GUID 0x2 port 3: [SymbolErrorCounter == 11] [x == 99999999999999999999]",
    b"## Summary: 15 nodes checked, 2 bad nodes found",
    b"## Suppressed: a b",
    b"# Port counters: Lid 7 port 1 (CapMask: 0x1200)",
    b"SymbolErrorCounter:..............19877",
    b"sminfo: sm lid 1 sm guid 0x2, activity count 2 priority 5 state 9",
    b"SMInfoRecord dump:",
    b"\t\tSMState...............3",
    b"Operational Info",
    b"----------------",
    b"Width                              : 99999999999999999999999x",
    b"Rx Power Current [dBm]  : a,b,,1.0 [-7..5]",
    b"Module Info",
    b"{",
    b"}",
    b'"result": {"output": {"Operational Info": {"State": null, "Width": {"values": 1}}}}',
    b"{" * 50,
    b"hca_id:\tmlx5_0",
    b"\t\tport:\t1",
    b"\t\t\tstate:\tPORT_ACTIVE (4)",
    b"Infiniband device 'mlx5_0' port 1 status:",
    b"\trate:\t200 Gb/sec (4X HDR)",
    b"DEV\tPORT\tINDEX\tGID\tIPv4\tVER\tDEV",
    b"mlx5_0\t1\t0\tfe80::1\t\tv1\teth0",
    b"NIC statistics:",
    b"4: ib0: <UP,LOWER_UP> mtu 4092 state UP",
    b"    vf 1     link/infiniband 00 NODE_GUID 00:00:00:00:00:00:00:00, link-state auto",
    b"    inet 10.0.0.1/24 brd x",
    b"sm_priority 99999999999999999999999999999999999",
    b"PSU1 status        | OK",
    b"     power (W)     | 1e999",
    b"GUID               | 0x00",
    b"=================",
    b"Pause parameters for eth0:",
    b"RX:\t\ton",
    b"DCBX mode: OS controlled",
    b"Priority trust state: pcp",
    b"/sys/class/infiniband/mlx5_0/ports/1/hw_counters/x:99999999999999999999",
    b"/sys/class/infiniband/mlx5_0/ports/1/counters/symbol_error:65535",
    b"link mlx5_0/1 rx_write_requests 0 out_of_sequence 12",
    b"n_gids_found=3",
    b"\t\t\tactive_width:\t4X (2)",
    b"\t\t\tactive_speed:\t50.0 Gbps (64)",
    b"     rx_discards_phy: 1844212",
    b"PFC configuration:",
    b"\tenabled     0   0   1",
    b"\tpriority    0   1   2",
    b'Switch\t40 "S-02bb"\t\t# "MF0;l:M/U1" enhanced port 0 lid 3 lmc 0',
    b'[1]\t"H-02aa"[1](2aa) \t\t# "a mlx5_0" lid 10 1xHDR',
    b"link mlx5_0/1 state ACTIVE physical_state LINK_UP netdev e",
    b'Ca\t: 0x02aa ports 1 "a mlx5_0"',
    b"CA 8 1 0x02 4x HDR - SW 3 4 0x02 ( 'a' - 'b' )",
)

INPUTS: Final = st.one_of(
    st.binary(max_size=400),
    st.lists(st.one_of(st.sampled_from(FRAGMENTS), st.binary(max_size=30)), max_size=12).map(b"\n".join),
)
TYPES: Final = {"str": str, "int": int, "float": float, "bool": bool, "strs": list}


def fits(column: Column, value: object) -> bool:
    if column.dtype == "strs":
        return isinstance(value, list) and all(isinstance(part, str) for part in value)
    if column.dtype == "int":
        return isinstance(value, int) and not isinstance(value, bool) and -(2**63) <= value < 2**63
    return isinstance(value, TYPES[column.dtype])


def check(parser: TableParser, data: bytes) -> Dump:
    dump = parser.parse(data, "dir/file.txt")
    count = data.count(b"\n") + 1
    columns = {table.name: {column.name: column for column in table.columns} for table in parser.TABLES}
    for row in dump.rows:
        assert 1 <= row.line <= count
        for name, value in row.values.items():
            assert fits(columns[row.table][name], value), (row.table, name, value)
    assert all(0 <= problem.line <= count for problem in dump.problems)
    return dump


@pytest.mark.parametrize("parser", PARSERS, ids=NAMES)
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=INPUTS)
def test_any_bytes_give_typed_rows_within_the_input(parser: TableParser, data: bytes) -> None:
    check(parser, data)


@pytest.mark.parametrize("parser", PARSERS, ids=NAMES)
@settings(max_examples=60, deadline=None)
@given(data=INPUTS)
def test_any_bytes_can_be_judged(parser: TableParser, data: bytes) -> None:
    found = parser.sniff(data, "dir/file.txt")
    assert found is None or 0 < found.score <= 100


@pytest.mark.parametrize("parser", PARSERS, ids=NAMES)
@pytest.mark.parametrize(
    "unit",
    [
        b"A",
        b" ",
        b"==(",
        b'"',
        b"[",
        b"0",
        b"a: ",
        b"1 ",
        b"/",
        b"Could be ",
        b"\x1b[",
        b"{",
        b"== 1",
        b"' - '",
        b'0x1 "',
        b"/a",
        b"(1)",
    ],
)
def test_long_hostile_lines_are_read_in_linear_time(parser: TableParser, unit: bytes) -> None:
    line = b'   3    1[  ] ==( 4X 53.125 Gbps Active/ LinkUp)==> 1 2[ ] "' + unit * 50_000
    listed = b"CA 8 1 0x02 4x HDR - SW 3 4 0x02 ( '" + unit * 50_000
    check(parser, b"\n".join((line, unit * 50_000, listed)))


@pytest.mark.parametrize("parser", PARSERS, ids=NAMES)
def test_columns_are_unique_and_do_not_repeat_the_place_of_a_row(parser: TableParser) -> None:
    for table in parser.TABLES:
        names = table.names()
        assert len(set(names)) == len(names)
        assert not {"source", "segment", "line", "event", "text", "node", "time", "clock", "clock_s"} & set(names)
