"""``iblinkinfo``: link ends of a fabric in every layout."""

from __future__ import annotations

from typing import Any

import pytest

from parsers import iblinkinfo

FABRIC = b"""CA: gpu0005 mlx5_0:
      0x02aa0003478ee501     10    1[  ] ==( 1X        53.125 Gbps Active/  LinkUp)==>       3    1[  ] "MF0;leaf-02:MQM8700/U1" (Could be 4X )
CA: gpu0006 mlx5_0:
      0x02aa0003d8133301      6    1[  ] ==( 4X      25.78125 Gbps Active/  LinkUp)==>       3    2[  ] "MF0;leaf-02:MQM8700/U1" (Could be 12X Could be 53.125 Gbps)
CA: gpu0007 mlx5_0:
      0x02aa0003f4e91201      0    1[  ] ==( 4X        53.125 Gbps Initialize/  LinkUp)==>       3    4[  ] "MF0;leaf-02:MQM8700/U1" ( )
Switch: 0x02bb00034bb96000 MF0;leaf-02:MQM8700/U1:
           3    1[  ] ==( 1X        53.125 Gbps Active/  LinkUp)==>      10    1[  ] "gpu0005 mlx5_0" (Could be 4X )
           3    2[  ] ==( 4X      25.78125 Gbps Active/  LinkUp)==>       6    1[  ] "gpu0006 mlx5_0" (Could be 12X Could be 53.125 Gbps)
           3    3[  ] ==(                Down/Disabled)==>             [  ] "" ( )
           3    4[  ] ==( 4X        53.125 Gbps Initialize/  LinkUp)==>       0    1[  ] "gpu0007 mlx5_0" ( )
           3    5[  ] ==( 4X        53.125 Gbps Active/  LinkUp)==>      "Port not available"
           3   40[ 4] ==( 4X        53.125 Gbps Active/  LinkUp)==>       4    8[ 2] "MF0;spine-01:MQM8700/U1" ( )
"""  # noqa: E501


def links(data: bytes) -> list[dict[str, Any]]:
    rows = [row for row in iblinkinfo.parse(data, "iblinkinfo.txt").rows if row.table == "ib_links"]
    return [{**row.values, "line": row.line, "node": row.node} for row in rows]


def test_a_host_end_is_read_whole() -> None:
    assert links(FABRIC)[0] == {
        "guid": "0x02aa0003478ee501",
        "guid_id": "0x02aa0003478ee501",
        "lid": 10,
        "port": 1,
        "port_id": "gpu0005 mlx5_0/1",
        "node_desc": "gpu0005 mlx5_0",
        "kind": "ca",
        "host": "gpu0005",
        "hca": "mlx5_0",
        "state": "Active",
        "phys_state": "LinkUp",
        "width": 1,
        "speed_gbps": 53.125,
        "could_width": 4,
        "peer_guid": "0x02bb00034bb96000",
        "peer_lid": 3,
        "peer_port": 1,
        "peer_port_id": "MF0;leaf-02:MQM8700/U1/1",
        "peer_desc": "MF0;leaf-02:MQM8700/U1",
        "peer_kind": "switch",
        "peer_switch": "leaf-02",
        "peer_known": True,
        "link_id": "MF0;leaf-02:MQM8700/U1/1 <-> gpu0005 mlx5_0/1",
        "listing": "full",
        "line": 2,
        "node": "gpu0005",
    }


def test_a_switch_end_knows_its_peer_by_guid() -> None:
    end = links(FABRIC)[3]
    assert (end["switch"], end["guid_id"], end["peer_host"], end["peer_guid"], end["line"], end["node"]) == (
        "leaf-02",
        "0x02bb00034bb96000",
        "gpu0005",
        "0x02aa0003478ee501",
        8,
        None,
    )


def test_both_hints_are_read() -> None:
    assert (links(FABRIC)[1]["could_width"], links(FABRIC)[1]["could_speed_gbps"]) == (12, 53.125)


def test_a_down_port_has_neither_width_nor_speed_nor_peer() -> None:
    end = links(FABRIC)[5]
    assert (end["state"], end["phys_state"], end["peer_known"]) == ("Down", "Disabled", False)
    assert not {"width", "speed_gbps", "peer_desc", "link_id"} & set(end)


def test_a_peer_that_does_not_answer_is_unknown_although_the_link_is_up() -> None:
    end = links(FABRIC)[7]
    assert (end["phys_state"], end["peer_known"], end["width"]) == ("LinkUp", False, 4)


