from __future__ import annotations

import datetime as dt
import math
import zoneinfo

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.model.stamps import RawStamp, StampKind
from analyzer.sources.clocks import WEAK_YEAR, Anchor, Clock, ClockHints, ClockSamples, anchor, estimate, to_utc
from analyzer.sources.statements import Statement

RTC_UTC_S = 1_773_022_447.0  # 2026-03-09T02:14:07Z


def seconds(year: int, month: int, day: int, hour: int = 0, minute: int = 0, second: int = 0) -> float:
    return dt.datetime(year, month, day, hour, minute, second, tzinfo=dt.UTC).timestamp()


def yearless(month: int, day: int, hour: int = 0, minute: int = 0, second: int = 0) -> float:
    return seconds(2000, month, day, hour, minute, second) - seconds(2000, 1, 1)


def states(raw_s: float, utc_s: float | None, uncertainty_s: float = 1.0, zone_s: float | None = None) -> Anchor:
    return Anchor(raw_s, Statement(utc_s, zone_s, uncertainty_s, "clock.test"))


def test_stamps_with_a_zone_are_utc_as_they_are() -> None:
    clock = estimate(ClockSamples(StampKind.UTC, [5.0], resolution_s=1e-6), ClockHints())
    assert to_utc([5.0, math.nan], clock).tolist()[0] == 5.0
    assert (clock.uncertainty_s, clock.zone_assumed) == (5e-7, False)


