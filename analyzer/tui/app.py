"""The application: runs the analysis behind a progress screen, then shows the answer."""

from __future__ import annotations

from typing import ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.screen import Screen

from analyzer.errors import FabtriageError
from analyzer.model.analysis import Analysis
from analyzer.tui.job import Job, Run
from analyzer.tui.screens.progress import ProgressScreen


class FabtriageApp(App[None]):
    """From a run to its answer.

    Args:
        run: Analyses the inputs; it is called in a thread after the first screen has been painted.
        subject: What the inputs are called on the screens.

    Attributes:
        analysis: The answer; None if there was none.
        error: What kept the run from an answer.
    """

    CSS_PATH = "app.tcss"
    TITLE = "fabtriage"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+c", "quit", "Quit", show=False)]

    class Done(Message):
        """The run has ended."""

    def __init__(self, run: Run, subject: str) -> None:
        super().__init__()
        self.analysis: Analysis | None = None
        self.error: Exception | None = None
        self._job = Job(run)
        self._subject = subject
        self.animation_level = "none"

    def get_default_screen(self) -> Screen[None]:
        """The first screen."""
        return ProgressScreen(self._job, self._subject)

    def on_ready(self) -> None:
        """Start the run once the first screen has been painted: its imports would keep the painter waiting."""
        self.call_after_refresh(self._job.start, lambda: self.post_message(self.Done()))

    def on_fabtriage_app_done(self) -> None:
        """Show the answer, or why there is none."""
        self.analysis, self.error = self._job.analysis, self._job.error
        if self.analysis is not None:
            from analyzer.tui.screens.triage import TriageScreen

            self.push_screen(TriageScreen(self.analysis, self._subject))
        elif isinstance(self.error, FabtriageError):
            from analyzer.tui.screens.failure import FailureScreen

            self.push_screen(FailureScreen(self.error))
        else:
            self.exit()

    def action_cancel(self) -> None:
        """Leave without the answer."""
        self._job.cancel()
        self.exit()

    def action_toggle_light(self) -> None:
        """Change between the dark and the light theme."""
        self.theme = "textual-dark" if self.theme == "textual-light" else "textual-light"
