from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers import cable_schedule

SCHEDULE = b"""\
link_id,switch,port,cable_type,trunk_id,fibers,panel_a,panel_b,hca,design_length_m,connector,optic
LK-0101,leaf01,1,OS2 G.652.D,TRK-0101,01-08,R01-PP1-01,R02-PP1-01,gpu001:mlx5_0,121,MPO-12/APC,400G DR4
LK-0102,leaf01,2,OS2 G.652.D,TRK-0101,09-16,R01-PP1-02,R02-PP1-02,gpu001:mlx5_1,118,MPO-12/UPC,400G DR4
"""


def test_each_row_ties_a_link_to_ports_panels_and_fibres() -> None:
    dump = cable_schedule.parse(SCHEDULE, "cable-schedule.csv")

    row = dump.rows[0]
    assert (row.line, row.text[:7]) == (2, "LK-0101")
    assert dict(row.values) == {
        "link": "LK-0101", "switch": "leaf01", "switch_port": "1", "port": "leaf01/1", "cable": "TRK-0101",
        "cable_type": "OS2 G.652.D", "fibres": "01-08", "first_fibre": 1, "last_fibre": 8, "panel_a": "R01-PP1-01",
        "panel_b": "R02-PP1-01", "hca_node": "gpu001", "hca_device": "mlx5_0", "hca_port": "gpu001:mlx5_0",
        "design_length_m": 121.0, "connector": "MPO-12/APC", "is_apc": True, "optic": "400G DR4",
    }  # fmt: skip
    assert dump.rows[1].values["is_apc"] is None
    assert not dump.problems


def test_headers_are_found_by_their_words_below_a_title() -> None:
    dump = cable_schedule.parse(
        b"Row 6, rev C\n\n"
        b"Circuit ID;Leaf Switch;Leaf Port;Trunk;From Panel;To Panel;Server;HCA Device;Cable Length (ft)\n"
        b"C-17;leaf02;1/5/1;T9;A1;B7;node7;mlx5_3;100\n",
        "x.csv",
    )

    row = dump.rows[0]
    assert (row.line, row.values["link"], row.values["port"], row.values["hca_port"]) == (
        4, "C-17", "leaf02/1/5/1", "node7:mlx5_3",
    )  # fmt: skip
    assert row.values["design_length_m"] == pytest.approx(30.48)


def test_rows_that_name_no_link_are_counted() -> None:
    dump = cable_schedule.parse(SCHEDULE + b",,,spare,,,,,,,,\n", "x.csv")

    assert [(problem.text, problem.line) for problem in dump.problems] == [("row without link and cable", 4)]


def test_sniff_needs_a_link_and_both_of_its_ends() -> None:
    found = cable_schedule.sniff(SCHEDULE, "noname")
    assert found is not None and found.score == 90
    assert cable_schedule.sniff(b"node,port,state,length\n", "ports.csv") is None
    assert cable_schedule.sniff(b"fiber;wavelength_nm;no;type;location_m;loss_db;reflectance_db\n", "x.csv") is None


@given(st.binary(max_size=400))
def test_any_bytes_are_survived_with_lines_inside_the_input(data: bytes) -> None:
    for text in (data, SCHEDULE + data):
        dump = cable_schedule.parse(text, "x.csv")
        assert all(1 <= row.line <= text.count(b"\n") + 1 for row in dump.rows)
        cable_schedule.sniff(text, "x.csv")
