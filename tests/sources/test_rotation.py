"""Rotated files of one log are told by their names, and their years by the order of their stamps."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.sources.rotation import rotated, rotations, years_passed

DAY_S = 86_400.0
NEW_YEARS_EVE_S = 365 * DAY_S


@pytest.mark.parametrize(
    ("path", "log"),
    [
        ("n1/var/log/messages", "n1/var/log/messages"),
        ("n1/var/log/messages.1", "n1/var/log/messages"),
        ("n1/var/log/messages.2.gz", "n1/var/log/messages"),
        ("n1/var/log/messages-20260104", "n1/var/log/messages"),
        ("n1/var/log/messages-20260104.xz", "n1/var/log/messages"),
        ("n1/var/log/messages-20261399", "n1/var/log/messages-20261399"),
        ("kern.log.10.gz", "kern.log"),
        ("slurm-90417.out", "slurm-90417.out"),
    ],
)
def test_the_log_of_a_file(path: str, log: str) -> None:
    assert rotated(path).log == log


def test_files_of_a_log_are_ordered_from_the_oldest() -> None:
    names = [
        "a/messages",
        "a/messages.1",
        "a/messages.2.gz",
        "b/messages",
        "a/messages-20251228",
        "a/messages-20260104",
    ]
    paths = dict(enumerate(names))
    assert [[paths[i] for i in found] for found in rotations(paths)] == [
        ["a/messages-20251228", "a/messages-20260104", "a/messages.2.gz", "a/messages.1", "a/messages"],
        ["b/messages"],
    ]


def test_new_year_between_and_inside_files() -> None:
    old, turn, new = [NEW_YEARS_EVE_S - 40 * DAY_S], [NEW_YEARS_EVE_S, DAY_S], [2 * DAY_S]
    assert years_passed([old, turn, [], new]) == [0, 0, 1, 1]
    assert years_passed([[NEW_YEARS_EVE_S], [DAY_S]]) == [0, 1]


@given(st.text(max_size=40))
def test_any_name_is_a_log(path: str) -> None:
    assert isinstance(rotated(path).log, str)
