"""One pattern on one line."""

from __future__ import annotations

import pytest

from analyzer.scan.verify import MAX_TIMEOUTS, PLAIN_BYTES, Attempts, Verifier, group_names


@pytest.mark.parametrize("trusted", [True, False])
def test_named_groups_come_in_order_and_unnamed_ones_not_at_all(trusted: bool) -> None:
    verifier = Verifier(r"(a)(?P<z>b)?(?:c)(?P<y>\w+)", trusted)
    assert verifier.captures(b"-ac\xffacd!") == (None, b"d")
    assert verifier.captures(b"none") is None


def test_names_come_in_the_order_of_captures() -> None:
    assert group_names(r"(a)(?P<z>b)(?P<y>c)") == ("z", "y")
    assert group_names(r"\p{Lu}(?P<z>b)(?P<y>c)") == ("z", "y")


def test_a_long_line_has_a_time_limit_even_for_a_shipped_pattern() -> None:
    with pytest.raises(TimeoutError):
        Verifier(r"^(?:a|aa|aaa)+$", trusted=True).captures(b"a" * (PLAIN_BYTES + 1) + b"b")


def test_bytes_outside_ascii_are_no_word_characters() -> None:
    assert Verifier(r"(?P<word>\w+)$", trusted=False).captures("naïf".encode()) == (b"f",)


def test_a_pattern_is_given_up_on_a_source_where_it_takes_too_long_again_and_again() -> None:
    slow = Attempts(Verifier(r"^(?:a|aa|aaa)+$", trusted=True))
    for _ in range(MAX_TIMEOUTS):
        assert slow.captures(b"a" * (PLAIN_BYTES + 1) + b"b") is None
    assert slow.captures(b"aaa") is None
    assert slow.timeouts == MAX_TIMEOUTS