def test_external_port_numbers_do_not_hide_the_port() -> None:
    end = links(FABRIC)[8]
    assert (end["port_id"], end["peer_port_id"]) == ("MF0;leaf-02:MQM8700/U1/40", "MF0;spine-01:MQM8700/U1/8")


LINE = b"""0x02aa0003478ee501 "                gpu0005 mlx5_0"     10    1[  ] ==( 1X        53.125 Gbps Active/  LinkUp)==>  0x02bb00034bb96000      3    1[  ] "MF0;leaf-02:MQM8700/U1" (Could be 4X )
0x02bb00034bb96000 "        MF0;leaf-02:MQM8700/U1"      3    1[  ] ==( 1X        53.125 Gbps Active/  LinkUp)==>  0x02aa0003478ee501     10    1[  ] "gpu0005 mlx5_0" (Could be 4X )
0x02bb00034bb96000 "        MF0;leaf-02:MQM8700/U1"      3    3[  ] ==(                Down/Disabled)==>             [  ] "" ( )
"""  # noqa: E501


def test_the_line_layout_says_the_same() -> None:
    wide, narrow = links(LINE), [links(FABRIC)[0], links(FABRIC)[3], links(FABRIC)[5]]
    assert [{**end, "line": 0} for end in wide] == [{**end, "line": 0} for end in narrow]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"LinkUp)==>", b"LinkUp) (HOQ:18 VL_Stall:7)==>"),
        (b"Active/  LinkUp", b"Active/ LinkUp"),
        (b"4X        53.125 Gbps", b"4X 53.125 Gbps"),
        (b'      3    1[  ] "MF0', b' 3 1[  ] "MF0'),
        (b"\n", b"\r\n"),
    ],
    ids=["additional", "older blank", "narrow", "narrow peer", "carriage returns"],
)
def test_other_layouts_say_the_same(old: bytes, new: bytes) -> None:
    assert links(FABRIC.replace(old, new)) == links(FABRIC)


def test_speed_with_a_name_in_parentheses_is_read() -> None:
    fdr10 = FABRIC.replace(b"53.125 Gbps Active", b"10.0 Gbps (FDR10) Active")
    assert [links(fdr10)[0][name] for name in ("speed_gbps", "state", "phys_state")] == [10.0, "Active", "LinkUp"]


def test_a_difference_marks_old_and_new_ends() -> None:
    both = b"< " + LINE.splitlines()[1] + b"\n> " + LINE.splitlines()[2] + b"\n"
    assert [end["diff"] for end in links(both)] == ["<", ">"]


def test_a_cut_line_is_counted() -> None:
    dump = iblinkinfo.parse(FABRIC + b"           3   41[  ] ==( 4X  ==>", "iblinkinfo.txt")
    assert [(problem.text, problem.line) for problem in dump.problems] == [("damaged link line", 14)]


def test_messages_between_the_lines_are_no_damage() -> None:
    noise = b"./libibnetdisc/ibnetdisc.c:667; Duplicate Port: Port with guid 0x02aa000341d82b01 already exists\n"
    assert iblinkinfo.parse(noise + FABRIC, "iblinkinfo.txt").problems == ()


def test_two_hosts_with_one_description_leave_the_peer_unresolved() -> None:
    twice = FABRIC.replace(b"gpu0006", b"gpu0005").replace(b"      6    1[", b"     10    1[")
    assert "peer_guid" not in links(twice)[3]


def test_nodes_that_carry_only_a_products_name_are_told_apart_by_guid() -> None:
    unnamed = FABRIC.replace(b"MF0;leaf-02:MQM8700/U1", b"Quantum Mellanox Technologies")
    host, switch = links(unnamed)[0], links(unnamed)[3]
    assert (host["peer_port_id"], switch["port_id"]) == ("0x02bb00034bb96000/1", "0x02bb00034bb96000/1")
    assert host["link_id"] == switch["link_id"] == "0x02bb00034bb96000/1 <-> gpu0005 mlx5_0/1"


def test_link_ends_decide_the_format_but_not_inside_a_counter_report() -> None:
    found = iblinkinfo.sniff(FABRIC, "x")
    assert found is not None
    assert found.score > 90
    assert iblinkinfo.sniff(b'Errors for "a mlx5_0"\n' + FABRIC, "x") is None
