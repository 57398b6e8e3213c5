from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.model.formats import Dump
from parsers import otdr_text

REPORT = """\
Identification Information
Filename:;LK-0101-F02_1310.sor;Job ID:;
Cable ID:;TRK-0101;Fiber ID:;LK-0101-F02
Location A:;R01-PP1-01;Location B:;R02-PP1-01
Unit model:;T-1;Unit s/n:;7

Test Parameters (1310 nm)
Range (km):;1,3000;Pulse (ns):;5;Duration (s):;15
Results (1310 nm)
Span length (km):;0,0732;Span loss (dB):;0,444;Span ORL (dB):;50,01
Event Table (1310 nm)
Type;No.;Location/Length (km);Loss (dB);Reflectance (dB);Attenuation (dB/km);Cumulative (dB);Status
Reflective;1;0,0000;0,190;-60,0;;0,190;Pass
Section;;0,0210;0,007;;0,330;0,197;Unknown
Macrobend;2;0.0210;0.530;---;;0.427;Fail
Section;;0,0522;0,017;;0,330;0,444;Unknown
Non-Reflective (end);3;0,0732;---;---;;0,444;Unknown
Pass/Fail Thresholds (1310 nm)
Threshold;Fail;Warning
Splice loss (dB);0,100;---

Test Parameters (1550 nm)
Range (km):;1,3000;Pulse (µs):;0,01;Duration (s):;15
Event Table (1550 nm)
Type;No.;Location/Length (km);Loss (dB);Reflectance (dB);Attenuation (dB/km);Cumulative (dB);Status
Reflective (end);1;0,0732;---;-14,7;;0,444;Unknown
"""

PRINTOUT = """\
Cable Id     : TRK-0102
Fiber Id     : LK-0102-F01
Origin       : R01-PP1-02
End location : R02-PP1-02
Direction    : A->B

Laser 1310 nm   Pulse 5 ns   Range 1.3 km   Acq. 15 s   Index 1.46760
Event Type        Distance m  Loss dB  Reflect. dB  Slope dB/km  Section m  T. Loss dB
    1 Reflective        0.00    0.200        -62.0                               0.200
    2 Non-Reflective       34.99    0.100                     0.330      34.99       4.312
    3 Reflective       88.00    4.100       >-19.5        0.330      53.01       4.589
    4 End             119.99                 -47.0        0.330      31.99       4.600
      Echo            239.98                 -48.0
Link Loss 4.600 dB   Link ORL 19.49 dB   Fiber End 119.99 m   Events 4
"""

COMMAS = """\
Trace Summary,TRK-0103,LK-0103-F07
Direction,B->A
Start Location,R18-PP1-14
Terminal Location,R03-PP1-14
Wavelength,1310 nm
Pulse Width,5 ns
Event,Distance(m),Type,Loss(dB),Reflect(dB),Span(m),dB/km,Cumul.(dB)
1,0.00,Reflective,0.190,-46.000,0.00,,0.190
2,80.99,Non-Reflective,-0.240,,48.98,0.330,0.657
3,133.00,Fiber End,,-19.357S,52.01,0.330,0.674
Total Loss,0.674 dB
ORL,43.853 dB
Total Events,3
"""


def parse(text: str, path: str = "otdr/report.csv") -> Dump:
    return otdr_text.parse(text.encode(), path)


def events(dump: Dump) -> list[dict[str, Any]]:
    return [{"line": row.line, **row.values} for row in dump.rows if row.table == "otdr_events"]


def traces(dump: Dump) -> list[dict[str, Any]]:
    return [{"line": row.line, **row.values} for row in dump.rows if row.table == "otdr_traces"]


def shown(dump: Dump, *columns: str) -> list[tuple[Any, ...]]:
    return [tuple(event[column] for column in columns) for event in events(dump)]


def test_a_report_with_sections_and_decimal_commas() -> None:
    dump = parse(REPORT)

    assert shown(dump, "line", "wavelength_nm", "number", "kind", "position_m", "loss_db", "reflectance_db") == [
        (13, 1310, 1, "reflective", 0.0, 0.19, -60.0),
        (15, 1310, 2, "non-reflective", 21.0, 0.53, None),
        (17, 1310, 3, "non-reflective", 73.2, None, None),
        (26, 1550, 1, "reflective", 73.2, None, -14.7),
    ]
    assert shown(dump, "slope_db_km", "is_start", "is_end", "says_bend", "verdict")[1] == (
        0.33,
        False,
        False,
        True,
        "fail",
    )
    assert [event["is_end"] for event in events(dump)] == [False, False, True, True]


