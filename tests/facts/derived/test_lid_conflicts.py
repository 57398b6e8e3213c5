"""``lid_conflicts``: one LID on two nodes."""

from __future__ import annotations

from typing import Any

import polars as pl

from analyzer.facts.derived import lid_conflicts
from analyzer.facts.store import polars_schema, table_schema
from parsers import iblinkinfo
from parsers._fabric import IB_LINKS

SCHEMA = polars_schema(table_schema(IB_LINKS))


def conflicts(text: str) -> list[dict[str, Any]]:
    rows = [
        {**row.values, "source": 0, "segment": 0, "line": row.line, "text": row.text}
        for row in iblinkinfo.parse(text.encode(), "x").rows
    ]
    return lid_conflicts.derive({"ib_links": pl.DataFrame(rows, schema=SCHEMA)}).to_dicts()


def host(index: int, lid: int) -> str:
    return (
        f"CA: cn{index:03d} mlx5_0:\n      0x02aa00000000{index:02d}01     {lid}    1[  ] "
        f'==( 4X        53.125 Gbps Active/  LinkUp)==> 90 {index}[  ] "MF0;leaf-01:MQM8700/U1" ( )\n'
    )


SWITCH = "Switch: 0x02bb000000000100 MF0;leaf-01:MQM8700/U1:\n" + "".join(
    f'          90    {port}[  ] ==(                Down/ Polling)==>             [  ] "" ( )\n' for port in (5, 6)
)


def test_two_hosts_with_one_lid_name_each_other() -> None:
    found = conflicts(host(1, 7) + host(2, 7) + host(3, 8))
    assert [(row["host"], row["lid"], row["holders"], row["others"], row["line"]) for row in found] == [
        ("cn001", 7, 2, ["0x02aa000000000201"], 2),
        ("cn002", 7, 2, ["0x02aa000000000101"], 4),
    ]


def test_the_ports_of_a_switch_share_its_lid_rightly() -> None:
    assert conflicts(SWITCH) == []


def test_ports_without_a_lid_yet_are_no_conflict() -> None:
    assert conflicts(host(1, 0) + host(2, 0) + host(3, 65535) + host(4, 65535)) == []


def test_no_links_give_an_empty_typed_table() -> None:
    derived = lid_conflicts.derive({"ib_links": pl.DataFrame(schema=SCHEMA)})
    assert (derived.height, dict(derived.schema)) == (0, polars_schema(table_schema(lid_conflicts.SPEC)))
