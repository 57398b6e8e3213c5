from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.bundle.display import clean


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text", "plain text"),
        ("\x1b[32m[  12.3] \x1b[0m\x1b[33mmlx5_core\x1b[0m up", "[  12.3] mlx5_core up"),
        ("\x1b]0;owned\x07title", "title"),
        ("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "link"),
        ("a\tb", "a b"),
        ("nul\x00bell\x07del\x7fc1\x85", "nulbelldelc1"),
        ("abc\u202egnp.exe\u202c", "abcgnp.exe"),
        ("line\u2028break", "linebreak"),
        ("Größe 😀", "Größe 😀"),
        ("lone \ud800 surrogate", "lone ? surrogate"),
        ("\x1b", ""),
    ],
)
def test_only_what_prints_as_it_stands_remains(text: str, shown: str) -> None:
    assert clean(text) == shown


@given(st.text())
def test_nothing_that_controls_a_terminal_remains(text: str) -> None:
    assert all(character >= " " and not "\x7f" <= character <= "\x9f" for character in clean(text))


def test_many_unfinished_sequences_are_removed() -> None:
    assert clean("\x1b]" * 50_000 + "\x1b[" + "0;" * 100_000) == "0;" * 100_000
