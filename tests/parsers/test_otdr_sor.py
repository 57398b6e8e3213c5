from __future__ import annotations

import struct
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analyzer.model.formats import Dump
from parsers import otdr_sor
from tests.parsers.sor_writer import ORDER, sor

LINK = [(0.0, 0.2, -60.0, "c"), (41.5, 0.52, 0.0, "s"), (80.0, 4.1, -19.5, "x"), (118.0, 0.0, -14.7, "e")]


def trace(dump: Dump) -> dict[str, Any]:
    return dict(dump.rows[0].values)


def events(dump: Dump) -> list[dict[str, Any]]:
    return [dict(row.values) for row in dump.rows if row.table == "otdr_events"]


def problems(dump: Dump) -> list[str]:
    return [problem.text for problem in dump.problems]


def test_events_carry_position_loss_reflectance_kind_and_their_number() -> None:
    dump = otdr_sor.parse(sor(LINK), "optics/LK-0101-F01_1550.sor")

    assert [row.event for row in dump.rows] == [0, 1, 2, 3, 4]
    read = [(e["position_m"], e["loss_db"], e["reflectance_db"], e["kind"]) for e in events(dump)]
    assert read == [
        (0.0, 0.2, -60.0, "reflective"),
        (pytest.approx(41.5, abs=0.02), 0.52, None, "non-reflective"),
        (pytest.approx(80.0, abs=0.02), 4.1, -19.5, "saturated"),
        (pytest.approx(118.0, abs=0.02), None, -14.7, "reflective"),
    ]
    assert [e["is_end"] for e in events(dump)] == [False, False, False, True]
    assert [e["is_start"] for e in events(dump)] == [True, False, False, False]
    assert dump.rows[2].text == "event 2 at 41.49 m: non-reflective, loss 0.520 dB, 1550 nm"


def test_a_trace_tells_what_was_measured_and_how() -> None:
    dump = otdr_sor.parse(sor(LINK, comment="leaf01 port 3"), "LK-0101-F01_1550.sor")

    read = trace(dump)
    assert (read["fibre"], read["link"], read["cable"]) == ("LK-0101-F01", "LK-0101", "TRK-0101")
    assert (read["location_a"], read["location_b"], read["comment"]) == ("R01-PP1-01", "R02-PP1-01", "leaf01 port 3")
    assert (read["wavelength_nm"], read["pulse_ns"], read["group_index"]) == (1550, 5.0, 1.4682)
    assert (read["events"], read["has_end_event"], read["complete"]) == (4, True, True)
    assert (read["total_loss_db"], read["orl_db"], read["loss_threshold_db"]) == (1.234, 45.678, 0.02)
    assert read["length_m"] == pytest.approx(118.0, abs=0.02)
    assert (read["supplier"], read["model"], read["taken_s"]) == ("Maker", "T-1 M-1", 1_735_689_600.0)
    assert (read["samples"], read["checksum"]) == (600, "matches")
    assert read["spacing_m"] == pytest.approx(0.5, abs=1e-4)
    assert not dump.problems


def test_length_excludes_the_launch_fibre() -> None:
    dump = otdr_sor.parse(sor([(0, 0, -40, "c"), (100, 0.3, -55, "c"), (160, 0, -45, "e")], launch_m=100), "x.sor")

    assert (trace(dump)["launch_m"], trace(dump)["length_m"]) == pytest.approx((100.0, 60.0), abs=0.02)


def test_instruments_that_count_from_the_end_of_the_launch_fibre_are_told_apart() -> None:
    dump = otdr_sor.parse(
        sor([(0.0, 0.8, -25.7, "c"), (61.98, 0, -17.4, "e")], launch_m=100, span_from_m=-100), "x.sor"
    )

    assert (trace(dump)["launch_m"], trace(dump)["origin_m"]) == (pytest.approx(100.0, abs=0.02), 0.0)
    assert trace(dump)["length_m"] == pytest.approx(61.98, abs=0.02)
    assert [e["is_start"] for e in events(dump)] == [False, False]