def test_the_head_of_a_report_describes_each_of_its_traces() -> None:
    first, second = traces(parse(REPORT))

    assert (first["fibre"], first["link"], first["cable"]) == ("LK-0101-F02", "LK-0101", "TRK-0101")
    assert (first["location_a"], first["location_b"], first["model"]) == ("R01-PP1-01", "R02-PP1-01", "T-1")
    assert (first["line"], first["wavelength_nm"], first["pulse_ns"], first["range_m"]) == (13, 1310, 5.0, 1300.0)
    assert (first["total_loss_db"], first["orl_db"], first["end_m"], first["events"]) == (0.444, 50.01, 73.2, 3)
    assert (second["line"], second["wavelength_nm"], second["pulse_ns"]) == (26, 1550, 10.0)
    assert "total_loss_db" not in second


def test_a_printout_in_fixed_columns_whose_long_words_push_the_rest() -> None:
    dump = parse(PRINTOUT, "LK-0102-F01.txt")

    assert shown(dump, "line", "number", "kind", "position_m", "loss_db", "reflectance_db", "slope_db_km") == [
        (9, 1, "reflective", 0.0, 0.2, -62.0, None),
        (10, 2, "non-reflective", 34.99, 0.1, None, 0.33),
        (11, 3, "saturated", 88.0, 4.1, -19.5, 0.33),
        (12, 4, "reflective", 119.99, None, -47.0, 0.33),
        (13, None, "echo", 239.98, None, -48.0, None),
    ]
    (trace,) = traces(dump)
    assert (trace["fibre"], trace["cable"], trace["direction"]) == ("LK-0102-F01", "TRK-0102", "AB")
    assert (trace["pulse_ns"], trace["range_m"], trace["group_index"]) == (5.0, 1300.0, 1.4676)
    assert (trace["total_loss_db"], trace["orl_db"], trace["end_m"], trace["events"]) == (4.6, 19.49, 119.99, 4)


def test_comma_separated_rows_and_totals_that_are_no_events() -> None:
    dump = parse(COMMAS)

    assert shown(dump, "line", "position_m", "loss_db", "reflectance_db", "kind", "direction") == [
        (8, 0.0, 0.19, -46.0, "reflective", "BA"),
        (9, 80.99, -0.24, None, "non-reflective", "BA"),
        (10, 133.0, None, -19.357, "saturated", "BA"),
    ]
    assert traces(dump)[0]["total_loss_db"] == 0.674


def test_several_fibres_and_wavelengths_in_one_table() -> None:
    dump = parse(
        "fiber;wavelength_nm;no;type;location_m;loss_db;reflectance_db\n"
        "LK-0104-F01;1310;1;Reflective;0.0;0,180;-62,0\n"
        "LK-0104-F01;1550;1;Reflective;0.0;0,190;-62,0\n"
        "LK-0104-F02;1310;1;Non-Reflective;60.0;-0,090;---\n"
    )

    assert shown(dump, "line", "fibre", "wavelength_nm", "loss_db") == [
        (2, "LK-0104-F01", 1310, 0.18),
        (3, "LK-0104-F01", 1550, 0.19),
        (4, "LK-0104-F02", 1310, -0.09),
    ]
    assert [trace["trace"] for trace in traces(dump)] == [1, 2, 3]


def test_one_column_of_losses_per_wavelength() -> None:
    dump = parse("Event\tType\tPosition (ft)\tLoss 1310 nm (dB)\tLoss 1550 nm (dB)\n2\tSplice\t100\t0.05\t0.41\n")

    assert shown(dump, "wavelength_nm", "position_m", "loss_db") == [(1310, 30.48, 0.05), (1550, 30.48, 0.41)]


def test_two_wavelengths_side_by_side_take_theirs_from_the_line_above() -> None:
    dump = parse(
        "Wavelength 1310 nm  1550 nm\n"
        "No.;Distance (km);Loss (dB);Refl. (dB);No.;Distance (km);Loss (dB);Refl. (dB)\n"
        "1;0.041;0.06;;1;0.041;0.52;\n"
    )

    assert shown(dump, "wavelength_nm", "position_m", "loss_db") == [(1310, 41.0, 0.06), (1550, 41.0, 0.52)]


def test_units_in_a_row_of_their_own() -> None:
    dump = parse("No | Location | Loss | Refl\n- | km | dB | dB\n1 | 0.25 | 0.31 | -48.2\n")

    assert shown(dump, "position_m", "loss_db", "reflectance_db") == [(250.0, 0.31, -48.2)]


def test_event_location_and_loss_alone_are_enough_with_a_type() -> None:
    dump = parse("Event Location,Loss,Type\n41.5 m,0.5 dB,Bend\n", "LK-0105-F03_1550.csv")

    assert shown(dump, "fibre", "wavelength_nm", "position_m", "loss_db", "says_bend") == [
        ("LK-0105-F03", 1550, 41.5, 0.5, True)
    ]


