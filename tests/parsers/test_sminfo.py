"""``sminfo`` and ``saquery``: subnet managers that answer, and silence."""

from __future__ import annotations

import pytest

from parsers import saquery, sminfo

ANSWER = b"sminfo: sm lid 1 sm guid 0x2aa00036354c801, activity count 2935 priority 5 state 3 SMINFO_MASTER\n"
SILENCE = b"sminfo: iberror: failed: query\nibwarn: [7212] mad_rpc: _do_madrpc failed; dport (Lid 1)\n"
RECORDS = b"""SMInfoRecord dump:
\t\tRID
\t\tLID...................1
\t\tSMInfo dump:
\t\tGUID..................0x02aa0003faa96101
\t\tSM_Key................0x0000000000000000
\t\tActCount..............2935
\t\tPriority..............5
\t\tSMState...............3
SMInfoRecord dump:
\t\tRID
\t\tLID...................9
\t\tSMInfo dump:
\t\tGUID..................0x02aa000308fc0d01
\t\tSM_Key................0x0000000000000000
\t\tActCount..............2935
\t\tPriority..............1
\t\tSMState...............2
"""


def test_an_answer_names_the_manager() -> None:
    (row,) = sminfo.parse(ANSWER, "sminfo.txt").rows
    assert (row.line, dict(row.values)) == (
        1,
        {
            "tool": "sminfo",
            "ok": True,
            "lid": 1,
            "guid": "0x2aa00036354c801",
            "guid_id": "0x02aa00036354c801",
            "activity": 2935,
            "priority": 5,
            "state": "MASTER",
        },
    )


def test_silence_is_a_failure_and_keeps_the_lid_that_was_asked() -> None:
    rows = sminfo.parse(SILENCE, "sminfo.txt").rows
    assert [(row.line, row.values["ok"], row.values["reason"], row.values.get("lid")) for row in rows] == [
        (1, False, "timeout", None),
        (2, False, "timeout", 1),
    ]


def test_a_host_without_a_device_says_nothing_about_the_manager() -> None:
    failed = (
        b"ibwarn: [811] mad_rpc_open_port: can't open UMAD port ((null):0)\n"
        b"sminfo: iberror: failed: Failed to open '(null)' port '0'\n"
    )
    rows = sminfo.parse(failed, "sminfo.txt").rows
    assert [(row.values.get("ok"), row.values["reason"]) for row in rows] == [(None, "no_device"), (None, "no_device")]


def test_records_name_every_manager_with_its_state() -> None:
    rows = saquery.parse(RECORDS, "saquery-smir.txt").rows
    names = ("lid", "guid_id", "priority", "state")
    assert [(row.line, *(row.values[name] for name in names)) for row in rows] == [
        (9, 1, "0x02aa0003faa96101", 5, "MASTER"),
        (18, 9, "0x02aa000308fc0d01", 1, "STANDBY"),
    ]


def test_node_records_list_nodes() -> None:
    record = b"""NodeRecord dump:
\t\tlid.....................5
\t\tnode_type...............Channel Adapter
\t\tnum_ports...............1
\t\tnode_guid...............0x02aa000370421100
\t\tNodeDescription.........gpu0004 mlx5_0
"""
    (row,) = saquery.parse(record, "saquery-nr.txt").rows
    assert (row.line, row.values["kind"], row.values["host"], row.values["hca"], row.values["lid"], row.node) == (
        1,
        "ca",
        "gpu0004",
        "mlx5_0",
        5,
        "gpu0004",
    )


@pytest.mark.parametrize(
    "text",
    [
        b"Query SA failed: Connection timed out\n",
        b"ibwarn: [11985] sa_get_handle: No SM/SA found on port (null):0\n",
    ],
)
def test_a_failed_query_is_recognised_and_kept(text: bytes) -> None:
    (row,) = saquery.parse(text, "saquery.txt").rows
    assert (row.values["ok"], row.line) == (False, 1)
    assert saquery.sniff(text, "saquery.txt") is not None


def test_an_error_inside_a_longer_log_is_not_this_format() -> None:
    assert saquery.sniff(b"Query SA failed: Connection timed out\nstep 100 loss 3.05\n", "train.log") is None


def test_other_records_are_skipped_without_damage() -> None:
    assert saquery.parse(b"PortInfoRecord dump:\n\t\tEndPortLid..............5\n\t\tsubnet fe80\n", "").problems == ()


def test_each_tool_claims_its_own_output() -> None:
    assert sminfo.sniff(ANSWER, "x") is not None
    assert sminfo.sniff(RECORDS, "x") is None
    assert saquery.sniff(RECORDS, "x") is not None
