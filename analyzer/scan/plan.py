"""What an engine searches for, and which patterns each of its hits may belong to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from analyzer.scan.expression import for_hyperscan
from analyzer.scan.literals import Clause, best_clause, frequency

EngineName = Literal["hyperscan", "ahocorasick"]

NUMBER_BITS = 16
"""An event is ``end offset << NUMBER_BITS | number of the expression``: integers sort and batch faster than pairs."""

RARE = 5
"""Lines per 10,000 up to which a literal stands for its pattern; a commoner one costs more hits than it saves."""


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
    expressions: Clause
    regex: bool
    exact: bool


def make_plan(patterns: Sequence[tuple[int, str]], engine: EngineName) -> Plan:
    """Choose a search expression for each pattern.

    Args:
        patterns: Number and expression of each pattern.
        engine: Which engine will search.
    """
    numbers: dict[tuple[bytes, bool, bool], list[int]] = {}
    every_line = []
    for number, regex in patterns:
        target = _target(regex, engine)
        if target is None:
            every_line.append(number)
            continue
        for expression in sorted(target.expressions):
            numbers.setdefault((expression, target.regex, target.exact), []).append(number)
    return _assemble(numbers, every_line)


def _assemble(numbers: dict[tuple[bytes, bool, bool], list[int]], every_line: Iterable[int]) -> Plan:
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
    given_up = sorted({number for place in refused for number in plan.targets[place]})
    return Plan(
        expressions=tuple(plan.expressions[place] for place in kept),
        regex=tuple(plan.regex[place] for place in kept),
        exact=tuple(plan.exact[place] for place in kept),
        targets=tuple(plan.targets[place] for place in kept),
        every_line=tuple(sorted({*plan.every_line, *given_up})),
    )


def _target(regex: str, engine: EngineName) -> _Target | None:
    try:
        clause = best_clause(regex)
        translated = for_hyperscan(regex)
    except re.error:  # syntax of the regex module that the standard library does not know
        return None
    if clause and (engine == "ahocorasick" or frequency(clause) <= RARE):
        return _Target(clause, regex=False, exact=False)
    if engine == "hyperscan" and translated.text:
        return _Target(frozenset((translated.text.encode(),)), regex=True, exact=translated.exact)
    return None
