from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.facts.derived import fibre_events, fibres
from analyzer.facts.store import polars_schema, table_schema
from analyzer.model.tables import PLACE, TableSpec
from parsers import cable_schedule, otdr_sor, otdr_text
from tests.parsers.sor_writer import Event, sor

SPECS = {spec.name: spec for spec in (*otdr_sor.TABLES, *cable_schedule.TABLES)}
SCHEDULE = (
    b"link_id,switch,port,trunk_id,panel_a,panel_b,hca,design_length_m,connector\n"
    b"LK-0101,leaf01,3,TRK-0101,R01-PP1-01,R02-PP1-01,gpu001:mlx5_0,126,MPO-12/APC\n"
)


def frames(**files: bytes) -> dict[str, pl.DataFrame]:
    """Frames of files by name; ``_sor``, ``_csv`` and ``_schedule`` at the end of a name say what it is."""
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in SPECS}
    for source, (name, data) in enumerate(files.items()):
        stem, _, form = name.rpartition("_")
        parser = {"sor": otdr_sor, "csv": otdr_text, "schedule": cable_schedule}[form]
        for row in parser.parse(data, stem).rows:
            place = dict.fromkeys(column.name for column in PLACE) | {"source": source, "segment": 0, "text": row.text}
            rows[row.table].append(place | {"line": row.line or None, "event": row.event or None} | dict(row.values))
    return {name: frame(spec, rows[name]) for name, spec in SPECS.items()}


def frame(spec: TableSpec, rows: list[dict[str, Any]]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=polars_schema(table_schema(spec)), orient="row")


def places(**files: bytes) -> list[dict[str, Any]]:
    return fibre_events.derive(frames(**files)).to_dicts()


def at(found: list[dict[str, Any]], position_m: float) -> dict[str, Any]:
    (row,) = [row for row in found if abs(row["position_m"] - position_m) < 0.3]
    return row


def link(*middle: Event, end: float = 118.0) -> list[Event]:
    return [(0.0, 0.2, -60.0, "c"), *middle, (end, 0.0, -48.0, "e")]


BEND = {
    "b1310_sor": sor(link((41.5, 0.06, 0, "s")), wavelength=1310),
    "b1550_sor": sor(link((41.5, 0.52, 0, "s")), wavelength=1550),
    "b1625_sor": sor(link((41.5, 1.14, 0, "s")), wavelength=1625),
}


def test_wavelengths_of_one_fibre_share_one_row_per_place() -> None:
    found = places(**BEND)

    assert [round(row["position_m"], 1) for row in found] == [0.0, 41.5, 118.0]
    bend = at(found, 41.5)
    assert (bend["loss_1310_db"], bend["loss_1550_db"], bend["loss_1625_db"], bend["loss_db"]) == (
        0.06,
        0.52,
        1.14,
        1.14,
    )
    assert (bend["delta_1550_1310_db"], bend["delta_1625_1310_db"]) == pytest.approx((0.46, 1.08))
    assert (bend["kind"], bend["fibre"], bend["link"]) == ("non-reflective", "LK-0101-F01", "LK-0101")


def test_a_place_cites_every_measurement_the_telling_one_first() -> None:
    bend = at(places(**BEND, plan_schedule=SCHEDULE), 41.5)

    assert (bend["source"], bend["line"], bend["event"]) == (2, None, 2)
    assert bend["evidence"] == ["2:0:2", "0:0:2", "1:0:2", "3:2:0"]


def test_an_event_missing_at_one_wavelength_counts_as_the_threshold_of_that_file() -> None:
    found = places(
        b1310_sor=sor(link(), wavelength=1310, loss_threshold_db=0.05),
        b1550_sor=sor(link((41.5, 0.52, 0, "s")), wavelength=1550),
    )

    bend = at(found, 41.5)
    assert (bend["absent_1310"], bend["absent_1550"], bend["loss_1310_db"]) == (True, False, None)
    assert bend["delta_1550_1310_db"] == pytest.approx(0.47)


def test_both_directions_are_mirrored_and_averaged() -> None:
    found = places(
        f_sor=sor(link((52.0, -0.18, 0, "s"), end=133.0), a="A", b="B"),
        g_sor=sor(link((81.0, 0.24, 0, "s"), end=133.0), a="B", b="A"),
    )

    splice = at(found, 52.0)
    assert (splice["loss_1550_ab_db"], splice["loss_1550_ba_db"]) == (-0.18, 0.24)
    assert splice["loss_1550_db"] == pytest.approx(0.03)
    assert (splice["directions"], splice["both_directions"]) == (2, True)
    assert [row["is_end"] for row in found] == [True, False, True]


