"""``ip link``: network interfaces and virtual functions."""

from __future__ import annotations

from parsers import ip_link

_VF = (
    b"    vf %d     link/infiniband 00:00:00:00 brd 00:ff:ff:ff, spoof checking off, "
    b"NODE_GUID %s, PORT_GUID %s, link-state auto, trust off\n"
)
_ZERO, _SET = b"00:00:00:00:00:00:00:00", b"02:aa:00:03:00:b1:00:01"
HOST = (
    b"3: ens108np0: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 9000 qdisc mq state UP mode DEFAULT group default qlen 1000\n"
    b"    link/ether 02:aa:00:03:10:07 brd ff:ff:ff:ff:ff:ff promiscuity 0 parentbus pci parentdev 0000:13:00.0 \n"
    b"    inet 10.40.0.11/24 brd 10.40.0.255 scope global ens108np0\n"
    b"4: ib0: <NO-CARRIER,BROADCAST,MULTICAST,UP> mtu 4092 qdisc mq state DOWN mode DEFAULT group default qlen 256\n"
    b"    link/infiniband 00:00:10:29:fe:80 brd 00:ff:ff:ff\n" + _VF % (0, _ZERO, _ZERO) + _VF % (1, _SET, _SET)
)


def test_an_interface_is_read_whole() -> None:
    row = ip_link.parse(HOST, "x").rows[0]
    assert (row.table, row.line, dict(row.values)) == (
        "netdevs",
        1,
        {
            "device": "ens108np0",
            "mtu": 9000,
            "oper_state": "UP",
            "up": True,
            "carrier": True,
            "link_type": "ether",
            "address": "02:aa:00:03:10:07",
            "ips": ["10.40.0.11/24"],
            "pci": "0000:13:00.0",
        },
    )


def test_an_interface_without_carrier_says_so() -> None:
    row = next(row for row in ip_link.parse(HOST, "x").rows if row.values.get("link_type") == "infiniband")
    assert (row.line, row.values["up"], row.values["carrier"], row.values["oper_state"]) == (4, True, False, "DOWN")


def test_virtual_functions_without_guid_are_marked() -> None:
    rows = [row for row in ip_link.parse(HOST, "x").rows if row.table == "sriov_vfs"]
    assert [(row.line, row.values["vf"], row.values["has_guid"], row.values["node_guid"]) for row in rows] == [
        (6, 0, False, "0x0000000000000000"),
        (7, 1, True, "0x02aa000300b10001"),
    ]


def test_every_line_is_understood() -> None:
    assert ip_link.parse(HOST, "x").problems == ()


def test_an_interface_line_decides_the_format() -> None:
    assert ip_link.sniff(HOST, "x") is not None
    assert ip_link.sniff(b"4: ib0 is down\n", "ip-link.txt") is None
