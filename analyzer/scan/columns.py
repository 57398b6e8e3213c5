"""A pattern over many lines at once, by polars: lines of ASCII in columns, others one by one."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence

import polars as pl

from analyzer.scan.expression import for_polars
from analyzer.scan.verify import Attempts

MATCHED = "__matched"


@functools.cache
def column_expression(regex: str) -> str | None:
    """The pattern for polars, with an empty group that tells a match from none; None when it cannot be said."""
    try:
        expression = f"(?P<{MATCHED}>)(?:{for_polars(regex)})"
        pl.Series([""]).str.extract_groups(expression)
    except (re.error, ValueError, pl.exceptions.ComputeError):
        return None
    return expression


def text_column(texts: Sequence[bytes]) -> pl.Series:
    """Texts of ASCII as a column of strings."""
    return pl.Series("text", texts, dtype=pl.Binary).cast(pl.String)


class ColumnFilter:
    """Tells the matching ones of many lines."""

    def __init__(self, attempts: Attempts) -> None:
        self._attempts = attempts
        self._expression = column_expression(attempts.regex)

    def matching(self, texts: Sequence[bytes]) -> list[int]:
        """Places of the texts that match, ascending."""
        if self._expression is None:
            return [place for place, text in enumerate(texts) if self._matches(text)]
        if all(map(bytes.isascii, texts)):
            places: list[int] = text_column(texts).str.contains(self._expression).arg_true().to_list()
            return places
        plain = [place for place, text in enumerate(texts) if text.isascii()]
        found = [plain[place] for place in self.matching([texts[place] for place in plain])]
        other = [place for place, text in enumerate(texts) if not text.isascii() and self._matches(text)]
        return sorted(found + other)

    def _matches(self, text: bytes) -> bool:
        return self._attempts.captures(text) is not None
