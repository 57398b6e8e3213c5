"""``ibnetdiscover`` and ``ibhosts``: nodes and connected ports of a fabric."""

from __future__ import annotations

from typing import Any

from parsers import ibhosts, ibnetdiscover

RECORDS = b"""#
# Topology file: generated on Mon Nov 30 21:57:53 2026
#
# Initiated from node 02aa0003e1265600 port 02aa0003e1265601

vendid=0x2c9
devid=0xd2f0
sysimgguid=0x2bb00034bb96000
switchguid=0x2bb00034bb96000(2bb00034bb96000)
Switch\t40 "S-02bb00034bb96000"\t\t# "MF0;leaf-02:MQM8700/U1" enhanced port 0 lid 3 lmc 0
[1]\t"H-02aa0003478ee500"[1](2aa0003478ee501) \t\t# "gpu0005 mlx5_0" lid 10 1xHDR
[37]\t"S-02bb00038030f300"[5]\t\t# "MF0;spine-01:MQM8700/U1" lid 4 4xNDR s=4 w=2 v=4

vendid=0x2c9
devid=0x101b
sysimgguid=0x2aa0003478ee500
caguid=0x2aa0003478ee500
Ca\t1 "H-02aa0003478ee500"\t\t# "gpu0005 mlx5_0"
[1](2aa0003478ee501) \t"S-02bb00034bb96000"[1]\t\t# lid 10 lmc 0 "MF0;leaf-02:MQM8700/U1" lid 3 1xHDR
"""


def rows(table: str, data: bytes = RECORDS) -> list[dict[str, Any]]:
    found = ibnetdiscover.parse(data, "ibnetdiscover.txt").rows
    return [{**row.values, "line": row.line, "node": row.node} for row in found if row.table == table]


def test_nodes_are_listed_with_their_kind() -> None:
    names = ("kind", "node_guid", "switch", "node", "line")
    assert [tuple(node.get(name) for name in names) for node in rows("ib_nodes")] == [
        ("switch", "0x02bb00034bb96000", "leaf-02", None, 10),
        ("ca", "0x02aa0003478ee500", None, "gpu0005", 18),
    ]


def test_a_switch_port_names_the_adapter_port_behind_it() -> None:
    port = rows("ib_links")[0]
    names = ("port_id", "lid", "width", "speed_gbps", "peer_guid", "peer_lid", "peer_port_id", "peer_host", "line")
    assert [port[name] for name in names] == [
        "MF0;leaf-02:MQM8700/U1/1",
        3,
        1,
        53.125,
        "0x02aa0003478ee501",
        10,
        "gpu0005 mlx5_0/1",
        "gpu0005",
        11,
    ]


def test_an_adapter_port_has_its_own_guid_and_lid() -> None:
    port = rows("ib_links")[2]
    assert (port["guid_id"], port["lid"], port["peer_guid"], port["peer_switch"], port["node"]) == (
        "0x02aa0003478ee501",
        10,
        "0x02bb00034bb96000",
        "leaf-02",
        "gpu0005",
    )


def test_both_ends_name_one_link() -> None:
    assert rows("ib_links")[0]["link_id"] == rows("ib_links")[2]["link_id"]


def test_the_logical_state_is_not_invented() -> None:
    assert "state" not in rows("ib_links")[0]


PORTS = b"""CA    10  1 0x02aa0003478ee501 1x HDR - SW     3  1 0x02bb00034bb96000 ( 'gpu0005 mlx5_0' - 'MF0;leaf-02:MQM8700/U1' )
SW     3 36 0x02bb00034bb96000 4x SDR                                    'MF0;leaf-02:MQM8700/U1'
SW   479 22 0x0002c9020040f161 4x ???                                   Infiniscale-IV Mellanox Technologies
"""  # noqa: E501


def test_the_port_list_says_the_same() -> None:
    as_printed = {"line": 0, "guid": ""}
    assert rows("ib_links", PORTS)[0] | as_printed == rows("ib_links")[2] | as_printed


def test_the_speed_of_an_unconnected_port_means_nothing() -> None:
    port = rows("ib_links", PORTS)[1]
    assert (port["port_id"], port["peer_known"]) == ("MF0;leaf-02:MQM8700/U1/36", False)
    assert not {"speed_gbps", "width", "phys_state"} & set(port)


def test_every_line_is_understood() -> None:
    assert ibnetdiscover.parse(RECORDS + PORTS, "x").problems == ()


HOSTS = b"""Ca\t: 0x02aa00032ded7e00 ports 1 "gpu0008 mlx5_0"
Switch\t: 0x02bb00034bb96000 ports 40 "MF0;leaf-02:MQM8700/U1" enhanced port 0 lid 3 lmc 0
./libibnetdisc/ibnetdisc.c:667; Duplicate Port: Port with guid 0x02aa000341d82b01 already exists in ports DB
"""


def test_host_lists_are_read() -> None:
    dump = ibhosts.parse(HOSTS, "ibhosts.txt")
    assert [(row.line, row.values["kind"], row.node, row.values.get("lid")) for row in dump.rows] == [
        (1, "ca", "gpu0008", None),
        (2, "switch", None, 3),
    ]
    assert dump.problems == ()


def test_each_listing_has_its_own_format() -> None:
    assert ibnetdiscover.sniff(RECORDS, "x") is not None
    assert ibnetdiscover.sniff(PORTS, "x") is not None
    assert ibnetdiscover.sniff(HOSTS, "x") is None
    assert ibhosts.sniff(HOSTS, "x") is not None
