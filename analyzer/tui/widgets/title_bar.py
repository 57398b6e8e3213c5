"""The line above a pane."""

from __future__ import annotations

from textual.content import Content
from textual.widget import Widget

from analyzer.tui.wording import cut_left


class TitleBar(Widget):
    """A heading, and a path that loses its beginning where the room ends."""

    DEFAULT_CSS = "TitleBar { height: 1; padding: 0 1; }"

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._heading = ""
        self._path = ""

    def show(self, heading: str, path: str = "") -> None:
        """Replace both."""
        self._heading, self._path = heading, path
        self.refresh()

    def render(self) -> Content:
        """The line."""
        room = self.content_size.width - len(self._heading) - 2
        return Content.assemble((self._heading, "bold"), "  ", cut_left(self._path, room) if self._path else "")
