"""Where and when a line belongs: by its own stamp, else between its neighbours."""

from __future__ import annotations

from collections.abc import Mapping

from analyzer.facts.placing import Placed, place
from analyzer.model.sources import Segment
from analyzer.model.stamps import Prefix, StampKind
from analyzer.sources.clocks import Clock
from analyzer.sources.parameters import parameters
from tests.facts.builders import heads, up, utc

UTC = {StampKind.UTC: Clock(StampKind.UTC, uncertainty_s=0.5)}
BOOTED = {StampKind.UPTIME: Clock(StampKind.UPTIME, boot_s=1000.0, uncertainty_s=2.0)}
WHOLE = Segment(0, 1, "n1")
UNBOOTED = {StampKind.UPTIME: Clock(StampKind.UPTIME)}


def placed(
    lines: Mapping[int, Prefix | None], clocks: Mapping[StampKind, Clock], segment: Segment = WHOLE
) -> dict[int, Placed]:
    return place(heads(lines), segment, sorted(lines), clocks, str.lower)


def test_a_stamp_in_utc_is_the_time() -> None:
    (line,) = placed({1: utc(50.0)}, UTC).values()
    assert (line.time_us, line.uncertainty_s) == (50_000_000, 0.5)


def test_an_uptime_counts_from_the_boot() -> None:
    (line,) = placed({1: up(12.5)}, BOOTED).values()
    assert (line.time_us, line.uncertainty_s) == (1_012_500_000, 2.0)


def test_an_uptime_without_a_boot_time_keeps_its_own_clock() -> None:
    (line,) = placed({1: up(12.5)}, UNBOOTED).values()
    assert (line.time_us, line.clock, line.clock_s) == (None, "n1/0", 12.5)


def test_two_boots_have_two_clocks() -> None:
    (line,) = placed({1: up(12.5)}, UNBOOTED, Segment(1, 1, "n1", boot=1)).values()
    assert line.clock == "n1/1"


def test_the_clock_of_an_unnamed_machine_is_that_of_its_log() -> None:
    (line,) = placed({1: up(12.5)}, UNBOOTED, Segment(0, 1)).values()
    assert line.clock == "0/0"


def test_a_line_belongs_to_the_node_of_its_segment() -> None:
    assert placed({1: utc(50.0)}, UTC)[1].node == "n1"


def test_a_host_that_the_line_names_goes_before_it() -> None:
    assert placed({1: utc(50.0, "N2")}, UTC)[1].node == "n2"


def test_localhost_names_no_node() -> None:
    assert placed({1: utc(50.0, "localhost")}, UTC)[1].node == "n1"


def test_a_line_without_a_stamp_lies_between_its_neighbours() -> None:
    line = placed({1: utc(50.0), 2: None, 3: utc(60.0)}, UTC)[2]
    assert (line.time_us, line.uncertainty_s) == (55_000_000, 5.5)


def test_at_the_end_of_a_log_it_may_be_much_later() -> None:
    line = placed({1: utc(50.0), 2: None}, UTC)[2]
    assert (line.time_us, line.uncertainty_s) == (50_000_000, parameters().unstamped_line_s)


def test_between_neighbours_out_of_order_its_time_is_unknown() -> None:
    assert placed({1: utc(60.0), 2: None, 3: utc(50.0)}, UTC)[2].time_us is None


def test_in_a_log_without_stamps_no_line_has_a_time() -> None:
    assert placed({1: None}, {})[1] == Placed(0, "n1", None, None, None, None)
