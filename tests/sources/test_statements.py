from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.errors import UsageError
from analyzer.sources.statements import Statement, line_patterns, read_statement, statement_in, statement_patterns
from analyzer.sources.zones import offset_at, parse_offset, parse_zone, stated_offset


@pytest.mark.parametrize(
    ("line", "utc_s", "zone_s", "name"),
    [
        (
            "[    0.610000] rtc_cmos 00:01: setting system clock to 2026-01-08T22:23:29 UTC (1767911009)",
            1_767_911_009.0,
            None,
            "clock.rtc_set",
        ),
        (
            "[    0.724454] rtc_cmos 00:01: setting system clock to 2015-12-21 07:28:41 UTC (1450682921)",
            1_450_682_921.0,
            None,
            "clock.rtc_set",
        ),
        (
            "[ 1.761971] audit: type=2000 audit(1773035675.744:1): state=initialized audit_enabled=0 res=1",
            1_773_035_675.744,
            None,
            "clock.audit",
        ),
        ("[ 0.603346] PM: RTC time: 23:51:21, date: 2026-08-19", 1_787_183_481.0, None, "clock.rtc_time"),
        (
            "[2026-01-08T16:25:38.155] slurmd started on Thu, 08 Jan 2026 16:25:38 -0600",
            1_767_911_138.0,
            -21_600.0,
            "clock.daemon_started",
        ),
        ("sdiag output at Fri Jan 16 22:23:20 2026 (1768623800)", 1_768_623_800.0, -21_600.0, "clock.sdiag"),
        (
            "-- Logs begin at Sat 2021-05-29 10:50:24 UTC, end at Sat 2021-05-29 17:47:12 UTC. --",
            1_622_310_432.0,
            0.0,
            "clock.journal_range",
        ),
        (
            "-- Logs begin at Sat 2021-05-29 10:50:24 CEST, end at Sat 2021-05-29 17:47:12 CEST. --",
            1_622_310_432.0,
            None,
            "clock.journal_range",
        ),
    ],
)
def test_a_line_states_the_time(line: str, utc_s: float, zone_s: float | None, name: str) -> None:
    found = statement_in(line)
    assert found is not None
    assert (found.utc_s, found.zone_offset_s, found.name) == (utc_s, zone_s, name)


@pytest.mark.parametrize(
    "line",
    [
        "NVRM: loading NVIDIA UNIX x86_64 Kernel Module  550.90.07  Fri May 31 09:35:42 UTC 2024",
        "PM: RTC time: 23:51:21, date: 2026-13-45",
        "audit: backlog limit exceeded",
    ],
)
def test_other_lines_state_none(line: str) -> None:
    assert statement_in(line) is None


def test_a_statement_counts_only_in_its_families() -> None:
    assert statement_in("sdiag output at Fri Jan 16 22:23:20 2026 (1768623800)", frozenset({"kernel"})) is None


def test_the_scan_gets_each_pattern_under_its_name() -> None:
    patterns = line_patterns(100)
    assert [pattern.index for pattern in patterns] == list(range(100, 100 + len(statement_patterns())))
    assert {pattern.event for pattern in patterns} == set(statement_patterns())


def test_patterns_stay_in_the_subset_common_to_all_engines() -> None:
    for pattern in statement_patterns().values():
        assert not re.search(r"\(\?[=!<]|\(\?<|\\[1-9]|[*+?}]\+", pattern.regex.replace("(?P<", "(")), pattern.name


@given(st.lists(st.one_of(st.none(), st.binary(max_size=8)), max_size=8))
def test_any_captures_are_read_without_an_error(captures: list[bytes | None]) -> None:
    for name in statement_patterns():
        if found := read_statement(name, captures):
            assert isinstance(found, Statement)


@pytest.mark.parametrize(
    ("text", "offset_s"),
    [
        ("+0100", 3600.0),
        ("-06:00", -21600.0),
        ("Z", 0.0),
        ("+05:30", 19800.0),
        ("CET", None),
        ("+9900", None),
        ("", None),
    ],
)
def test_offsets_are_read(text: str, offset_s: float | None) -> None:
    assert parse_offset(text) == offset_s


def test_a_zone_by_name_knows_summer_time() -> None:
    berlin = parse_zone("Europe/Berlin")
    assert (offset_at(berlin, 1_767_225_600.0), offset_at(berlin, 1_782_864_000.0)) == (3600.0, 7200.0)


@pytest.mark.parametrize("text", ["Mars/Olympus", "../../etc/passwd", "/etc/localtime", "", "\x00"])
def test_an_unknown_zone_is_a_usage_error(text: str) -> None:
    with pytest.raises(UsageError, match="unknown time zone"):
        parse_zone(text)


def test_the_offset_that_most_stamps_print_counts() -> None:
    head = b"2026-01-08T16:24:06.381782-06:00 a\n" * 3 + b"2026-01-08T16:24:06+0000 b\n2026-01-08T22:24:06Z c\n" * 2
    assert stated_offset(head) == -21600.0


@pytest.mark.parametrize("head", [b"", b"2026-01-08T22:24:06Z c\n", b"2026-01-08T22:24:06 c\n", b"2026-01-08-06:00\n"])
def test_stamps_without_an_offset_state_none(head: bytes) -> None:
    assert stated_offset(head) is None
