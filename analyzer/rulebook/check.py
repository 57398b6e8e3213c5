"""``fabtriage rules check``: every problem of rule folders, for the person who writes them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from analyzer.errors import RuleError
from analyzer.rulebook.load import load


def check(directories: Sequence[Path]) -> list[str]:
    """All problems of the folders, each as ``file:line: text``; empty when every rule is right.

    Args:
        directories: The shipped folder first, so that a user's rules can refer to its events, actions and sources.
    """
    try:
        load(directories, check=True)
    except RuleError as error:
        return error.problems
    return []
