from __future__ import annotations

import re
from pathlib import Path

import pytest

from analyzer import user_cache
from analyzer.rulebook.load import load
from analyzer.rulebook.patterns import group_names, line_patterns, ripgrep
from analyzer.rulebook.schema import Rulebook
from tests.rulebook.folder import write


@pytest.fixture
def rulebook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Rulebook:
    monkeypatch.setenv(user_cache.VARIABLE, str(tmp_path / "cache"))
    return load([write(tmp_path / "rules")])


def test_every_pattern_of_every_event_is_listed_in_order(rulebook: Rulebook) -> None:
    patterns = line_patterns(rulebook)

    assert [(p.index, p.event) for p in patterns] == [(0, "kitchen.cup"), (1, "kitchen.sigh")]
    assert all(p.trusted and not p.bulk and p.families == frozenset() for p in patterns)


def test_groups_lose_their_names_for_ripgrep(rulebook: Rulebook) -> None:
    assert ripgrep(rulebook)[0] == "cup (?:[a-z]+) at (?:[0-9]+) degrees"


@pytest.mark.parametrize(
    "regex",
    [
        "no group",
        "(?P<a>x)(?:y(?P<b>z))",
        r"\(?P<no>(?P<yes>x)",
        r"[(?P<no>]x(?P<yes>y)",
        r"[]\](?P<no>]x(?P<yes>y)",
        r"\\(?P<yes>y)",
    ],
)
def test_group_names_are_those_of_the_engine_in_order_of_number(regex: str) -> None:
    index = re.compile(regex).groupindex

    assert group_names(regex) == tuple(sorted(index, key=index.__getitem__))
