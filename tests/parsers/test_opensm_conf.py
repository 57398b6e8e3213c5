"""``opensm.conf``: options of the subnet manager."""

from __future__ import annotations

from parsers import opensm_conf

CONF = b"# made by hand\nsubnet_prefix 0xfe80000000000000\nsm_priority 14\n\nvirt_enabled 0\nrouting_engine ftree\n"


def test_options_are_read_with_their_numbers() -> None:
    rows = opensm_conf.parse(CONF, "opensm.conf").rows
    assert [(row.line, row.values["option"], row.values["value"], row.values.get("number")) for row in rows] == [
        (2, "subnet_prefix", "0xfe80000000000000", 2**63 - 1),
        (3, "sm_priority", "14", 14),
        (5, "virt_enabled", "0", 0),
        (6, "routing_engine", "ftree", None),
    ]


def test_a_line_without_a_value_is_counted() -> None:
    (problem,) = opensm_conf.parse(CONF + b"???\n", "opensm.conf").problems
    assert problem.line == 7


def test_only_options_of_a_subnet_manager_decide_the_format() -> None:
    assert opensm_conf.sniff(CONF, "x") is not None
    assert opensm_conf.sniff(b"name value\nother thing\nlmc 0\n", "opensm.conf") is None
