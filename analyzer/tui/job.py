"""The analysis in a thread of its own, and what it says on the way."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from analyzer.model.analysis import Analysis
from analyzer.options import OnProgress, Progress

Run = Callable[[OnProgress], Analysis]
"""Analyses the inputs it was made for; tells how far it is, and lets what that raises end it."""


class CancelledError(Exception):
    """The user does not want the answer any more."""


class Job:
    """One run.

    The thread is a daemon: a large member that is being read must not hold the user's prompt after a cancel.

    Attributes:
        progress: What the run said last; screens look at it when they are due.
        analysis: The answer, once there is one.
        error: What ended the run without an answer.
    """

    def __init__(self, run: Run) -> None:
        self.progress = Progress("")
        self.analysis: Analysis | None = None
        self.error: Exception | None = None
        self._run = run
        self._began_s = time.monotonic()
        self._cancelled = threading.Event()

    @property
    def elapsed_s(self) -> float:
        """Seconds since the user asked."""
        return time.monotonic() - self._began_s

    def start(self, done: Callable[[], object]) -> None:
        """Run; ``done`` is called in the thread of the run when it has ended by itself."""
        threading.Thread(target=self._work, args=(done,), name="analysis", daemon=True).start()

    def cancel(self) -> None:
        """End the run the next time it says how far it is."""
        self._cancelled.set()

    def _work(self, done: Callable[[], object]) -> None:
        try:
            self.analysis = self._run(self._note)
        except CancelledError:
            return
        except Exception as error:  # noqa: BLE001 - raised again where the terminal is itself again
            self.error = error
        if not self._cancelled.is_set():
            done()

    def _note(self, progress: Progress) -> None:
        if self._cancelled.is_set():
            raise CancelledError
        self.progress = progress
