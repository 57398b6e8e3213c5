"""Why there is no answer, and what to do about it."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Footer

from analyzer.bundle.display import clean
from analyzer.errors import FabtriageError, RuleError
from analyzer.tui.bindings import SCROLL
from analyzer.tui.widgets.paragraphs import Paragraph, Paragraphs


class FailureScreen(Screen[None]):
    """What, where, and the remedy."""

    BINDINGS: ClassVar[list[BindingType]] = [*SCROLL, Binding("q,escape", "app.quit", "Quit")]

    def __init__(self, error: FabtriageError) -> None:
        super().__init__()
        self._error = error

    def compose(self) -> ComposeResult:
        """The text and the keys."""
        with VerticalScroll():
            yield Paragraphs()
        yield Footer()

    def on_mount(self) -> None:
        """Show the error."""
        self.query_one(Paragraphs).show(_paragraphs(self._error))


def _paragraphs(error: FabtriageError) -> list[Paragraph]:
    page = [Paragraph(Content.styled("No answer", "bold $text-error")), Paragraph(Content(""))]
    if isinstance(error, RuleError):
        page.append(Paragraph(Content("The rules are wrong:")))
        return page + [Paragraph(Content(clean(problem)), Content(" - ")) for problem in error.problems]
    page.append(Paragraph(Content(clean(error.what)), Content("   what ")))
    if error.where:
        page.append(Paragraph(Content(clean(error.where)), Content("  where ")))
    if error.remedy:
        page.append(Paragraph(Content(clean(error.remedy)), Content(" remedy ")))
    return page
