"""How far a run has come: one line on a terminal that rewrites itself, or a line per stage when asked for."""

from __future__ import annotations

import os
import shutil
import sys
import time
from typing import Protocol, TextIO

from analyzer.cli.output import tell

_INTERVAL_S = 0.1
_ERASE = "\r\x1b[K"


class Progress(Protocol):
    """What a stage says of itself."""

    @property
    def stage(self) -> str:
        """Name of the stage."""

    @property
    def done(self) -> int:
        """Units of work done."""

    @property
    def total(self) -> int:
        """Units of work there are, 0 if unknown."""


class ProgressLine:
    """Shows progress on standard error, ten times a second at most.

    A context manager: the line is erased at the end, so that only the report stays.

    Args:
        quiet: Show nothing.
        verbose: Also tell each stage and when it began, terminal or not.
    """

    def __init__(self, *, quiet: bool, verbose: bool, stream: TextIO | None = None) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._live = not quiet and self._stream.isatty() and os.environ.get("TERM") != "dumb"
        self._verbose = verbose and not quiet
        self._began_s = time.monotonic()
        self._shown_s = 0.0
        self._stage = ""

    def __enter__(self) -> ProgressLine:
        return self

    def __exit__(self, *_: object) -> None:
        self._erase()

    def __call__(self, progress: Progress) -> None:
        """Take note of how far the run is."""
        if self._verbose and progress.stage != self._stage:
            self._stage = progress.stage
            self._erase()
            tell(f"{time.monotonic() - self._began_s:7.2f} s  {progress.stage}")
        if self._live:
            self._rewrite(progress)

    def _rewrite(self, progress: Progress) -> None:
        now_s = time.monotonic()
        if now_s - self._shown_s < _INTERVAL_S:
            return
        self._shown_s = now_s
        share = f" {progress.done:,} of {progress.total:,}" if progress.total else ""
        text = f"{progress.stage}{share}"
        self._stream.write(f"{_ERASE}{text[: shutil.get_terminal_size().columns - 1]}")
        self._stream.flush()

    def _erase(self) -> None:
        if self._live:
            self._stream.write(_ERASE)
            self._stream.flush()
