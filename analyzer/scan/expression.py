"""Writes a pattern anew in the dialect of another engine.

For Hyperscan the result may match more than the pattern (it is verified on the line) but never less, and it never
crosses a newline. For polars (Rust regex) it captures exactly what the pattern captures on a line of ASCII.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from analyzer.scan.syntax import REPEATS, SINGLE, byte_set, constants, parse, scoped_caseless

REPEAT_LIMIT = 200
"""Hyperscan unrolls bounded repeats; above this bound the repeat is left open and the verification counts."""

WIDE_GAP = 50
"""Most of a bounded gap of any bytes that Hyperscan is asked to count: counting costs it two to three times what an
open gap costs on lines that hold the gap's first side (measured on training logs; 24 and 100 are slower)."""


class Translation(NamedTuple):
    """A pattern in Hyperscan's dialect.

    Attributes:
        text: The expression; empty when it could match the empty string, which Hyperscan refuses.
        exact: Whether a line matches if and only if the expression does (on lines without a carriage return).
    """

    text: str
    exact: bool


def for_hyperscan(regex: str) -> Translation:
    """Translate for existence only: no captures, optional ends cut off.

    Raises:
        re.error: The pattern is not valid.
    """
    tree = parse(regex)
    if tree.getwidth()[0] == 0:
        return Translation("", False)
    writer = _HyperscanWriter()
    items = _cut_end(_without_line_end(list(tree), writer), 0)
    text = writer.sequence(items, bool(tree.state.flags & re.IGNORECASE))
    return Translation(text, writer.exact)


def for_polars(regex: str) -> str:
    """Translate with named groups kept, for lines of ASCII.

    Raises:
        re.error: The pattern is not valid.
        ValueError: The pattern is outside the common subset.
    """
    tree = parse(regex)
    names = {number: name for name, number in tree.state.groupdict.items()}
    return _PolarsWriter(names).sequence(list(tree), bool(tree.state.flags & re.IGNORECASE))


def _without_line_end(items: list[Any], writer: _HyperscanWriter) -> list[Any]:
    """Drop a closing ``$``: in a block a carriage return may stand between it and the newline."""
    if items and items[-1] == (constants.AT, constants.AT_END):
        items = items[:-1]
        writer.exact = bool(items) and _is_rest_of_line(*items[-1])
    return _cut_end(items, -1)


def _is_rest_of_line(op: Any, argument: Any) -> bool:
    if op is constants.SUBPATTERN:
        body = list(argument[3])
        return bool(body) and _is_rest_of_line(*body[-1])
    return op in REPEATS and argument[1] is constants.MAXREPEAT and list(argument[2]) == [(constants.ANY, None)]


def _cut_end(items: list[Any], end: int) -> list[Any]:
    """Reduce a repeat at one end to its least count: whether the pattern occurs does not depend on the rest."""
    items = list(items)
    while items:
        op, argument = items[end]
        if op is constants.SUBPATTERN:
            reduced = _cut_end(list(argument[3]), end)
            if reduced:
                items[end] = (op, (*argument[:3], reduced))
                return items
        elif op not in REPEATS:
            return items
        elif argument[0]:
            items[end] = (op, (argument[0], argument[0], argument[2]))
            return items
        del items[end]
    return items


class _Writer:
    """Walks a tree and writes it; dialects differ in groups, anchors and what they cannot say."""

    def sequence(self, items: Sequence[Any], caseless: bool) -> str:
        return "".join(self.node(op, argument, caseless) for op, argument in items)

    def node(self, op: Any, argument: Any, caseless: bool) -> str:
        if op is constants.ANY:
            return "."
        if op in SINGLE:
            return self.members(byte_set(op, argument, caseless))
        if op in REPEATS:
            return self.repeat(op, argument, caseless)
        if op is constants.SUBPATTERN:
            number, added, removed, body = argument
            return self.group(number, self.sequence(body, scoped_caseless(caseless, added, removed)))
        if op is constants.BRANCH:
            return f"(?:{'|'.join(self.sequence(branch, caseless) for branch in argument[1])})"
        if op is constants.AT:
            return self.anchor(argument)
        return self.other(op, argument, caseless)

    def members(self, members: frozenset[int]) -> str:
        return _class_text(members)

    def repeat(self, op: Any, argument: Any, caseless: bool) -> str:
        least, most, body = argument
        bounds = self.bounds(least, most)
        lazy = "?" if bounds and op is constants.MIN_REPEAT else ""
        text = self.sequence(body, caseless)
        if len(body) != 1 or body[0][0] not in SINGLE:
            text = f"(?:{text})"
        return text + bounds + lazy

    def bounds(self, least: int, most: Any) -> str:
        if most is constants.MAXREPEAT:
            return {0: "*", 1: "+"}.get(least, f"{{{least},}}")
        return {(0, 1): "?", (1, 1): ""}.get((least, most), f"{{{least},{most}}}")

    def group(self, number: int | None, body: str) -> str:
        raise NotImplementedError

    def anchor(self, kind: Any) -> str:
        raise NotImplementedError

    def other(self, op: Any, argument: Any, caseless: bool) -> str:
        raise NotImplementedError


