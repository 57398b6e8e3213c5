"""Which patterns stay in the subset that all engines share."""

from __future__ import annotations

import pytest

from analyzer.scan.syntax import violations


@pytest.mark.parametrize(
    "regex",
    [
        r"NVRM: Xid \(PCI:(?P<gpu>[0-9a-f:.]+)\): (?P<xid>\d+)",
        r"^\[ *\d+\.\d+\] (?:mlx5_core|nvme\d+).{0,80}?(?i:fatal)\b",
        r"a$",
    ],
)
def test_a_pattern_of_the_common_subset_has_no_violation(regex: str) -> None:
    assert violations(regex) == []


@pytest.mark.parametrize(
    ("regex", "violation"),
    [
        (r"a(?=b)", "look-around"),
        (r"(?<!a)b", "look-around"),
        (r"(?P<a>x)(?P=a)", "back-reference"),
        (r"(a)?b(?(1)c|d)", "conditional group"),
        (r"(?>ab)c", "atomic group"),
        (r"a++b", "possessive quantifier"),
        (r"ab\Z", r"\Z"),
        (r"a\nb", "newline"),
        (r"grün", "character outside ASCII"),
        (r"a*", "matches the empty string"),
        (r"x[[a]y", "unescaped set operator in a class"),
    ],
)
def test_a_construct_outside_is_named(regex: str, violation: str) -> None:
    assert violations(regex) == [violation]


def test_an_invalid_pattern_is_said_to_be_invalid() -> None:
    assert violations("a(")[0].startswith("not a valid expression")
