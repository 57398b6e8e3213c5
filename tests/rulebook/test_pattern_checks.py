from __future__ import annotations

import pytest

from analyzer.rulebook.pattern_checks import engine_problems, sample_problems, subset_problems


@pytest.mark.parametrize(
    "pattern",
    [
        r"NVRM: Xid \(PCI:(?P<gpu>[0-9a-fA-F:.]+)\): (?P<xid>\d+), (?P<detail>.*)",
        r"(?i)error",
        r"a(?i:b)c",
        r"(?:a|b){1,3}c{2}d{3,}",
        r"x*?y+?z??",
        r"[]x]y[^\]]",
        r"\{\}\[\]\\",
        r"^\bword\b$",
        r"\xc2\xb5s",
    ],
)
def test_the_common_subset_is_taken(pattern: str) -> None:
    assert [*subset_problems(pattern), *engine_problems(pattern)] == []


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("(?=a)b", "look-ahead"),
        ("(?!a)b", "look-ahead"),
        ("(?<=a)b", "look-behind"),
        ("(?<!a)b", "look-behind"),
        ("(?P<a>x)(?P=a)", "back-reference"),
        (r"(?P<a>x)\1", "back-reference"),
        ("(?>a)b", "atomic"),
        ("a++b", "possessive"),
        ("a{2}+b", "possessive"),
        ("(?#x)a", "comment"),
        ("(?s)a.b", "outside the common subset"),
        ("(a)b", "without a name"),
        ("a{,3}b", "read differently"),
        ("a{b", "bare {"),
        ("[[:alpha:]]", "read differently"),
        ("[a&&b]", "read differently"),
        (r"\<a", "word boundary"),
        (r"a\Z", "read differently"),
        ("µs", "ASCII"),
        ("a" * 1_001, "longer than"),
    ],
)
def test_what_engines_read_differently_is_refused(pattern: str, why: str) -> None:
    assert any(why in text for text in subset_problems(pattern))


@pytest.mark.parametrize(
    ("pattern", "why"),
    [("a*", "empty line"), ("^$", "empty line"), ("(?:a", "does not compile"), ("[a", "does not compile")],
)
def test_what_no_engine_can_use_is_refused(pattern: str, why: str) -> None:
    assert [text for text in engine_problems(pattern) if why in text]


def test_samples_are_matched_and_near_misses_are_not() -> None:
    assert list(sample_problems(["a(?P<n>[0-9])", "b"], ["a1", "c"], ["xb"])) == [
        "sample is not matched: 'c'", "no sample for 'b'", "near miss is matched: 'xb'",
    ]  # fmt: skip


def test_a_pattern_that_takes_too_long_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("analyzer.rulebook.pattern_checks.LIMIT_S", 0.01)

    assert "needs more than" in next(sample_problems(["(?:x+x+)+y"], ["x" * 4_000], []))
