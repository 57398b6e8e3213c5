"""``ibqueryerrors``: counters above the threshold, links and the summary."""

from __future__ import annotations

from typing import Any

from parsers import ibqueryerrors

REPORT = b"""Errors for "gpu0009 mlx5_0"
   GUID 0x2aa0003d76b2a01 port 1: [SymbolErrorCounter == 65535] [LinkErrorRecoveryCounter == 3] [PortXmitData == 3816 (14.906KB)]
       Link info:     13   1[  ] ==( 4X        53.125 Gbps Active/  LinkUp)==>  0x02bb000335b95800      3    3[  ] "MF0;leaf-02:MQM8700/U1" ( )
Errors for 0x2bb000335b95800 "MF0;leaf-02:MQM8700/U1"
   GUID 0x2bb000335b95800 port ALL: [SymbolErrorCounter == 11]
   GUID 0x2bb000335b95800 port 3: [SymbolErrorCounter == 11] [PortXmitWait == 4294967295 (4.000G)]

## Summary: 15 nodes checked, 2 bad nodes found
##          133 ports checked, 2 ports have errors beyond threshold
## Thresholds: [SymbolErrorCounter = 10][PortXmitWait = 1000]
## Suppressed: VL15Dropped QP1Dropped
"""  # noqa: E501


def rows(table: str, data: bytes = REPORT) -> list[dict[str, Any]]:
    found = ibqueryerrors.parse(data, "ibqueryerrors.txt").rows
    return [{**row.values, "line": row.line, "node": row.node} for row in found if row.table == table]


def test_a_counter_of_a_host_port() -> None:
    assert rows("ib_counters")[0] == {
        "guid": "0x2aa0003d76b2a01",
        "guid_id": "0x02aa0003d76b2a01",
        "node_desc": "gpu0009 mlx5_0",
        "host": "gpu0009",
        "hca": "mlx5_0",
        "port": 1,
        "port_id": "gpu0009 mlx5_0/1",
        "counter": "SymbolErrorCounter",
        "value": 65535,
        "saturated": True,
        "line": 2,
        "node": "gpu0009",
    }


def test_a_counter_of_a_switch_port_names_the_switch() -> None:
    counter = rows("ib_counters")[3]
    assert (counter["switch"], counter["port_id"], counter["value"], counter["saturated"], counter["line"]) == (
        "leaf-02",
        "MF0;leaf-02:MQM8700/U1/3",
        11,
        False,
        6,
    )


def test_a_64_bit_counter_is_not_saturated_at_the_32_bit_maximum() -> None:
    wait = rows("ib_counters")[4]
    assert (wait["counter"], wait["value"], wait["saturated"]) == ("PortXmitWait", 4_294_967_295, False)


def test_totals_of_a_switch_are_counted_and_left_out() -> None:
    assert [counter["port"] for counter in rows("ib_counters")] == [1, 1, 1, 3, 3]
    assert rows("ib_checks")[0]["totals_skipped"] == 1


def test_the_summary_says_what_was_checked() -> None:
    assert rows("ib_checks") == [
        {
            "tool": "ibqueryerrors",
            "nodes_checked": 15,
            "bad_nodes": 2,
            "ports_checked": 133,
            "bad_ports": 2,
            "totals_skipped": 1,
            "thresholds": "[SymbolErrorCounter = 10][PortXmitWait = 1000]",
            "suppressed": ["VL15Dropped", "QP1Dropped"],
            "line": 8,
            "node": None,
        }
    ]


def test_a_link_belongs_to_the_port_above_it() -> None:
    (link,) = rows("ib_links")
    assert (link["port_id"], link["guid_id"], link["peer_guid"], link["listing"], link["line"]) == (
        "gpu0009 mlx5_0/1",
        "0x02aa0003d76b2a01",
        "0x02bb000335b95800",
        "errors",
        3,
    )


def test_no_answer_is_no_check() -> None:
    failed = b"ibwarn: [11948] sa_get_handle: No SM/SA found on port (null):0\n"
    (row,) = ibqueryerrors.parse(failed, "ibqueryerrors.txt").rows
    assert (row.table, row.values["ok"], row.values["reason"], row.line) == ("sm_info", False, "not_found", 1)


def test_a_query_that_timed_out_is_one_failure() -> None:
    failed = b"Query SA failed: Connection timed out; sa call path_query failed\n"
    (row,) = ibqueryerrors.parse(failed, "ibqueryerrors.txt").rows
    assert (row.values["ok"], row.values["reason"]) == (False, "timeout")


def test_a_cut_counter_is_a_problem() -> None:
    cut = REPORT.splitlines()[0] + b"\n   GUID 0x2aa0003d76b2a01 port 1: [SymbolErrorCounter == 1] [LinkErr"
    dump = ibqueryerrors.parse(cut, "")
    assert ([problem.text for problem in dump.problems], len(dump.rows)) == (["damaged counter line"], 1)


def test_an_error_counts_as_this_format_only_under_its_name() -> None:
    failed = b"ibwarn: [11948] sa_get_handle: No SM/SA found on port (null):0\n"
    assert ibqueryerrors.sniff(failed, "fabric/ibqueryerrors.txt") is not None
    assert ibqueryerrors.sniff(failed, "fabric/other.txt") is None
