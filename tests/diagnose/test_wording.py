"""Texts of a rule with what was captured put in."""

from __future__ import annotations

from typing import Any

import pytest

from analyzer.diagnose.candidates import candidates
from analyzer.diagnose.wording import filled, told
from tests.diagnose.builders import Rows, cause, groups, row, store, symptoms


def said(text: str, rows: Rows, hot: Rows = (), **rule: Any) -> tuple[str, str]:
    """A text as a command and as a sentence, of the first part accused."""
    facts = store(nodes=("n1", "n2"), down=rows, hot=hot)
    made = cause(symptoms=symptoms(down="root", hot="confirms"), **rule)
    found = candidates(made, {name: groups(facts, name) for name in facts.names()})[0]
    return filled(text, found, facts), told(text, found, facts)


@pytest.mark.parametrize(
    ("text", "filled_in"),
    [
        ("link of {node}", "link of n1"),
        ("code {code}", "code 7"),
        ("code {down.code}", "code 7"),
        ("heat {hot.code}", "heat 90"),
        ("no braces", "no braces"),
        ("awk '{print $1}' {{x}}", "awk '{print $1}' {<x>}"),
    ],
)
def test_a_placeholder_becomes_what_was_captured(text: str, filled_in: str) -> None:
    assert said(text, [row(code=7)], hot=[row(code=90)])[0] == filled_in


def test_what_is_not_known_stays_visible_in_a_command() -> None:
    assert said("reset {gpu}", [row()])[0] == "reset <gpu>"


def test_what_is_not_known_is_said_in_words_in_a_sentence() -> None:
    assert said("Xid on {gpu}", [row()])[1] == "Xid on a GPU"


def test_a_part_is_named_as_printed() -> None:
    assert said("{gpu}", [row(gpu="0000:3b:00.0")])[0] == "0000:3b:00.0"


def test_many_names_are_cut_and_counted() -> None:
    rows = [row(port=f"leaf-02/{port}") for port in range(1, 8)]
    assert said("{down.port}", rows)[0] == "leaf-02/1, leaf-02/2, leaf-02/3, leaf-02/4 and 3 more"
