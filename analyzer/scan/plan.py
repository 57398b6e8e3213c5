"""What an engine searches for, and which patterns each of its hits may belong to."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from analyzer.scan.expression import for_hyperscan
from analyzer.scan.literals import COMMON, Clause, best_clause, frequency

EngineName = Literal["hyperscan", "ahocorasick"]

NUMBER_BITS = 16
"""An event is ``end offset << NUMBER_BITS | number of the expression``: integers sort and batch faster than pairs."""

MAX_SHARED = 4
"""Patterns that one literal may stand for; trying more of them costs more than searching their expressions."""


class Plan(msgspec.Struct, frozen=True):
    """Search expressions and the patterns they stand for.

    Attributes:
        expressions: What the engine searches for, as literals or (``regex`` true at its place) expressions.
        regex: Whether each is an expression.
        exact: Whether a hit of each proves a match of all its patterns.
        targets: Numbers of the patterns that each stands for.
        every_line: Numbers of the patterns that no expression stands for; they are tried on every line.
    """

    expressions: tuple[bytes, ...]
    regex: tuple[bool, ...]
    exact: tuple[bool, ...]
    targets: tuple[tuple[int, ...], ...]
    every_line: tuple[int, ...]


class _Target(msgspec.Struct, frozen=True):
    """Ways to search for one pattern.

    Attributes:
        number: The pattern.
        clause: Literals of which a match contains one, if there are any.
        regex: The expression in Hyperscan's dialect, empty when there is none.
        exact: Whether that expression proves a match.
    """

    number: int
    clause: Clause | None
    regex: bytes
    exact: bool


_Key = tuple[bytes, bool, bool]
"""Text of an expression, whether it is one (else a literal), whether it proves a match."""


def make_plan(patterns: Sequence[tuple[int, str]], engine: EngineName) -> Plan:
    """Choose a search expression for each pattern.

    Args:
        patterns: Number and expression of each pattern.
        engine: Which engine will search.
    """
    targets = [_target(number, regex) for number, regex in patterns]
    shared = Counter(target.clause for target in targets)
    numbers: dict[_Key, list[int]] = {}
    every_line = []
    for target in targets:
        keys = _keys(target, engine, shared[target.clause])
        if not keys:
            every_line.append(target.number)
        for key in keys:
            numbers.setdefault(key, []).append(target.number)
    return Plan(
        expressions=tuple(key[0] for key in numbers),
        regex=tuple(key[1] for key in numbers),
        exact=tuple(key[2] for key in numbers),
        targets=tuple(map(tuple, numbers.values())),
        every_line=tuple(every_line),
    )


def without(plan: Plan, refused: Iterable[int]) -> Plan:
    """The plan with some expressions, by position, given up: their patterns are tried on every line."""
    refused = set(refused)
    kept = [place for place in range(len(plan.expressions)) if place not in refused]
    given_up = {number for place in refused for number in plan.targets[place]}
    return Plan(
        expressions=tuple(plan.expressions[place] for place in kept),
        regex=tuple(plan.regex[place] for place in kept),
        exact=tuple(plan.exact[place] for place in kept),
        targets=tuple(plan.targets[place] for place in kept),
        every_line=tuple(sorted(given_up.union(plan.every_line))),
    )


def _target(number: int, regex: str) -> _Target:
    try:
        translated = for_hyperscan(regex)
        return _Target(number, best_clause(regex), translated.text.encode(), translated.exact)
    except re.error:  # syntax of the regex module that the standard library does not know
        return _Target(number, None, b"", False)


def _keys(target: _Target, engine: EngineName, sharing: int) -> list[_Key]:
    """What to search for; nothing when the pattern has to be tried on every line."""
    literals: list[_Key] = [(literal, False, False) for literal in sorted(target.clause or ())]
    if engine == "ahocorasick" or not target.regex:
        return literals
    if target.clause and sharing <= MAX_SHARED and frequency(target.clause) < COMMON:
        return literals
    return [(target.regex, True, target.exact)]
