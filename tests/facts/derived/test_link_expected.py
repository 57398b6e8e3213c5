"""``link_pairs``: both ends of a link beside what may be expected of it."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from analyzer.facts.derived import link_expected
from analyzer.facts.store import polars_schema, table_schema
from parsers import iblinkinfo, ibqueryerrors
from parsers._fabric import IB_LINKS

SCHEMA = polars_schema(table_schema(IB_LINKS))


def ends(*dumps: str) -> pl.DataFrame:
    rows = []
    for source, text in enumerate(dumps):
        parser = ibqueryerrors if text.startswith("Errors") else iblinkinfo
        for row in parser.parse(text.encode(), "x").rows:
            if row.table == "ib_links":
                place = {"source": source, "segment": 0, "line": row.line, "text": row.text, "node": row.node}
                rows.append({**row.values, **place})
    return pl.DataFrame(rows, schema=SCHEMA)


def pairs(*dumps: str) -> list[dict[str, Any]]:
    return link_expected.derive({"ib_links": ends(*dumps)}).to_dicts()


def host(index: int, width: int = 4, speed: str = "53.125", hint: str = " ") -> str:
    return (
        f"CA: cn{index:03d} mlx5_0:\n      0x02aa00000000{index:02d}01     {index}    1[  ] "
        f'==( {width}X        {speed} Gbps Active/  LinkUp)==> 90 {index}[  ] "MF0;leaf-01:MQM8700/U1" ({hint})\n'
    )


def leaf(*hosts: tuple[int, int, str, str]) -> str:
    lines = [
        f"          90    {index}[  ] ==( {width}X        {speed} Gbps Active/  LinkUp)==>       {index}    1[  ] "
        f'"cn{index:03d} mlx5_0" ({hint})'
        for index, width, speed, hint in hosts
    ]
    return "\n".join(["Switch: 0x02bb000000000100 MF0;leaf-01:MQM8700/U1:", *lines, ""])


def test_both_ends_become_one_row_with_the_host_first_and_its_line() -> None:
    (pair,) = pairs(leaf((1, 1, "53.125", "Could be 4X ")) + host(1, 1, hint="Could be 4X "))
    assert (pair["a_host"], pair["a_hca"], pair["a_guid"], pair["b_switch"], pair["b_port"], pair["b_guid"]) == (
        "cn001",
        "mlx5_0",
        "0x02aa000000000101",
        "leaf-01",
        1,
        "0x02bb000000000100",
    )
    assert (pair["ends"], pair["role"], pair["line"], pair["node"]) == (2, "host", 4, "cn001")


def test_one_narrow_link_among_many_is_expected_to_be_as_wide_as_they() -> None:
    found = pairs("".join(host(index) for index in range(1, 9)) + host(9, 1, hint="Could be 12X "))
    narrow = next(pair for pair in found if pair["width"] == 1)
    assert (narrow["width_expected"], narrow["majority"], narrow["peers"], narrow["alike"]) == (4, True, 8, 0)


def test_links_that_are_all_narrow_are_so_by_design() -> None:
    found = pairs("".join(host(index, 2, hint="Could be 4X ") for index in range(1, 9)))
    assert {(pair["width"], pair["width_expected"], pair["alike"]) for pair in found} == {(2, 2, 7)}


def test_a_link_without_peers_is_expected_to_do_what_both_ends_support() -> None:
    (pair,) = pairs(host(1, 1, hint="Could be 4X "))
    assert (pair["width_expected"], pair["majority"], pair["peers"]) == (4, False, 0)


def test_without_a_majority_the_ends_own_capability_counts() -> None:
    found = pairs(
        host(1, 4) + host(2, 4) + host(3, 1, hint="Could be 4X ") + host(4, 1, hint="Could be 4X ") + host(5, 2)
    )
    assert [(pair["width_expected"], pair["majority"]) for pair in found if pair["width"] == 1] == [(4, False)] * 2


def test_the_usual_speed_is_judged_apart_from_the_width() -> None:
    found = pairs("".join(host(index) for index in range(1, 5)) + host(5, 4, "25.78125"))
    slow = next(pair for pair in found if pair["speed_gbps"] < 50)
    assert (slow["speed_expected_gbps"], slow["speed_majority"], slow["width_expected"]) == (53.125, True, 4)


def test_scans_are_judged_apart() -> None:
    assert [pair["peers"] for pair in pairs(host(1), host(1) + host(2))] == [0, 1, 1]


ERRORS = """Errors for 0x2bb000000000100 "MF0;leaf-01:MQM8700/U1"
   GUID 0x2bb000000000100 port 1: [SymbolErrorCounter == 20418]
       Link info:     90   1[  ] ==( 1X        53.125 Gbps Active/  LinkUp)==>  0x02aa000000000101      1    1[  ] "cn001 mlx5_0" (Could be 4X )
"""  # noqa: E501


def test_a_report_of_errors_counts_only_for_links_without_a_full_scan() -> None:
    assert [pair["source"] for pair in pairs(host(1), ERRORS)] == [0]
    (pair,) = pairs(ERRORS)
    assert (pair["a_host"], pair["b_switch"], pair["width_expected"], pair["majority"], pair["line"]) == (
        "cn001",
        "leaf-01",
        4,
        False,
        3,
    )


def test_the_old_side_of_a_difference_is_left_out() -> None:
    line = (
        '0x02aa000000000101 "cn001 mlx5_0" 1 1[  ] ==( {}X 53.125 Gbps Active/ LinkUp)==> 0x02bb000000000100 90 1[  ] '
        '"MF0;leaf-01:MQM8700/U1" ( )\n'
    )
    (pair,) = pairs("< " + line.format(4) + "> " + line.format(1))
    assert pair["width"] == 1


@pytest.mark.parametrize("frame", [pl.DataFrame(schema=SCHEMA)])
def test_no_links_give_an_empty_typed_table(frame: pl.DataFrame) -> None:
    derived = link_expected.derive({"ib_links": frame})
    assert (derived.height, dict(derived.schema)) == (0, polars_schema(table_schema(link_expected.SPEC)))
