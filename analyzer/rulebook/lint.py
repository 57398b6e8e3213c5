"""Checks beyond types."""

from __future__ import annotations

from collections.abc import Collection

from analyzer.rulebook.draft import Draft


def lint(draft: Draft, folders: Collection[int]) -> list[str]:
    """All problems of the entries of the folders given by index, as ``file:line: text``."""
    return []