def test_a_loss_seen_from_one_side_only_is_halved() -> None:
    found = places(
        f_sor=sor(link((52.0, 0.3, 0, "s"), end=133.0), a="A", b="B"), g_sor=sor(link(end=133.0), a="B", b="A")
    )

    splice = at(found, 52.0)
    assert (splice["loss_db"], splice["directions"], splice["both_directions"]) == (0.15, 1, True)


def test_one_direction_alone_is_not_turned_round() -> None:
    (_, splice, _) = places(f_BA_sor=sor(link((30.0, 0.3, 0, "s"))))

    assert (splice["position_m"], splice["both_directions"]) == (pytest.approx(30.0, abs=0.1), False)


def test_the_schedule_names_the_ports_and_the_missing_length() -> None:
    (*_, end) = places(f_sor=sor([(0.0, 0.2, -60.0, "c"), (73.2, 0.0, 0.0, "b")]), plan_schedule=SCHEDULE)

    assert (end["is_end"], end["kind"], end["reflectance_db"]) == (True, "non-reflective", None)
    assert (end["design_length_m"], end["length_short_m"]) == (126.0, pytest.approx(52.8, abs=0.05))
    assert (end["port"], end["hca_port"], end["hca_node"], end["is_apc"]) == (
        "leaf01/3", "gpu001:mlx5_0", "gpu001", True,
    )  # fmt: skip


def test_a_numbered_fibre_of_a_shared_trunk_finds_its_link_by_the_number() -> None:
    schedule = (
        b"link_id,switch,port,trunk_id,fibers,panel_a,panel_b,design_length_m\n"
        b"LK-0201,leaf01,1,TRK-0101,01-08,A1,B1,100\nLK-0202,leaf01,2,TRK-0101,09-16,A2,B2,110\n"
    )
    found = places(f_sor=sor(link(), fibre="11", a="Hall 1", b="Hall 2"), plan_schedule=schedule)

    assert (found[0]["link"], found[0]["port"], found[0]["design_length_m"]) == ("LK-0202", "leaf01/2", 110.0)


def test_positions_count_from_the_end_of_the_launch_fibre() -> None:
    found = places(f_sor=sor([(0.0, 0, -40, "c"), (100.0, 0.7, -38, "c"), (160.0, 0, -45, "e")], launch_m=100.0))

    assert [round(row["position_m"]) for row in found] == [-100, 0, 60]
    assert [row["in_launch"] for row in found] == [True, False, False]
    first = at(found, 0.0)
    assert (first["is_start"], first["is_first"], first["measured_m"]) == (False, True, pytest.approx(100.0, abs=0.02))


def test_an_echo_at_twice_the_distance_of_a_stronger_reflector_is_marked() -> None:
    found = places(f_sor=sor(link((50.0, 1.4, -22.0, "x"), (100.0, 0.0, -62.0, "c"), end=180.0)))

    assert at(found, 100.0)["ghost_of_m"] == pytest.approx(50.0, abs=0.1)
    assert at(found, 100.0)["ghost_order"] == 2
    assert at(found, 50.0)["ghost_of_m"] is None


def test_an_echo_counts_from_the_instrument_not_from_the_link() -> None:
    found = places(
        f_sor=sor(
            [(0.0, 0, -50, "c"), (20.0, 0.3, -30, "c"), (40.0, 0.0, -60, "c"), (90.0, 0, -45, "e")], launch_m=20.0
        )
    )

    assert at(found, 20.0)["ghost_of_m"] == pytest.approx(0.0, abs=0.1)


def test_an_event_behind_the_end_is_marked() -> None:
    found = places(f_sor=sor([*link(end=62.0), (124.0, 0.0, -48.0, "c")]))

    assert [row["beyond_end"] for row in found] == [False, False, True]
    assert found[0]["length_m"] == pytest.approx(62.0, abs=0.05)


def test_the_trace_file_wins_over_its_report() -> None:
    report = (
        b"fiber;wavelength_nm;no;type;location_m;loss_db\n"
        b"LK-0101-F01;1550;1;Reflective;0.0;0.2\nLK-0101-F01;1550;2;Non-Reflective;41.5;0.9\n"
        b"LK-0101-F01;1550;3;End;118.0;\n"
    )

    assert at(places(r_csv=report, b1550_sor=BEND["b1550_sor"]), 41.5)["loss_db"] == 0.52
    assert at(places(r_csv=report), 41.5)["loss_db"] == 0.9