def test_the_first_version_of_the_format_is_read() -> None:
    dump = otdr_sor.parse(sor(LINK, version=1), "x.sor")

    assert [e["loss_db"] for e in events(dump)] == [0.2, 0.52, 4.1, None]
    assert trace(dump)["fibre_type"] is None
    assert not dump.problems


def test_blocks_are_found_in_any_order_and_vendor_blocks_are_kept_by_name() -> None:
    order = ("DataPts", "KeyEvents", "SupParams", "GenParams", "FxdParams", "Cksum")
    dump = otdr_sor.parse(sor(LINK, order=order, vendor=b"\1\2\3"), "x.sor")

    assert len(events(dump)) == 4
    assert trace(dump)["other_blocks"] == ["VendorBlock:15"]
    assert not dump.problems


def test_a_block_listed_with_no_body_is_no_damage() -> None:
    assert not otdr_sor.parse(sor(LINK, empty_blocks=["LnkParams"]), "x.sor").problems


@pytest.mark.parametrize("raw", [-(2**31), -(2**31) + 1, 0])
def test_sentinels_mean_not_measured(raw: int) -> None:
    data = sor([(0.0, 0.2, -60.0, "c"), (50.0, 0.1, -33.333, "c"), (90.0, 0.0, -14.7, "e")])
    patched = data.replace(struct.pack("<i", -33_333), struct.pack("<i", raw))

    assert events(otdr_sor.parse(patched, "x.sor"))[1]["reflectance_db"] is None


def test_a_dropped_minus_sign_of_the_reflectance_is_restored() -> None:
    assert events(otdr_sor.parse(sor([(0, 0.1, 55, "c"), (9, 0, 14, "e")]), "x.sor"))[0]["reflectance_db"] == -55.0


def test_positions_are_signed() -> None:
    dump = otdr_sor.parse(sor([(-15.0, 0.0, -40.0, "c"), (0.0, 0.3, -50.0, "c"), (60.0, 0.0, -45.0, "e")]), "x.sor")

    assert events(dump)[0]["position_m"] == pytest.approx(-15.0, abs=0.02)
    assert [e["is_start"] for e in events(dump)] == [True, False, False]


def test_a_position_far_outside_the_trace_is_null_and_told() -> None:
    dump = otdr_sor.parse(sor([(0, 0.1, -55, "c"), (40_000, 0.1, 0, "s"), (90, 0, -45, "e")]), "x.sor")

    assert events(dump)[1]["position_m"] is None
    assert problems(dump) == ["event 2 at 40000 m lies outside the trace"]


def test_several_pulse_widths_are_read_and_the_longest_counts() -> None:
    read = trace(otdr_sor.parse(sor(LINK, pulses_ns=(5, 30, 10)), "x.sor"))

    assert (read["pulse_ns"], read["group_index"]) == (30.0, 1.4682)


def test_an_impossible_group_index_is_told_and_replaced() -> None:
    dump = otdr_sor.parse(sor(LINK, index=1.9), "x.sor")

    assert trace(dump)["group_index"] is None
    assert problems(dump)[0] == "group index 1.90000 is impossible, 1.468 assumed"


@pytest.mark.parametrize(
    ("encoding", "language", "place"),
    [("utf-8", b"EN", "Gebäude 7"), ("cp1252", b"EN", "Gebäude 7"), ("cp1251", b"EN", "Узел"), ("gbk", b"CH", "机房")],
)
def test_names_are_read_in_the_encodings_that_instruments_write(encoding: str, language: bytes, place: str) -> None:
    dump = otdr_sor.parse(sor(LINK, a=place, encoding=encoding, language=language), "x.sor")

    assert trace(dump)["location_a"] == place


def test_arbitrary_language_bytes_are_skipped() -> None:
    assert trace(otdr_sor.parse(sor(LINK, language=b"\0\xb8"), "x.sor"))["fibre"] == "LK-0101-F01"


