"""Literals that every match contains."""

from __future__ import annotations

import pytest

from analyzer.scan.literals import ALWAYS, best_clause, frequency


@pytest.mark.parametrize(
    ("regex", "clause"),
    [
        (r"Xid \((?P<pci>[0-9a-f]+)\): fallen off", {b"): fallen off"}),
        (r"(?:zebra|quagga) \d", {b"zebra", b"quagga"}),
        (r"(?P<word>zebra) crossing", {b"zebra crossing"}),
        (r"(?:zebra)+x?", {b"zebra"}),
        (r"(?:zebra)*quagga", {b"quagga"}),
        (r"(?i)zq", {b"zq", b"zQ", b"Zq", b"ZQ"}),
        (r"ze(?i:b)ra", {b"zebra", b"zeBra"}),
    ],
)
def test_the_best_clause_is_rare_and_long(regex: str, clause: set[bytes]) -> None:
    assert set(best_clause(regex) or ()) == clause


@pytest.mark.parametrize("regex", [r"\d+", r"(?:a|\d)", r"[a-z]x?"])
def test_a_pattern_may_have_no_literal(regex: str) -> None:
    assert best_clause(regex) is None


def test_words_of_healthy_logs_are_known_to_be_common() -> None:
    assert frequency(frozenset({b"kernel: "})) > 100


def test_a_word_no_healthy_log_has_is_rare() -> None:
    assert frequency(frozenset({b"fallen off the zebra"})) == 0


def test_a_short_literal_counts_as_common() -> None:
    assert frequency(frozenset({b"Xid"})) == ALWAYS
