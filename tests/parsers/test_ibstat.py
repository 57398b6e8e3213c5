"""``ibstat``: ports of one host."""

from __future__ import annotations

from typing import Any

from parsers import ibstat

HOST = b"""CA 'mlx5_0'
\tCA type: MT4123
\tNumber of ports: 1
\tFirmware version: 20.38.1900
\tHardware version: 0
\tNode GUID: 0x02aa00031f8a1c00
\tSystem image GUID: 0x02aa00031f8a1c00
\tPort 1:
\t\tState: Initializing
\t\tPhysical state: LinkUp
\t\tRate: 200
\t\tBase lid: 0
\t\tLMC: 0
\t\tSM lid: 0
\t\tCapability mask: 0x0050c048
\t\tPort GUID: 0x02aa00031f8a1c01
\t\tLink layer: InfiniBand
CA 'mlx5_1'
\tCA type: MT4124
\tNumber of ports: 1
\tFirmware version: 20.38.1900
\tHardware version: 0
\tNode GUID: 0x0000000000000000
\tSystem image GUID: 0x02aa00031f8a1c00
\tPort 1:
\t\tState: Down
\t\tPhysical state: LinkUp
\t\tRate: 200
\t\tBase lid: 65535
\t\tLMC: 0
\t\tSM lid: 0
\t\tCapability mask: 0x00000000
\t\tPort GUID: 0x0000000000000000
\t\tLink layer: InfiniBand
"""


def ports(data: bytes) -> list[dict[str, Any]]:
    rows = [row for row in ibstat.parse(data, "ibstat.txt").rows if row.table == "ib_ports"]
    return [{**row.values, "line": row.line} for row in rows]


def test_a_port_is_read_whole() -> None:
    assert ports(HOST)[0] == {
        "ca": "mlx5_0",
        "port": 1,
        "port_id": "mlx5_0/1",
        "guid": "0x02aa00031f8a1c01",
        "guid_id": "0x02aa00031f8a1c01",
        "node_guid": "0x02aa00031f8a1c00",
        "lid": 0,
        "sm_lid": 0,
        "state": "Initializing",
        "phys_state": "LinkUp",
        "rate_gbps": 200.0,
        "link_layer": "InfiniBand",
        "firmware": "20.38.1900",
        "ca_type": "MT4123",
        "role": "hca",
        "line": 9,
    }


def test_a_virtual_function_without_guid_is_one() -> None:
    port = ports(HOST)[1]
    assert (port["role"], port["node_guid"], port["lid"], port["line"]) == ("vf", "0x0000000000000000", 65535, 26)


def test_the_guid_zero_identifies_no_port() -> None:
    assert "guid_id" not in ports(HOST)[1]


def test_the_rate_of_a_down_port_is_no_measurement() -> None:
    assert "rate_gbps" not in ports(HOST)[1]


def test_adapters_become_devices_cited_by_their_guid() -> None:
    rows = [row for row in ibstat.parse(HOST, "ibstat.txt").rows if row.table == "rdma_devices"]
    assert [(row.values["device"], row.values["ca_type"], row.values["has_guid"], row.line) for row in rows] == [
        ("mlx5_0", "MT4123", True, 6),
        ("mlx5_1", "MT4124", False, 23),
    ]


def test_a_tool_that_may_not_look_is_a_problem() -> None:
    assert [problem.line for problem in ibstat.parse(b"ibstat: Permission denied\n", "ibstat.err").problems] == [1]


def test_blanks_instead_of_tabs_and_carriage_returns_change_nothing() -> None:
    pasted = HOST.replace(b"\t", b"        ").replace(b"\n", b"\r\n")
    assert ports(pasted) == ports(HOST)


def test_the_flat_layout_of_a_single_port_is_read() -> None:
    flat = b"""CA: 'mlx5_0'
Port 1:
State: Active
Physical state: LinkUp
Rate: 56 (FDR10)
Base lid: 40
LMC: 0
SM lid: 1
Capability mask: 0xa751e848
Port GUID: 0x2aa000300c00000
Link layer: IB
"""
    (port,) = ports(flat)
    assert (port["rate_gbps"], port["guid_id"], port["link_layer"]) == (56.0, "0x02aa000300c00000", "InfiniBand")


def test_an_ethernet_port_has_neither_lid_nor_virtual_role() -> None:
    ethernet = HOST.replace(b"InfiniBand", b"Ethernet").replace(b"MT4124", b"MT4125")
    assert [port["role"] for port in ports(ethernet)] == ["hca", "hca"]


def test_a_trailing_error_of_the_tool_is_no_damage() -> None:
    dump = ibstat.parse(
        HOST + b"ibpanic: [14] main: stat of IB device 'mlx5_8' failed: No such file or directory\n", ""
    )
    assert dump.problems == ()


def test_a_line_that_is_not_understood_is_counted() -> None:
    (problem,) = ibstat.parse(HOST + b"rubbish\nmore rubbish\n", "").problems
    assert (problem.line, problem.count) == (35, 2)


def test_a_port_cut_before_its_state_is_a_problem() -> None:
    dump = ibstat.parse(b"\n".join(HOST.splitlines()[:8]), "ibstat.txt")
    assert [problem.text for problem in dump.problems] == ["port without a state"]


def test_content_decides_the_format() -> None:
    found = ibstat.sniff(HOST, "anything")
    assert found is not None
    assert found.score > 90
    assert ibstat.sniff(b"CA: gpu0012 mlx5_0:\n      0x02aa0003dd5ebf01     10    1[  ] ==( 4X", "x") is None
