"""``mlnx_qos``: priority flow control and trust of an interface."""

from __future__ import annotations

from parsers import mlnx_qos

SETTINGS = b"""DCBX mode: OS controlled
Priority trust state: dscp
dscp2prio mapping:
\tprio:0 dscp:07,06,05,04,03,02,01,00,
default priority:
Receive buffer size (bytes): 20016,156096,0,0,0,0,0,0,max_buffer_size=262096
Cable len: 7
PFC configuration:
\tpriority    0   1   2   3   4   5   6   7
\tenabled     0   0   0   1   0   0   0   0   
\tbuffer      0   0   0   1   0   0   0   0   
tc: 0 ratelimit: unlimited, tsa: vendor
\t priority:  1
"""  # noqa: W291


def test_each_priority_is_a_row_cited_by_the_enabled_line() -> None:
    dump = mlnx_qos.parse(SETTINGS, "mlnx_qos-ens108np0.txt")
    assert dump.problems == ()
    assert [row.values["pfc_enabled"] for row in dump.rows] == [False, False, False, True, False, False, False, False]
    assert (dump.rows[3].line, dict(dump.rows[3].values)) == (
        10,
        {
            "device": "ens108np0",
            "priority": 3,
            "pfc_enabled": True,
            "trust": "dscp",
            "dcbx": "OS controlled",
            "pfc_any": True,
        },
    )


def test_an_interface_without_flow_control_says_so_in_every_row() -> None:
    rows = mlnx_qos.parse(SETTINGS.replace(b"0   0   0   1", b"0   0   0   0"), "x").rows
    assert {row.values["pfc_any"] for row in rows} == {False}


def test_the_trust_state_decides_the_format() -> None:
    assert mlnx_qos.sniff(SETTINGS, "x") is not None
    assert mlnx_qos.sniff(b"priority: 1\n", "mlnx_qos.txt") is None
