"""One cited line among the lines around it in its file."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content

from analyzer.model.analysis import Evidence
from analyzer.tui.bindings import SCROLL
from analyzer.tui.widgets.paragraphs import Paragraph, Paragraphs
from analyzer.tui.wording import MUTED, shown


class EvidenceView(VerticalScroll, can_focus=True):
    """The cited line whole, marked in the gutter; the lines around it cut at the edge unless ``wraps``."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *SCROLL,
        Binding("ctrl+w", "wrap", "Wrap the lines around", show=False),
    ]

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._evidence: Evidence | None = None
        self._wraps = False

    def compose(self) -> ComposeResult:
        """The lines."""
        yield Paragraphs()

    def show(self, evidence: Evidence | None) -> None:
        """Show another line, in the middle of the pane."""
        self._evidence = evidence
        rows, cited = _rows(evidence, wraps=self._wraps) if evidence else ([], 0)
        self.query_one(Paragraphs).show(rows)
        self.call_after_refresh(self._centre, cited)

    def on_resize(self) -> None:
        """Keep the cited line in the middle."""
        self.show(self._evidence)

    def action_wrap(self) -> None:
        """Wrap the lines around, or cut them."""
        self._wraps = not self._wraps
        self.show(self._evidence)

    def _centre(self, index: int) -> None:
        text = self.query_one(Paragraphs)
        if self._evidence is None or not text.content_size.width:
            return
        rows = text.rows_of(index, text.content_size.width)
        spare = max(self.size.height - len(rows), 0)
        self.scroll_to(y=max(rows.start - spare // 2, 0), animate=False, force=True)


def _rows(evidence: Evidence, *, wraps: bool) -> tuple[list[Paragraph], int]:
    """The lines, and which of them is the cited one."""
    first = evidence.context_line
    if evidence.line is None or first is None or not evidence.context:
        number = "" if evidence.line is None else f"{evidence.line} "
        return [_cited(evidence.text, number)], 0
    cited = evidence.line - first
    width = len(str(first + len(evidence.context))) + 1
    rows = []
    for index, line in enumerate(evidence.context):
        number = f"{first + index:>{width - 1}} "
        rows.append(_cited(line, number) if index == cited else _around(line, number, wraps=wraps))
    return rows, cited


def _cited(text: str, number: str) -> Paragraph:
    return Paragraph(Content.styled(shown(text), "bold"), Content.styled(f"> {number}", "bold $text-accent"))


def _around(text: str, number: str, *, wraps: bool) -> Paragraph:
    return Paragraph(Content.styled(shown(text), MUTED), Content.styled(f"  {number}", MUTED), wraps)
