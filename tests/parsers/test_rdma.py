"""``rdma link`` and ``rdma statistic``."""

from __future__ import annotations

from parsers import rdma

LINKS = b"""link mlx5_0/1 state ACTIVE physical_state LINK_UP netdev ens3np0
link mlx5_1/1 subnet_prefix fe80:0000:0000:0000 lid 3 sm_lid 1 lmc 0 state INIT physical_state LINK_UP
1/1: mlx5_2/1: state DOWN physical_state POLLING netdev ens4np0
"""


def test_an_ethernet_port_names_its_interface() -> None:
    row = rdma.parse(LINKS, "x").rows[0]
    assert (row.line, dict(row.values)) == (
        1,
        {
            "ca": "mlx5_0",
            "port": 1,
            "port_id": "mlx5_0/1",
            "state": "Active",
            "phys_state": "LinkUp",
            "link_layer": "Ethernet",
            "role": "hca",
            "netdev": "ens3np0",
        },
    )


def test_an_infiniband_port_has_lids() -> None:
    row = rdma.parse(LINKS, "x").rows[1]
    assert [row.values[name] for name in ("lid", "sm_lid", "state", "link_layer")] == [
        3,
        1,
        "Initializing",
        "InfiniBand",
    ]


def test_the_older_layout_is_read() -> None:
    row = rdma.parse(LINKS, "x").rows[2]
    assert [row.values[name] for name in ("ca", "state", "phys_state")] == ["mlx5_2", "Down", "Polling"]


def test_statistics_become_counters() -> None:
    rows = rdma.parse(b"link mlx5_0/1 rx_write_requests 0 out_of_sequence 12\n", "x").rows
    assert [(row.values["counter"], row.values["value"]) for row in rows] == [
        ("rx_write_requests", 0),
        ("out_of_sequence", 12),
    ]


def test_a_link_line_decides_the_format() -> None:
    assert rdma.sniff(LINKS, "x") is not None
    assert rdma.sniff(b"link ens3np0 up\n", "rdma.txt") is None
