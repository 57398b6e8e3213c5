"""``fabtriage PATH`` on a terminal: the terminal user interface."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from analyzer.cli.arguments import STDIN
from analyzer.cli.exits import Exit, exit_of

if TYPE_CHECKING:
    from analyzer.model.analysis import Analysis
    from analyzer.options import OnProgress
    from analyzer.tui.job import Run

_CONTEXT_LINES = 40


def fits(paths: Sequence[str]) -> bool:
    """Whether somebody sits at a terminal that can show screens, and standard input is free for the keys."""
    capable = os.environ.get("TERM", "") not in {"dumb", "unknown"}
    return capable and STDIN not in paths and all(s.isatty() for s in (sys.stdin, sys.stdout, sys.stderr))


def run(paths: Sequence[str]) -> Exit:
    """Diagnose the inputs and show the answer until the user leaves.

    Raises:
        Exception: What ended the run; it has been shown if it is an error of the user's making.
    """
    from analyzer.tui.app import FabtriageApp

    app = FabtriageApp(analysis_of(paths), _subject(paths))
    app.run()
    if app.return_code:
        return Exit.FAILED
    if app.error is not None:
        raise app.error
    if app.analysis is None:
        _leave_at_once()
    return exit_of(app.analysis, "warning")


def analysis_of(paths: Sequence[str]) -> Run:
    """A run on these inputs; what it needs is imported when it is called."""

    def analyse(on_progress: OnProgress) -> Analysis:
        from analyzer import pipeline

        return pipeline.run(paths, pipeline.Options(context_lines=_CONTEXT_LINES), on_progress).analysis

    return analyse


def _subject(paths: Sequence[str]) -> str:
    first = Path(paths[0]).resolve().name or paths[0]
    return first if len(paths) == 1 else f"{first} and {len(paths) - 1} more"


def _leave_at_once() -> NoReturn:
    """Do not wait for threads that still read: the user has asked for the prompt."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(Exit.INTERRUPTED)
