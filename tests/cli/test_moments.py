"""Dates, moments and zones as the command line takes them."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.cli.moments import moment_s, zone
from analyzer.errors import UsageError


def test_moment_without_offset_is_in_the_assumed_zone() -> None:
    assert moment_s("2026-01-31T14:05", "--since", zone("+02:00")) == moment_s("2026-01-31T12:05Z", "--since")


def test_stated_offset_wins_over_the_assumed_zone() -> None:
    assert moment_s("2026-01-31 14:05:00+01:00", "--since", zone("Asia/Tokyo")) == 1_769_864_700.0


def test_date_is_its_first_moment() -> None:
    assert moment_s("1970-01-02", "--until") == 86_400.0


@pytest.mark.parametrize("name", ["-05:30", "-05:3", "-5"])
def test_offset_west_of_greenwich(name: str) -> None:
    minutes = {"-05:30": 330, "-05:3": 303, "-5": 300}[name]
    assert moment_s("1970-01-01", "--since", zone(name)) == minutes * 60.0


@pytest.mark.parametrize("text", ["yesterday", "2026-13-01", "", "14:05"])
def test_what_is_no_time_is_refused_with_the_option_named(text: str) -> None:
    with pytest.raises(UsageError, match="--since"):
        moment_s(text, "--since")


@given(st.text(max_size=20))
def test_any_zone_name_is_a_zone_or_a_usage_error(name: str) -> None:
    with suppress(UsageError):
        zone(name)
