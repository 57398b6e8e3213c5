"""From rule folders to one checked rulebook."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from analyzer.errors import RuleError
from analyzer.rulebook import cache
from analyzer.rulebook.files import RuleFile, collect, revision
from analyzer.rulebook.schema import Rulebook


def load(directories: Sequence[Path], *, check: bool = False) -> Rulebook:
    """Load rule folders: the shipped one first, then the user's, whose entries replace those of the same name.

    Types and names are always checked. The slower checks of patterns and expressions run for the user's folders when
    they changed, and for all folders with ``check``; the shipped rules pass them before they are shipped.

    Args:
        directories: Rule folders; the events of all but the first are untrusted.
        check: Check everything, and do not use the cache.

    Returns:
        The rulebook.

    Raises:
        RuleError: Every problem of every file, each as ``file:line: text``.
    """
    files = collect(directories)
    state = revision(files)
    key = cache.name(state, [os.path.abspath(directory) for directory in directories])  # noqa: PTH100
    kept = None if check else cache.get(key)
    if kept is not None:
        return kept
    rulebook = _read(files, state, check=check)
    cache.put(key, rulebook)
    return rulebook


def _read(files: list[RuleFile], state: str, *, check: bool) -> Rulebook:
    """Read without the cache; YAML and the checks are imported only here, a warm start needs neither."""
    from analyzer.rulebook.draft import assembled, drafted

    draft = drafted(files)
    problems = list(draft.problems)
    folders = {file.folder for file in files}
    checked = folders if check else folders - {0}
    if checked:
        from analyzer.rulebook.lint import lint

        problems += lint(draft, checked)
    if problems:
        raise RuleError(problems)
    return assembled(draft, state)
