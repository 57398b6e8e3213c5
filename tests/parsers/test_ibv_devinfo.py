"""``ibv_devinfo``: RDMA devices and ports as the verbs library sees them."""

from __future__ import annotations

from parsers import ibv_devinfo

VERBOSE = b"""hca_id:\tmlx5_0
\ttransport:\t\t\tInfiniBand (0)
\tfw_ver:\t\t\t\t28.39.3004
\tnode_guid:\t\t\t02aa:0003:0301:0000
\tsys_image_guid:\t\t\t02aa:0003:0301:0000
\tvendor_id:\t\t\t0x02c9
\tvendor_part_id:\t\t\t4129
\thw_ver:\t\t\t\t0x0
\tboard_id:\t\t\tMT_0000000838
\tphys_port_cnt:\t\t\t1
\t\tport:\t1
\t\t\tstate:\t\t\tPORT_ACTIVE (4)
\t\t\tmax_mtu:\t\t4096 (5)
\t\t\tactive_mtu:\t\t1024 (3)
\t\t\tsm_lid:\t\t\t1
\t\t\tport_lid:\t\t34
\t\t\tport_lmc:\t\t0x00
\t\t\tlink_layer:\t\tInfiniBand
\t\t\tactive_width:\t\t4X (2)
\t\t\tactive_speed:\t\t100.0 Gbps (128)
\t\t\tphys_state:\t\tLINK_UP (5)
\t\t\tGID[  0]:\t\tfe80:0000:0000:0000:02aa:0003:0301:0000

"""


def test_a_port_is_read_whole_and_cited_by_its_state() -> None:
    row = ibv_devinfo.parse(VERBOSE, "x").rows[0]
    assert (row.table, row.line, dict(row.values)) == (
        "ib_ports",
        12,
        {
            "ca": "mlx5_0",
            "port": 1,
            "port_id": "mlx5_0/1",
            "node_guid": "0x02aa000303010000",
            "lid": 34,
            "sm_lid": 1,
            "state": "Active",
            "phys_state": "LinkUp",
            "rate_gbps": 400.0,
            "width": 4,
            "speed_gbps": 100.0,
            "link_layer": "InfiniBand",
            "firmware": "28.39.3004",
            "ca_type": "MT4129",
            "role": "hca",
            "mtu": 1024,
        },
    )


def test_the_device_names_board_and_firmware() -> None:
    row = ibv_devinfo.parse(VERBOSE, "x").rows[1]
    assert (row.table, row.line, row.values["board_id"], row.values["ports"]) == ("rdma_devices", 4, "MT_0000000838", 1)


def test_every_line_is_understood() -> None:
    assert ibv_devinfo.parse(VERBOSE, "x").problems == ()


def test_speed_and_width_of_a_down_port_mean_nothing() -> None:
    row = ibv_devinfo.parse(VERBOSE.replace(b"PORT_ACTIVE (4)", b"PORT_DOWN (1)"), "x").rows[0]
    assert not {"width", "speed_gbps", "rate_gbps"} & set(row.values)


def test_the_device_line_decides_the_format() -> None:
    assert ibv_devinfo.sniff(b"[root@cn001 ~]# ibv_devinfo\n" + VERBOSE, "x") is not None
    assert ibv_devinfo.sniff(b"state: PORT_ACTIVE (4)\n", "ibv_devinfo.txt") is None
