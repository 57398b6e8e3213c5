"""The pane that explains the selected cause, one page at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from analyzer.tui.bindings import SCROLL
from analyzer.tui.widgets.paragraphs import Paragraph, Paragraphs

PAGES = ("why", "fix", "verify", "inputs")


class PageBar(Widget):
    """The names of the pages, the open one marked."""

    DEFAULT_CSS = "PageBar { height: 1; padding: 0 1; }"

    class Chosen(Message):
        """A name was clicked."""

        def __init__(self, page: str) -> None:
            super().__init__()
            self.page = page

    def __init__(self, pages: Sequence[str], *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._pages = pages
        self.page = pages[0]

    def render(self) -> Content:
        """The names; brackets mark the open page where there is no colour."""
        names = [(f"[{p.title()}]", "bold reverse") if p == self.page else f" {p.title()} " for p in self._pages]
        return Content.assemble(*(part for name in names for part in (name, " ")))

    def on_click(self, event: events.Click) -> None:
        """Open the page whose name was clicked."""
        column = event.x - 1
        for page in self._pages:
            if 0 <= column < len(page) + 2:
                self.post_message(self.Chosen(page))
            column -= len(page) + 3


class Page(VerticalScroll, can_focus=True):
    """The open page."""

    BINDINGS: ClassVar[list[BindingType]] = [*SCROLL]

    def compose(self) -> ComposeResult:
        """The text."""
        yield Paragraphs()

    def show(self, paragraphs: Sequence[Paragraph], *, top: bool) -> None:
        """Replace the text, and go to its top unless it is the same page again."""
        self.query_one(Paragraphs).show(paragraphs)
        if top:
            self.scroll_home(animate=False)