def test_a_file_cut_inside_the_samples_keeps_its_event_table() -> None:
    dump = otdr_sor.parse(sor(LINK)[:900], "x.sor")

    assert [e["loss_db"] for e in events(dump)] == [0.2, 0.52, 4.1, None]
    assert trace(dump)["complete"] is False
    assert problems(dump)[0].startswith("cut short: the map declares")


def test_a_file_cut_inside_the_events_keeps_the_whole_ones() -> None:
    whole = sor(LINK)
    dump = otdr_sor.parse(whole[: whole.index(b"2F9999")], "x.sor")

    assert [e["loss_db"] for e in events(dump)] == [0.2, 0.52]
    assert trace(dump)["complete"] is False


def test_a_file_without_events_still_tells_what_was_measured() -> None:
    dump = otdr_sor.parse(sor(LINK, order=[name for name in ORDER if name != "KeyEvents"]), "x.sor")

    assert trace(dump)["cable"] == "TRK-0101"
    assert problems(dump) == ["no KeyEvents block"]


def test_blocks_missing_from_a_damaged_map_are_found_by_their_tags() -> None:
    whole = sor(LINK)
    at = whole.index(b"KeyEvents")
    dump = otdr_sor.parse(whole[:at] + b"KeyEvXnts" + whole[at + 9 :], "x.sor")

    assert len(events(dump)) == 4


def test_the_step_in_the_samples_stands_beside_the_stored_loss() -> None:
    read = events(otdr_sor.parse(sor(LINK), "x.sor"))

    assert read[1]["trace_loss_db"] == pytest.approx(0.52, abs=0.02)


def test_direction_comes_from_the_file_name() -> None:
    assert trace(otdr_sor.parse(sor(LINK), "LK-0101-F01_BA_1550.sor"))["direction"] == "BA"


@pytest.mark.parametrize(
    ("comment", "port"),
    [("leaf-02 port 4 to cn012", "leaf-02/4"), ("BER alarm leaf03 p17", "leaf03/17"), ("R12-PP2/05", None), ("", None)],
)
def test_the_switch_port_comes_from_the_comment(comment: str, port: str | None) -> None:
    assert trace(otdr_sor.parse(sor(LINK, comment=comment), "x.sor"))["port"] == port


def test_a_number_as_fibre_id_is_joined_with_the_cable() -> None:
    assert trace(otdr_sor.parse(sor(LINK, fibre="7"), "x.sor"))["fibre"] == "TRK-0101/7"


def test_sniff_knows_the_map_and_the_file_name() -> None:
    whole, damaged = otdr_sor.sniff(sor(LINK), "noname"), otdr_sor.sniff(b"junk", "a.SOR")
    assert whole is not None and whole.score == 100
    assert damaged is not None and damaged.score == 30
    assert otdr_sor.sniff(b"Mapping of ports", "map.txt") is None


def test_bytes_that_are_no_trace_become_one_problem() -> None:
    assert problems(otdr_sor.parse(b"junk", "a.sor")) == [
        "no map at the start: not a .sor trace, or damaged beyond reading"
    ]


def assert_sound(dump: Dump) -> None:
    assert all(row.event >= 0 and row.line == 0 for row in dump.rows)
    assert [row.event for row in dump.rows[1:]] == list(range(1, len(dump.rows)))


@given(st.binary(max_size=400))
def test_any_bytes_after_a_map_are_survived(tail: bytes) -> None:
    assert_sound(otdr_sor.parse(b"Map\0" + tail, "a.sor"))
    assert_sound(otdr_sor.parse(tail, "a.sor"))


@settings(max_examples=150)
@given(st.data())
def test_any_damage_to_a_real_file_is_survived(data: st.DataObject) -> None:
    damaged = bytearray(sor(LINK, samples=60, version=data.draw(st.sampled_from((1, 2)))))
    for _ in range(data.draw(st.integers(1, 6))):
        damaged[data.draw(st.integers(0, len(damaged) - 1))] = data.draw(st.integers(0, 255))
    assert_sound(otdr_sor.parse(bytes(damaged[: data.draw(st.integers(8, len(damaged)))]), "a.sor"))
