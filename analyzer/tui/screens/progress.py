"""What is shown until there is an answer; it imports next to nothing, so that it is there at once."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from analyzer.bundle.display import clean
from analyzer.tui.job import Job
from analyzer.tui.wording import MUTED, cut_left

_INTERVAL_S = 0.1
_STAGES = {
    "rules": "load the rules",
    "reading": "read the inputs",
    "facts": "relate lines, parts and times",
    "diagnosis": "look for causes",
    "evidence": "fetch the lines that prove them",
}


class ProgressScreen(Screen[None]):
    """Stages, members read, the file at hand; Esc ends the run."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,ctrl+c", "app.cancel", "Cancel")]

    def __init__(self, job: Job, title: str) -> None:
        super().__init__()
        self._job = job
        self._subject = title
        self._read = 0

    def compose(self) -> ComposeResult:
        """One text."""
        yield Static(self._text(), id="progress")

    def on_mount(self) -> None:
        """Look at the run ten times a second, however often it speaks."""
        self._timer = self.set_interval(_INTERVAL_S, self.look)

    def on_screen_suspend(self) -> None:
        """The answer is shown on top of this screen: look no more."""
        self._timer.stop()

    def look(self) -> None:
        """Show how far the run is."""
        self.query_one("#progress", Static).update(self._text())

    def _text(self) -> Content:
        progress = self._job.progress
        if progress.stage == "reading":
            self._read = progress.done
        stages = list(_STAGES)
        at = stages.index(progress.stage) if progress.stage in stages else -1
        lines: list[Content] = [Content.styled(f"fabtriage  {clean(self._subject)}", "bold"), Content("")]
        for index, stage in enumerate(stages):
            mark, style = ("✓", "") if index < at else ("▸", "bold") if index == at else (" ", MUTED)
            count = f"  {self._read:,} read" if stage == "reading" and self._read else ""
            lines.append(Content.styled(f" {mark} {_STAGES[stage]}{count}", style))
        current = cut_left(clean(progress.detail), max(self.app.size.width - 6, 1)) if progress.detail else ""
        lines += [Content(""), Content.styled(f"   {current}", MUTED), Content("")]
        lines.append(Content.styled(f"   {self._job.elapsed_s:.0f} s · Esc cancels", MUTED))
        return Content("\n").join(lines)
