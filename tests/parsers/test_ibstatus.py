"""``ibstatus``: ports of one host from sysfs."""

from __future__ import annotations

from parsers import ibstatus

HOST = b"""Infiniband device 'mlx5_0' port 1 status:
\tdefault gid:\t fe80:0000:0000:0000:02aa:0003:00c0:0001
\tbase lid:\t 0x96
\tsm lid:\t\t 0x1c
\tstate:\t\t 2: INIT
\tphys state:\t 5: LinkUp
\trate:\t\t 200 Gb/sec (4X HDR)
\tlink_layer:\t InfiniBand

Infiniband device 'mlx5_an0' port 1 status:
\tdefault gid:\t unknown
\tbase lid:\t 0x0
\tsm lid:\t\t 0x0
\tstate:\t\t 1: DOWN
\tphys state:\t 3: Disabled
\trate:\t\t 40 Gb/sec (4X QDR)
\tlink_layer:\t Ethernet

"""


def test_hexadecimal_lids_numbered_states_and_the_rate_are_read() -> None:
    row = ibstatus.parse(HOST, "x").rows[0]
    assert (row.line, dict(row.values)) == (
        5,
        {
            "ca": "mlx5_0",
            "port": 1,
            "port_id": "mlx5_0/1",
            "guid": "0x02aa000300c00001",
            "guid_id": "0x02aa000300c00001",
            "lid": 0x96,
            "sm_lid": 0x1C,
            "state": "Initializing",
            "phys_state": "LinkUp",
            "rate_gbps": 200.0,
            "width": 4,
            "speed_gbps": 50.0,
            "link_layer": "InfiniBand",
            "role": "hca",
        },
    )


def test_a_down_ethernet_port_has_no_rate_and_no_guid() -> None:
    row = ibstatus.parse(HOST, "x").rows[1]
    assert (row.line, row.values["state"], row.values["link_layer"]) == (14, "Down", "Ethernet")
    assert not {"rate_gbps", "guid_id", "width"} & set(row.values)


def test_a_rate_without_speed_name_is_read() -> None:
    row = ibstatus.parse(HOST.replace(b"200 Gb/sec (4X HDR)", b"10 Gb/sec (4X)"), "x").rows[0]
    assert (row.values["rate_gbps"], row.values["width"]) == (10.0, 4)


def test_a_host_without_devices_is_a_problem() -> None:
    dump = ibstatus.parse(b"Fatal error:  device '*': sys files not found (/sys/class/infiniband/*/ports)\n", "x")
    assert ([problem.line for problem in dump.problems], list(dump.rows)) == ([1], [])


def test_the_header_decides_the_format() -> None:
    assert ibstatus.sniff(HOST, "x") is not None
    assert ibstatus.sniff(b"CA 'mlx5_0'\n", "ibstatus.txt") is None