class TestLocal:
    LOCAL = seconds(2026, 1, 8, 16, 25, 38)

    def test_the_option_wins(self) -> None:
        samples = ClockSamples(StampKind.LOCAL, [self.LOCAL], [states(self.LOCAL, None, zone_s=0.0)])
        clock = estimate(samples, ClockHints(zone=zoneinfo.ZoneInfo("America/Chicago"), stated_zone_offset_s=3600.0))
        assert to_utc([self.LOCAL], clock).tolist() == [seconds(2026, 1, 8, 22, 25, 38)]
        assert clock.why == "zone UTC-06:00 by option"

    BERLIN = ClockHints(zone=zoneinfo.ZoneInfo("Europe/Berlin"))

    def test_each_side_of_a_change_of_summer_time_has_its_own_offset(self) -> None:
        stamps = [seconds(2026, 3, 29, 1, 59, 59), seconds(2026, 3, 29, 3, 0, 1)]
        clock = estimate(ClockSamples(StampKind.LOCAL, stamps), self.BERLIN)
        assert to_utc(stamps, clock).tolist() == [seconds(2026, 3, 29, 0, 59, 59), seconds(2026, 3, 29, 1, 0, 1)]
        assert clock.uncertainty_s == 0.5
        assert clock.why == "zone UTC+02:00 by option, UTC+01:00 before the clocks changed"

    def test_in_the_hour_that_comes_twice_the_order_tells_which_it_is(self) -> None:
        stamps = [
            seconds(2026, 10, 25, *clock) for clock in ((1, 50), (2, 10), (2, 50), (2, 5), (2, 55), (3, 5))
        ]  # fmt: skip
        clock = estimate(ClockSamples(StampKind.LOCAL, stamps), self.BERLIN)
        utc = to_utc(stamps, clock)
        assert [int(x) // 60 % 1440 for x in utc] == [23 * 60 + 50, 10, 50, 65, 115, 125]
        assert clock.uncertainty_s == 0.5

    def test_where_the_order_does_not_tell_there_is_an_hour_of_doubt(self) -> None:
        stamps = [seconds(2026, 10, 25, 1, 50), seconds(2026, 10, 25, 2, 10), seconds(2026, 10, 25, 3, 30)]
        assert estimate(ClockSamples(StampKind.LOCAL, stamps), self.BERLIN).uncertainty_s == 3600.5

    def test_a_log_whose_lines_state_two_zones_has_both(self) -> None:
        winter, summer = seconds(2026, 3, 1), seconds(2026, 4, 1)
        anchors = [states(winter, None, zone_s=3600.0), states(summer, None, zone_s=7200.0)]
        clock = estimate(ClockSamples(StampKind.LOCAL, [winter, summer], anchors), ClockHints())
        assert to_utc([winter, summer], clock).tolist() == [winter - 3600.0, summer - 7200.0]

    def test_a_line_that_states_the_zone_is_believed(self) -> None:
        samples = ClockSamples(StampKind.LOCAL, [self.LOCAL], [states(self.LOCAL, None, zone_s=-21600.0)])
        clock = estimate(samples, ClockHints(stated_zone_offset_s=0.0))
        assert (clock.zone_offset_s, clock.why) == (-21600.0, "zone UTC-06:00 by the log's own lines")

    def test_a_true_time_beside_a_local_stamp_implies_the_zone(self) -> None:
        samples = ClockSamples(StampKind.LOCAL, [self.LOCAL], [states(self.LOCAL, self.LOCAL + 6 * 3600 - 1)])
        assert estimate(samples, ClockHints()).zone_offset_s == -21600.0

    def test_a_difference_that_is_no_zone_implies_none(self) -> None:
        samples = ClockSamples(StampKind.LOCAL, [self.LOCAL], [states(self.LOCAL, self.LOCAL + 1350.0)])
        assert estimate(samples, ClockHints()).zone_assumed

    def test_a_zone_stated_elsewhere_is_taken(self) -> None:
        clock = estimate(
            ClockSamples(StampKind.LOCAL, [self.LOCAL]),
            ClockHints(stated_zone_offset_s=19800.0, zone_why="nodes/a/syslog"),
        )
        assert (clock.zone_offset_s, clock.why) == (19800.0, "zone UTC+05:30 as in nodes/a/syslog")

    def test_without_any_statement_utc_is_assumed_and_said(self) -> None:
        clock = estimate(ClockSamples(StampKind.LOCAL, [self.LOCAL]), ClockHints())
        assert (clock.zone_offset_s, clock.zone_assumed) == (0.0, True)
        assert clock.why == "zone not stated, UTC assumed; --timezone states it"


class TestYearless:
    def test_the_option_states_the_year_of_the_first_line(self) -> None:
        samples = ClockSamples(StampKind.YEARLESS, [yearless(12, 31, 23), yearless(1, 1, 1)])
        clock = estimate(samples, ClockHints(year=2025))
        assert to_utc(samples.raw_s, clock).tolist() == [seconds(2025, 12, 31, 23), seconds(2026, 1, 1, 1)]

    def test_lines_after_new_year_alone_are_in_the_new_year(self) -> None:
        clock = estimate(ClockSamples(StampKind.YEARLESS, [yearless(12, 31), yearless(1, 2)]), ClockHints(year=2025))
        assert to_utc([yearless(1, 2)], clock).tolist() == [seconds(2026, 1, 2)]

    def test_a_line_out_of_order_at_new_year_stays_in_its_year(self) -> None:
        raw = [yearless(12, 31), yearless(1, 1), yearless(12, 31, 23, 59, 59), yearless(1, 1, 0, 0, 1)]
        found = to_utc(raw, Clock(StampKind.YEARLESS, year=2025))
        assert found[2] == seconds(2025, 12, 31, 23, 59, 59)
        assert found[3] == seconds(2026, 1, 1, 0, 0, 1)

    @pytest.mark.parametrize(
        ("year", "month", "day", "expected"),
        [
            (2024, 2, 29, (2024, 2, 29)),
            (2026, 3, 1, (2026, 3, 1)),
            (2026, 2, 28, (2026, 2, 28)),
            (2024, 3, 1, (2024, 3, 1)),
        ],
    )
    def test_days_after_february_are_right_in_every_year(
        self, year: int, month: int, day: int, expected: tuple[int, int, int]
    ) -> None:
        assert to_utc([yearless(month, day)], Clock(StampKind.YEARLESS, year=year)).tolist() == [seconds(*expected)]

    def test_a_true_time_in_the_log_gives_year_and_zone(self) -> None:
        raw = [yearless(3, 8, 20, 14, 8), yearless(3, 9, 1)]
        samples = ClockSamples(StampKind.YEARLESS, raw, [states(raw[0], RTC_UTC_S)])
        clock = estimate(samples, ClockHints())
        assert (clock.year, clock.zone_offset_s, clock.zone_assumed) == (2026, -21600.0, False)
        assert to_utc(raw[:1], clock).tolist() == [RTC_UTC_S + 1]

    def test_a_true_time_after_new_year_gives_the_year_of_the_first_line(self) -> None:
        raw = [yearless(12, 30), yearless(3, 9, 2, 14, 7)]
        assert estimate(ClockSamples(StampKind.YEARLESS, raw, [states(raw[1], RTC_UTC_S)]), ClockHints()).year == 2025

    def test_a_header_without_stamp_gives_the_year(self) -> None:
        samples = ClockSamples(StampKind.YEARLESS, [yearless(5, 29)], [states(math.nan, seconds(2021, 5, 29))])
        assert (estimate(samples, ClockHints()).year, estimate(samples, ClockHints()).zone_assumed) == (2021, True)

    def test_dates_of_other_sources_give_the_year(self) -> None:
        samples = ClockSamples(StampKind.YEARLESS, [yearless(12, 31), yearless(1, 2)])
        clock = estimate(samples, ClockHints(dated_s=[seconds(2026, 1, 3), math.nan], modified_s=seconds(2020, 1, 2)))
        assert (clock.year, clock.why.split(";")[0]) == (2025, "year by the dates of other sources")

    def test_a_file_modified_soon_after_its_last_line_gives_the_year(self) -> None:
        samples = ClockSamples(StampKind.YEARLESS, [yearless(3, 8), yearless(3, 9)])
        clock = estimate(samples, ClockHints(modified_s=seconds(2026, 3, 9, 6)))
        assert (clock.year, clock.why.split(";")[0]) == (2026, "year by the file's modification time")

    def test_a_file_copied_later_gives_a_guess_that_is_named(self) -> None:
        clock = estimate(
            ClockSamples(StampKind.YEARLESS, [yearless(12, 9)]), ClockHints(modified_s=seconds(2026, 7, 1))
        )
        assert clock.year == 2025
        assert clock.why.startswith(WEAK_YEAR)

    @pytest.mark.parametrize("modified_s", [None, 0.0, seconds(2026, 1, 1)])
    def test_a_modification_time_set_by_a_packer_gives_no_year(self, modified_s: float | None) -> None:
        samples = ClockSamples(StampKind.YEARLESS, [yearless(3, 9)])
        clock = estimate(samples, ClockHints(modified_s=modified_s))
        assert clock.why == "year unknown; --year states it"
        assert np.isnan(to_utc(samples.raw_s, clock)).all()


class TestUptime:
    def test_the_log_states_the_time_beside_its_uptime(self) -> None:
        clock = estimate(ClockSamples(StampKind.UPTIME, [0.0], [states(0.61, RTC_UTC_S + 0.61)]), ClockHints())
        assert clock.boot_s == RTC_UTC_S
        assert clock.uncertainty_s == 1.0
        assert to_utc([10.5], clock).tolist() == [RTC_UTC_S + 10.5]

    def test_precise_statements_count_before_coarse_ones(self) -> None:
        anchors = [states(0.61, RTC_UTC_S), states(2024.0, RTC_UTC_S + 2024.25, uncertainty_s=0.05)]
        clock = estimate(ClockSamples(StampKind.UPTIME, [0.0], anchors), ClockHints())
        assert (clock.boot_s, clock.uncertainty_s) == (RTC_UTC_S + 0.25, 0.05)

    def test_statements_after_the_clock_was_set_count(self) -> None:
        early = [states(1.0, RTC_UTC_S + 3601.0), states(2.0, RTC_UTC_S + 3602.0)]
        late = [states(60.0, RTC_UTC_S + 60.0), states(90.0, RTC_UTC_S + 90.0)]
        clock = estimate(ClockSamples(StampKind.UPTIME, [0.0], [*early, *late]), ClockHints())
        assert clock.boot_s == RTC_UTC_S
        assert clock.why.endswith("the clock was set meanwhile")

    def test_messages_shared_with_another_log_of_the_node_give_the_boot_time(self) -> None:
        uptimes = {"a": [10.0], "b": [20.0, 25.0], "c": [30.0], "only here": [1.0]}
        walls = {"a": [1010.4], "b": [1020.0, 1025.2], "c": [1030.1], "only there": [7.0]}
        clock = estimate(ClockSamples(StampKind.UPTIME, [0.0], walls=uptimes), ClockHints(walls=walls))
        assert clock.boot_s == pytest.approx(1000.15, abs=0.11)
        assert clock.uncertainty_s == 0.5

    def test_too_few_shared_messages_give_none(self) -> None:
        uptimes, walls = {"a": [10.0], "b": [20.0]}, {"a": [1010.0], "b": [1020.0]}
        assert not estimate(ClockSamples(StampKind.UPTIME, [0.0], walls=uptimes), ClockHints(walls=walls)).known

    def test_messages_of_two_boots_that_fit_equally_give_none(self) -> None:
        uptimes = {name: [float(at)] for at, name in enumerate("abcd")}
        walls = {name: [1000.0 + at, 9000.0 + at] for at, name in enumerate("abcd")}
        assert not estimate(ClockSamples(StampKind.UPTIME, [0.0], walls=uptimes), ClockHints(walls=walls)).known

    def test_without_any_statement_the_time_is_unknown(self) -> None:
        clock = estimate(ClockSamples(StampKind.UPTIME, [1.0]), ClockHints())
        assert np.isnan(to_utc([1.0, 2.0], clock)).all()
        assert clock.why == "boot time unknown: no line states the date"


def test_an_anchor_is_made_of_a_hit_and_its_stamp() -> None:
    found = anchor("clock.audit", [b"1773035675.744"], RawStamp(StampKind.UPTIME, 12.5, 1e-6))
    assert found == Anchor(12.5, Statement(1_773_035_675.744, None, 0.05, "clock.audit"))


RAW = st.lists(st.one_of(st.floats(0, 366 * 86_400), st.just(math.nan)), max_size=30)


@given(kind=st.sampled_from(StampKind), raw=RAW, year=st.one_of(st.none(), st.integers(1970, 2100)))
def test_any_stamps_give_as_many_times(kind: StampKind, raw: list[float], year: int | None) -> None:
    samples = ClockSamples(kind, raw, [states(value, 1.7e9 + number) for number, value in enumerate(raw[:3])])
    found = to_utc(raw, estimate(samples, ClockHints(year=year, dated_s=raw[:2], modified_s=1.7e9)))
    assert found.shape == (len(raw),)
    assert all(math.isnan(utc) for utc, value in zip(found, raw, strict=True) if math.isnan(value))