class _HyperscanWriter(_Writer):
    def __init__(self) -> None:
        self.exact = True

    def members(self, members: frozenset[int]) -> str:
        self.exact = self.exact and bool(members)
        return super().members(members)

    def repeat(self, op: Any, argument: Any, caseless: bool) -> str:
        least, most, body = argument
        if most is not constants.MAXREPEAT and most >= WIDE_GAP and list(body) == [(constants.ANY, None)]:
            self.exact = False
            return super().repeat(op, (least, constants.MAXREPEAT, body), caseless)
        return super().repeat(op, argument, caseless)

    def bounds(self, least: int, most: Any) -> str:
        if most is not constants.MAXREPEAT and most > REPEAT_LIMIT:
            self.exact = False
            return super().bounds(min(least, REPEAT_LIMIT), constants.MAXREPEAT)
        return super().bounds(least, most)

    def group(self, number: int | None, body: str) -> str:  # noqa: ARG002
        return f"(?:{body})"

    def anchor(self, kind: Any) -> str:
        if kind is constants.AT_BOUNDARY:
            return r"\b"
        if kind in (constants.AT_BEGINNING, constants.AT_BEGINNING_STRING):
            return "^"
        self.exact = False
        return ""

    def other(self, op: Any, argument: Any, caseless: bool) -> str:
        self.exact = False
        if op is constants.ATOMIC_GROUP:
            return f"(?:{self.sequence(argument, caseless)})"
        if op in (constants.ASSERT, constants.ASSERT_NOT):
            return ""
        return ".*"


class _PolarsWriter(_Writer):
    def __init__(self, names: dict[int, str]) -> None:
        self.names = names

    def members(self, members: frozenset[int]) -> str:
        return _class_text(members & frozenset(range(128)))

    def repeat(self, op: Any, argument: Any, caseless: bool) -> str:
        if op is constants.POSSESSIVE_REPEAT:
            raise ValueError("possessive quantifier")
        return super().repeat(op, argument, caseless)

    def group(self, number: int | None, body: str) -> str:
        name = self.names.get(number) if number is not None else None
        return f"(?P<{name}>{body})" if name else f"(?:{body})"

    def anchor(self, kind: Any) -> str:
        if kind is constants.AT_BOUNDARY:
            return r"\b"
        if kind is constants.AT_NON_BOUNDARY:
            return r"\B"
        return "^" if kind in (constants.AT_BEGINNING, constants.AT_BEGINNING_STRING) else "$"

    def other(self, op: Any, argument: Any, caseless: bool) -> str:  # noqa: ARG002
        raise ValueError(f"{str(op).lower()} is outside the common subset")


def _class_text(members: frozenset[int]) -> str:
    if not members:
        return r"\n"
    ranges = _ranges(sorted(members))
    if len(members) == 1:
        return _byte_text(ranges[0][0])
    return "[" + "".join(_byte_text(a) if a == b else f"{_byte_text(a)}-{_byte_text(b)}" for a, b in ranges) + "]"


def _ranges(members: list[int]) -> list[tuple[int, int]]:
    ranges: list[tuple[int, int]] = []
    for byte in members:
        if ranges and ranges[-1][1] == byte - 1:
            ranges[-1] = (ranges[-1][0], byte)
        else:
            ranges.append((byte, byte))
    return ranges


def _byte_text(byte: int) -> str:
    return chr(byte) if byte < 128 and (chr(byte).isalnum() or byte in b" _/,:") else f"\\x{byte:02x}"
