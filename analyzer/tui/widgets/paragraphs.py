"""Text with hanging indents."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from textual.content import Content
from textual.geometry import Size
from textual.widget import Widget

_NARROWEST = 8


class Paragraph(NamedTuple):
    """Text that starts after ``lead`` and whose further lines stand below its own beginning.

    Attributes:
        body: The text.
        lead: What stands before its first line.
        wraps: Continue on further lines; otherwise the text is cut at the edge.
    """

    body: Content
    lead: Content = Content("")
    wraps: bool = True

    def lines(self, width: int) -> list[Content]:
        """The lines on a screen of this many columns."""
        indent = self.lead.cell_length
        room = max(width - indent, _NARROWEST)
        if not self.wraps:
            return [self.lead + self.body.truncate(room, ellipsis=True)]
        first, *rest = self.body.wrap(room) or [self.body]
        return [self.lead + first, *(Content(" " * indent) + line for line in rest)]


class Paragraphs(Widget):
    """Shows paragraphs at full height; a container scrolls them."""

    DEFAULT_CSS = "Paragraphs { width: 1fr; height: auto; }"

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._paragraphs: Sequence[Paragraph] = ()
        self._wrapped: tuple[int, list[list[Content]]] = (-1, [])

    def show(self, paragraphs: Sequence[Paragraph]) -> None:
        """Replace the text."""
        self._paragraphs = paragraphs
        self._wrapped = (-1, [])
        self.refresh(layout=True)

    def rows_of(self, index: int, width: int) -> range:
        """Screen lines, from the top, that a paragraph takes."""
        counts = [len(lines) for lines in self._lines(width)]
        above = sum(counts[:index])
        return range(above, above + counts[index])

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002 - Textual's signature
        """Number of screen lines."""
        return sum(map(len, self._lines(width)))

    def render(self) -> Content:
        """The lines."""
        return Content("\n").join(line for lines in self._lines(self.content_size.width) for line in lines)

    def _lines(self, width: int) -> list[list[Content]]:
        if self._wrapped[0] != width:
            self._wrapped = (width, [paragraph.lines(width) for paragraph in self._paragraphs])
        return self._wrapped[1]