def test_a_reflectance_in_the_type_column_and_a_link_row_that_is_no_event() -> None:
    dump = parse(
        "WAVELENGTH,1310\n#,P,Km,SPLICE,2POINT,dB/Km,TYPE\n"
        "1,P,0.0000,0.18,,,-55.1\n2,F,0.0415,0.52,0.60,0.33,\nE,,0.1180,,1.1,0.33,-14.5\nL,,0.1180,,1.123,,35.2\n"
    )

    assert shown(dump, "position_m", "loss_db", "reflectance_db", "is_end") == [
        (0.0, 0.18, -55.1, False),
        (41.5, 0.52, None, False),
        (118.0, None, -14.5, True),
    ]


def test_without_a_word_for_it_the_only_event_without_a_loss_is_the_end() -> None:
    dump = parse("Event;Distance (m);Loss (dB);Reflect. (dB)\n1;0.0;0.2;-55\n2;41.5;0.5;\n3;118.0;;>-20.1\n")

    assert [event["is_end"] for event in events(dump)] == [False, False, True]


def test_negative_positions_belong_to_the_launch_fibre() -> None:
    dump = parse(
        "Launch fiber length: 150 m\nEvent;Type;Position (m);Loss (dB);Reflectance (dB)\n"
        ";Launch Level;-150,0;;-45\n1;First Connector;0,0;0,62;-38\n2;End;118,2;;-14,8\n"
    )

    assert [event["is_start"] for event in events(dump)] == [True, False, False]
    (trace,) = traces(dump)
    assert (trace["launch_m"], trace["origin_m"], trace["length_m"]) == (150.0, 0.0, 118.2)


def test_a_line_of_prose_states_an_event() -> None:
    dump = parse("Event Location: 41.5 m, Loss: 0.5 dB at 1550 nm\n")

    assert shown(dump, "line", "position_m", "loss_db", "wavelength_nm") == [(1, 41.5, 0.5, 1550)]


def test_json_names_the_fibre_around_its_events() -> None:
    text = """{
  "cable_id": "TRK-0106", "fiber_id": "LK-0106-F01", "wavelength": "1550 nm", "pulse": "5 ns",
  "events": [
    {"no": 1, "type": "Reflective", "distance_m": 0.0, "loss_db": 0.2, "reflectance_db": -60.1},
    {"no": 2, "type": "Non-Reflective", "distance_m": 41.5, "loss_db": 0.52, "reflectance_db": null}
  ]
}
"""
    dump = parse(text, "x.json")

    assert shown(dump, "line", "fibre", "wavelength_nm", "position_m", "loss_db", "reflectance_db") == [
        (4, "LK-0106-F01", 1550, 0.0, 0.2, -60.1),
        (5, "LK-0106-F01", 1550, 41.5, 0.52, None),
    ]


@pytest.mark.parametrize("text", [REPORT, PRINTOUT, COMMAS, "[" + '{"distance_m": 1.0, "loss_db": 0.2}' + "]"])
def test_sniff_recognises_reports_by_their_content(text: str) -> None:
    found = otdr_text.sniff(text.encode(), "noname")
    assert found is not None and found.score >= 80


@pytest.mark.parametrize(
    "text",
    [
        "epoch,step,loss,lr\n1,100,2.31,0.0003\n",
        "epoch loss location of checkpoint saved\n",
        "link_id,switch,port,panel_a,panel_b\n",
        '{"loss": 2.3, "step": 4, "learning_rate": 0.1}',
        "packet loss 0%, distance 3 hops, type icmp\n",
    ],
)
def test_sniff_leaves_training_logs_and_schedules_alone(text: str) -> None:
    assert otdr_text.sniff(text.encode(), "notes.txt") is None


def test_text_without_a_table_is_a_problem() -> None:
    assert [problem.text for problem in parse("nothing here\n").problems] == ["no event table found"]


@given(st.binary(max_size=600) | st.text(alphabet="No.;Loss (dB),Distance km\t|0123-:\n", max_size=400).map(str.encode))
def test_any_bytes_are_survived_with_lines_inside_the_input(data: bytes) -> None:
    head = b"Type;No.;Location (km);Loss (dB);Reflectance (dB)\n"
    for text in (data, head + data, b'{"x": [' + data):
        dump = otdr_text.parse(text, "a.csv")
        assert all(1 <= row.line <= text.count(b"\n") + 1 for row in dump.rows)
        otdr_text.sniff(text, "a.csv")


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(),
        lambda s: (
            st.lists(s) | st.dictionaries(st.sampled_from(["loss", "distance", "wavelength", "events", "fiber id"]), s)
        ),
    )
)
def test_any_json_is_survived(tree: Any) -> None:
    import json

    text = json.dumps({"distance": 1, "loss": 2, "more": tree}).encode()
    dump = otdr_text.parse(text, "a.json")
    assert all(row.line == 1 for row in dump.rows)
