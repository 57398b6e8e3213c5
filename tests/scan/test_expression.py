"""Patterns written anew for Hyperscan and polars."""

from __future__ import annotations

import pytest

from analyzer.scan.expression import for_hyperscan, for_polars


@pytest.mark.parametrize(
    ("regex", "text", "exact"),
    [
        (r"Xid (?P<xid>\d+)", "Xid (?:[0-9])", True),
        (r".*status=(?P<status>.*)", r"status\x3d", True),
        (r"panic: (?P<why>.+)$", r"panic: (?:.)", True),
        (r"took \d+? (?P<unit>m?s)?", "took [0-9]+? ", True),
        (r"took \d+?", "took [0-9]", True),
        (r"gone$", "gone", False),
        (r"^up (?:now|later)", "^up (?:now|later)", True),
        (r"(?i)Ok!", r"[Oo][Kk]\x21", True),
        (r"a(?i:b)c", "a(?:[Bb])c", True),
        (r"a(?!b)c", "ac", False),
        (r"(?P<a>x)y(?P=a)z", "(?:x)y.*z", False),
        (r"a.{0,500}b", "a.*b", False),
        (r"a.{3,40}b", "a.{3,40}b", True),
        (r"a.{3,80}b", "a.{3,}b", False),
        (r"a[a-y]{3,80}b", "a[a-y]{3,80}b", True),
        (r"a?b*", "", False),
    ],
)
def test_for_hyperscan_cuts_what_existence_does_not_need(regex: str, text: str, exact: bool) -> None:
    assert for_hyperscan(regex) == (text, exact)


def test_for_hyperscan_never_crosses_a_newline() -> None:
    assert for_hyperscan(r"a\sb").text == r"a[\x09\x0b-\x0d ]b"
    assert r"\x0a" not in for_hyperscan(r"a[^x]\Wb").text


def test_for_polars_keeps_named_groups_only() -> None:
    assert for_polars(r"(a)(?P<n>\d+?)\.") == r"(?:a)(?P<n>[0-9]+?)\x2e"


def test_for_polars_refuses_what_it_cannot_say() -> None:
    with pytest.raises(ValueError, match="common subset"):
        for_polars("a(?=b)")
