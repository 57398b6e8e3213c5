"""Decides on one line whether a pattern matches, and captures its fields."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

PLAIN_BYTES = 4096
"""Longest line on which the backtracking of the standard library is harmless; longer ones get a time limit."""

TIMEOUT_S = 0.1
"""Time for one pattern on one line."""

MAX_TIMEOUTS = 20
"""Lines of one source on which a pattern may take too long before it is given up there."""

Captures = tuple[bytes | None, ...]


class Verifier:
    """One pattern, compiled when first needed; threads may share it.

    Attributes:
        regex: The pattern.
    """

    def __init__(self, regex: str, trusted: bool) -> None:
        self.regex = regex
        self._trusted = trusted
        self._plain: Callable[[bytes], Captures | None] | None = None
        self._timed: Callable[[bytes], Captures | None] | None = None

    def captures(self, text: bytes) -> Captures | None:
        """Values of the named groups; None when the line does not match.

        Raises:
            TimeoutError: The pattern took too long on this line.
        """
        if self._trusted and len(text) <= PLAIN_BYTES:
            plain = self._plain
            if plain is None:
                plain = self._plain = _searcher(re.compile(self.regex.encode()), {})
            return plain(text)
        timed = self._timed
        if timed is None:
            timed = self._timed = self._compile_timed()
        return timed(text)

    def _compile_timed(self) -> Callable[[bytes], Captures | None]:
        import regex

        return _searcher(regex.compile(self.regex.encode()), {"timeout": TIMEOUT_S})


class Attempts:
    """One pattern on the lines of one source; it is given up there after too many lines on which it took too long.

    Attributes:
        regex: The pattern.
        timeouts: Lines on which it took too long.
    """

    __slots__ = ("_verify", "regex", "timeouts")

    def __init__(self, verifier: Verifier) -> None:
        self.regex = verifier.regex
        self.timeouts = 0
        self._verify = verifier.captures

    def captures(self, text: bytes) -> Captures | None:
        """Values of the named groups; None when the line does not match or cannot be told to."""
        if self.timeouts >= MAX_TIMEOUTS:
            return None
        try:
            return self._verify(text)
        except TimeoutError:
            self.timeouts += 1
            return None


def _searcher(pattern: Any, options: dict[str, Any]) -> Callable[[bytes], Captures | None]:
    search = pattern.search
    named = sorted(pattern.groupindex.values())
    if len(named) == pattern.groups:

        def all_groups(text: bytes) -> Captures | None:
            match = search(text, **options)
            return match.groups() if match else None

        return all_groups

    def named_groups(text: bytes) -> Captures | None:
        match = search(text, **options)
        return tuple(match[number] for number in named) if match else None

    return named_groups


def group_names(regex: str) -> tuple[str, ...]:
    """Names of the named groups in the order of their numbers, which is the order of a hit's captures."""
    return tuple(_numbered(regex))


def _numbered(regex: str) -> dict[str, int]:
    try:
        return dict(re.compile(regex.encode()).groupindex)
    except re.error:
        import regex as extended

        return dict(sorted(extended.compile(regex.encode()).groupindex.items(), key=lambda item: item[1]))
