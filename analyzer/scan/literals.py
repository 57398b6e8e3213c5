"""Literals that every match of a pattern contains, and how common they are in healthy logs."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from functools import cache
from importlib import resources
from typing import Any

from analyzer.scan.syntax import REPEATS, SINGLE, byte_set, constants, parse, scoped_caseless

GRAM = 4
"""Length of the substrings that the frequency table counts."""

COMMON = 20
"""Lines per 10,000 from which on a literal is in the table, and costs more hits than searching it saves."""

ALWAYS = 10_000
"""Frequency, in lines per 10,000, assumed of a literal that the table cannot speak of."""

HAS_DIGIT = re.compile(rb"\d")
"""Substrings with digits are not in the table: how common one is says nothing about the next log."""

VARIANTS = 16
"""Spellings tried for one literal that is matched without regard to case."""

Clause = frozenset[bytes]
"""Literals of which every match contains at least one."""


def best_clause(regex: str) -> Clause | None:
    """The rarest set of literals of which every match contains one; None when there is none.

    Raises:
        re.error: The pattern is not valid.
    """
    tree = parse(regex)
    return _rarest(_clauses(list(tree), bool(tree.state.flags & re.IGNORECASE)))


def frequency(clause: Clause) -> int:
    """Lines per 10,000 of healthy logs that contain one of the literals, as far as their substrings tell."""
    return min(sum(_literal_frequency(literal) for literal in clause), ALWAYS)


def _literal_frequency(literal: bytes) -> int:
    """That of its rarest substring, less the more other characters have to agree."""
    table = _table()
    grams = (literal[start : start + GRAM] for start in range(len(literal) - GRAM + 1))
    rarest = min((table.get(gram, 0) for gram in grams if not HAS_DIGIT.search(gram)), default=ALWAYS)
    return rarest // max(len(literal) - GRAM, 1)


@cache
def _table() -> dict[bytes, int]:
    """Substrings found in at least ``COMMON`` of 10,000 lines of some kind of healthy log."""
    text = resources.files(__package__).joinpath("literal_frequencies.tsv").read_text("ascii")
    rows = (line.split("\t") for line in text.splitlines() if line and not line.startswith("#"))
    return {bytes.fromhex(gram): int(lines) for gram, lines in rows}


def _rarest(clauses: Iterator[Clause]) -> Clause | None:
    usable = [clause for clause in clauses if all(clause)]
    return min(usable, key=_cost, default=None)


def _cost(clause: Clause) -> tuple[int, int, int, list[bytes]]:
    return frequency(clause), -min(map(len, clause)), len(clause), sorted(clause)


def _clauses(items: Sequence[tuple[Any, Any]], caseless: bool) -> Iterator[Clause]:
    """Clauses of a sequence: one per run of fixed characters, and those of required parts that are not runs."""
    run: list[frozenset[int]] = []
    for part in _parts(items, caseless):
        if isinstance(part, _Byte):
            run.append(part.members)
            continue
        yield from _spellings(run)
        run = []
        yield from part
    yield from _spellings(run)


class _Byte:
    """One character of one or two spellings."""

    __slots__ = ("members",)

    def __init__(self, members: frozenset[int]) -> None:
        self.members = members


def _parts(items: Sequence[tuple[Any, Any]], caseless: bool) -> Iterator[_Byte | list[Clause]]:
    """A sequence flattened: characters, and between them whatever else is required (possibly nothing)."""
    for op, argument in items:
        if op in SINGLE:
            members = byte_set(op, argument, caseless)
            yield _Byte(members) if 1 <= len(members) <= 2 else []
        elif op is constants.SUBPATTERN:
            _, added, removed, body = argument
            yield from _parts(list(body), scoped_caseless(caseless, added, removed))
        elif op is constants.ATOMIC_GROUP:
            yield from _parts(list(argument), caseless)
        elif op in REPEATS and argument[0]:
            yield from _parts(list(argument[2]), caseless)
            yield []
        elif op is constants.BRANCH:
            yield _branch(argument[1], caseless)
        elif op is not constants.AT:
            yield []


def _branch(branches: Sequence[Any], caseless: bool) -> list[Clause]:
    best = [_rarest(_clauses(list(branch), caseless)) for branch in branches]
    return [frozenset().union(*(clause for clause in best if clause))] if all(best) else []


def _spellings(run: list[frozenset[int]]) -> Iterator[Clause]:
    """The literal that a run spells; when case is free, the spellings of each of its windows."""
    if not run:
        return
    if all(len(members) == 1 for members in run):
        yield frozenset((bytes(byte for members in run for byte in members),))
        return
    for start in range(len(run)):
        window = _window(run, start)
        yield frozenset(map(bytes, itertools.product(*map(sorted, window))))


def _window(run: list[frozenset[int]], start: int) -> list[frozenset[int]]:
    window: list[frozenset[int]] = []
    count = 1
    for members in run[start:]:
        count *= len(members)
        if count > VARIANTS:
            break
        window.append(members)
    return window