def test_a_report_stands_in_for_a_trace_file_cut_before_its_end_event() -> None:
    whole = BEND["b1550_sor"]
    report = (
        b"fiber;wavelength_nm;no;type;location_m;loss_db\n"
        b"LK-0101-F01;1550;1;Non-Reflective;41.5;0.9\nLK-0101-F01;1550;2;End;118.0;\n"
    )

    found = places(b1550_sor=whole[: whole.index(b"1E9999")], r_csv=report)
    assert at(found, 41.5)["loss_db"] == 0.9


def test_events_nearer_than_the_pulse_are_still_two_in_one_trace() -> None:
    found = places(f_sor=sor(link((41.5, 0.3, 0, "s"), (42.0, 0.3, -50, "c")), pulses_ns=(30,)))

    assert len(found) == 4
    assert found[1]["gap_m"] == pytest.approx(0.5, abs=0.05)
    assert found[1]["pulse_m"] == pytest.approx(3.06)


def test_fibres_of_one_link_are_compared_place_by_place() -> None:
    found = places(f_sor=sor(link((35.0, 0.9, -35, "c"))), g_sor=sor(link((35.1, 0.7, -36, "c")), fibre="LK-0101-F02"))

    connector = next(row for row in found if row["fibre"] == "LK-0101-F01" and row["position_m"] > 30)
    assert (connector["peer_fibres"], connector["peer_least_loss_db"]) == (2, 0.7)


def test_ends_per_wavelength_tell_a_crack() -> None:
    found = places(f_sor=sor(link(end=120.0), wavelength=1310), g_sor=sor(link(end=62.0), wavelength=1550))

    assert (found[0]["end_1310_m"], found[0]["end_1550_m"]) == pytest.approx((120.0, 62.0), abs=0.05)


def test_a_fibre_as_a_whole_sums_its_losses_and_knows_its_twins() -> None:
    same = sor(link((41.5, 0.5, 0, "s")))
    copy = same.replace(b"LK-0101-F01", b"LK-0101-F09")
    first, second = fibres.derive(frames(f_sor=same, g_sor=copy)).to_dicts()

    assert first["total_1550_db"] == pytest.approx(0.2 + 0.5 + 0.19 * 0.118, abs=0.002)
    assert (first["twins"], second["twins"]) == (["LK-0101-F09"], ["LK-0101-F01"])
    assert (first["first_loss_db"], first["complete"]) == (0.2, True)


def test_no_measurements_give_empty_tables_with_all_columns() -> None:
    for module in (fibre_events, fibres):
        empty = module.derive({})
        assert empty.height == 0
        assert empty.columns == list(table_schema(module.SPEC))


POINT = st.tuples(
    st.floats(-50, 300), st.floats(-2, 5), st.sampled_from((0.0, -14.7, -50.0)), st.sampled_from("csxebo")
)


@given(st.lists(st.lists(POINT, max_size=6), min_size=1, max_size=4), st.data())
def test_any_events_give_rows_that_each_cite_what_they_were_made_of(
    runs: list[list[Event]], data: st.DataObject
) -> None:
    files = {
        f"f{index}_sor": sor(
            points,
            samples=20,
            wavelength=data.draw(st.sampled_from((1310, 1550))),
            launch_m=data.draw(st.sampled_from((0.0, 100.0))),
            a=data.draw(st.sampled_from("AB")),
            b=data.draw(st.sampled_from("AB")),
        )
        for index, points in enumerate(runs)
    }
    found = places(**files)

    cited = [place for row in found for place in row["evidence"]]
    assert len(cited) == len(set(cited))
    assert all(row["evidence"] for row in found)


def test_a_break_seen_from_both_ends_is_one_place_by_the_planned_length() -> None:
    found = places(
        f_sor=sor([(0.0, 0.2, -60.0, "c"), (73.2, 0.0, 0.0, "b")]),
        g_sor=sor([(0.0, 0.2, -60.0, "c"), (52.8, 0.0, 0.0, "b")], a="R02-PP1-01", b="R01-PP1-01"),
        plan_schedule=SCHEDULE,
    )

    assert [(round(row["position_m"]), row["is_end"], len(row["evidence"])) for row in found] == [
        (0, False, 2),
        (73, True, 3),
        (126, False, 2),
    ]
