"""Syntax trees of patterns, and the sets of bytes that their single-character nodes stand for."""

from __future__ import annotations

import importlib
import re
import warnings
from collections.abc import Iterable
from typing import Any

parser: Any = importlib.import_module("re._parser")
constants: Any = importlib.import_module("re._constants")

NEWLINE = 0x0A
BYTES = frozenset(range(256))
LINE_BYTES = BYTES - {NEWLINE}
DIGITS = frozenset(b"0123456789")
SPACES = frozenset(b" \t\n\r\f\v")
WORDS = frozenset(byte for byte in range(128) if chr(byte).isalnum() or byte == ord("_"))
LETTERS = frozenset(byte for byte in range(128) if chr(byte).isalpha())

CATEGORIES: dict[Any, frozenset[int]] = {
    constants.CATEGORY_DIGIT: DIGITS,
    constants.CATEGORY_NOT_DIGIT: BYTES - DIGITS,
    constants.CATEGORY_SPACE: SPACES,
    constants.CATEGORY_NOT_SPACE: BYTES - SPACES,
    constants.CATEGORY_WORD: WORDS,
    constants.CATEGORY_NOT_WORD: BYTES - WORDS,
}

SINGLE = (constants.LITERAL, constants.NOT_LITERAL, constants.ANY, constants.IN)
REPEATS = (constants.MAX_REPEAT, constants.MIN_REPEAT, constants.POSSESSIVE_REPEAT)

FORBIDDEN: dict[Any, str] = {
    constants.ASSERT: "look-around",
    constants.ASSERT_NOT: "look-around",
    constants.GROUPREF: "back-reference",
    constants.GROUPREF_EXISTS: "conditional group",
    constants.ATOMIC_GROUP: "atomic group",
    constants.POSSESSIVE_REPEAT: "possessive quantifier",
}


def parse(regex: str) -> Any:
    """Parse a pattern under bytes semantics.

    Raises:
        re.error: The pattern is not valid.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        return parser.parse(regex.encode())


def byte_set(op: Any, argument: Any, caseless: bool) -> frozenset[int]:
    """Bytes that a single-character node matches within a line."""
    if op is constants.ANY:
        return LINE_BYTES
    negated = op is constants.NOT_LITERAL
    if op is constants.IN:
        members = [item for item in argument if item[0] is not constants.NEGATE]
        negated = len(members) < len(argument)
        found = frozenset().union(*map(_member_bytes, members))
    else:
        found = frozenset((argument,))
    if caseless:
        found = both_cases(found)
    return (BYTES - found if negated else found) - {NEWLINE}


def _member_bytes(item: tuple[Any, Any]) -> frozenset[int]:
    op, argument = item
    if op is constants.RANGE:
        return frozenset(range(argument[0], argument[1] + 1))
    if op is constants.CATEGORY:
        return CATEGORIES[argument]
    return frozenset((argument,))


def both_cases(members: Iterable[int]) -> frozenset[int]:
    """The set closed under ASCII case."""
    return frozenset(byte for member in members for byte in (member, member ^ 0x20 if member in LETTERS else member))


def scoped_caseless(caseless: bool, added: int, removed: int) -> bool:
    """Case-insensitivity inside a group with inline flags."""
    return bool((caseless or added & re.IGNORECASE) and not removed & re.IGNORECASE)


def violations(regex: str) -> list[str]:
    """Constructs outside the subset common to Hyperscan, Rust regex and the ``regex`` module.

    Args:
        regex: A pattern, as written in a rule.

    Returns:
        One short text per kind of construct, sorted; empty when the pattern is in the subset.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            tree = parser.parse(regex.encode())
        except re.error as error:
            return [f"not a valid expression: {error}"]
    found = set(_violations(tree))
    found.update("unescaped set operator in a class" for warning in caught if warning.category is FutureWarning)
    if not regex.isascii():
        found.add("character outside ASCII")
    if tree.getwidth()[0] == 0:
        found.add("matches the empty string")
    return sorted(found)


def _violations(node: Any) -> Iterable[str]:
    for op, argument in node:
        if op in FORBIDDEN:
            yield FORBIDDEN[op]
        if op is constants.AT and argument is constants.AT_END_STRING:
            yield r"\Z"
        if op is constants.LITERAL and argument == NEWLINE:
            yield "newline"
        for child in children(op, argument):
            yield from _violations(child)


def children(op: Any, argument: Any) -> list[Any]:
    """Sub-trees of a node."""
    if op is constants.BRANCH:
        return list(argument[1])
    if op is constants.SUBPATTERN:
        return [argument[3]]
    if op in REPEATS:
        return [argument[2]]
    if op is constants.ATOMIC_GROUP:
        return [argument]
    if op in (constants.ASSERT, constants.ASSERT_NOT):
        return [argument[1]]
    if op is constants.GROUPREF_EXISTS:
        return [child for child in argument[1:] if child is not None]
    return []
