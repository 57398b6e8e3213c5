"""The causes, each with its consequences folded under it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, NamedTuple

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.visual import Visual

from analyzer.bundle.display import clean
from analyzer.model.analysis import Analysis, Consequence, Diagnosis
from analyzer.report.wording import many
from analyzer.tui.widgets.paragraphs import Paragraph
from analyzer.tui.wording import MUTED, SEVERITY_STYLES, SEVERITY_WORDS

_Fold = tuple[str, int]
_EARLIER: _Fold = ("earlier", 0)
_WRAPS_BELOW = 70


class Row(NamedTuple):
    """One line of the list.

    Attributes:
        label: What it says; it continues on further lines where the list is narrow.
        diagnosis: The cause it stands for or belongs to; None on the heading of the earlier ones.
        consequence: The consequence it stands for, if any.
        fold: What Enter opens or closes here; None if nothing.
    """

    label: Paragraph
    diagnosis: Diagnosis | None = None
    consequence: Consequence | None = None
    fold: _Fold | None = None


class CauseList(ScrollView, can_focus=True):
    """Causes in the order of their rank, then the earlier ones as a folded group."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"cause-list--cursor"}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j,down", "move(1)", "Next cause", show=False),
        Binding("k,up", "move(-1)", "Previous cause", show=False),
        Binding("pagedown,ctrl+d", "page(1)", "Page down", show=False),
        Binding("pageup,ctrl+u", "page(-1)", "Page up", show=False),
        Binding("g,home", "first", "First cause", show=False),
        Binding("G,end", "last", "Last cause", show=False),
        Binding("enter,space", "open_or_close", "Open or close what the cause explains", show=False),
        Binding("l,right", "fold(False)", "Open", show=False),
        Binding("h,left", "fold(True)", "Close", show=False),
    ]

    class Selected(Message):
        """The cursor stands on another row."""

        def __init__(self, row: Row) -> None:
            super().__init__()
            self.row = row

    class Entered(Message):
        """Enter was pressed on a row that holds nothing to open."""

    def __init__(self, analysis: Analysis, *, id: str | None = None) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self._analysis = analysis
        self._open: set[_Fold] = set()
        self._cursor = 0
        self._rows = list(self._listed())
        self._laid: tuple[int, list[tuple[int, Content]]] = (-1, [])

    @property
    def row(self) -> Row | None:
        """The row under the cursor; None in an empty list."""
        return self._rows[self._cursor] if self._rows else None

    def on_resize(self) -> None:
        """Lay the rows out again."""
        self._fit()

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002 - Textual's signature
        """Number of screen lines."""
        return max(len(self._lines(width)), 1)

    def render_line(self, y: int) -> Strip:
        """One line; the selected row in the colours of the cursor alone, so that it is readable in every theme."""
        width = self.scrollable_content_region.width
        lines = self._lines(width)
        at = y + self.scroll_offset.y
        if at >= len(lines):
            return Strip.blank(width, self.rich_style)
        index, text = lines[at]
        style = self.visual_style
        if index == self._cursor:
            text, style = Content(text.plain), self.get_visual_style("cause-list--cursor")
        return Visual.to_strips(self, text, width, 1, style, pad=True)[0]

    def on_click(self, event: events.Click) -> None:
        """Select the row under the mouse; a second click opens or closes it."""
        lines = self._lines(self.scrollable_content_region.width)
        at = event.y + self.scroll_offset.y
        if at < len(lines):
            self._select(lines[at][0])
            if event.chain > 1:
                self.action_open_or_close()

    def action_move(self, by: int) -> None:
        """Move the cursor."""
        self._select(self._cursor + by)

    def action_page(self, by: int) -> None:
        """Move the cursor by a screenful."""
        self._select(self._cursor + by * max(self.size.height - 1, 1))

    def action_first(self) -> None:
        """Go to the top."""
        self._select(0)

    def action_last(self) -> None:
        """Go to the bottom."""
        self._select(len(self._rows) - 1)

    def action_open_or_close(self) -> None:
        """Open or close what the row holds."""
        if self.row is None or self.row.fold is None:
            self.post_message(self.Entered())
        else:
            self.action_fold(self.row.fold in self._open)

    def action_fold(self, close: bool) -> None:
        """Close or open what the row holds, or close what it belongs to."""
        row = self.row
        if row is None or row.fold is None:
            return
        (self._open.discard if close else self._open.add)(row.fold)
        self._rows = list(self._listed())
        holder = next(i for i, other in enumerate(self._rows) if other.fold == row.fold and other.consequence is None)
        self._fit()
        if close or row.consequence is None:
            self._select(holder)

    def _select(self, index: int) -> None:
        index = max(0, min(index, len(self._rows) - 1))
        if not self._rows:
            return
        self._cursor = index
        own = [y for y, (row, _) in enumerate(self._lines(self.scrollable_content_region.width)) if row == index]
        self.scroll_to_region(Region(0, own[0], 1, len(own)), animate=False, force=True)
        self.refresh()
        self.post_message(self.Selected(self._rows[index]))

    def _fit(self) -> None:
        self._laid = (-1, [])
        self.virtual_size = Size(1, len(self._lines(self.scrollable_content_region.width)))
        self.refresh(layout=True)

    def _lines(self, width: int) -> list[tuple[int, Content]]:
        """Index of the row and text of each screen line."""
        if self._laid[0] != width:
            wraps = width < _WRAPS_BELOW
            labels = (row.label._replace(wraps=wraps) for row in self._rows)
            self._laid = (width, [(index, line) for index, label in enumerate(labels) for line in label.lines(width)])
        return self._laid[1]

    def _listed(self) -> Iterator[Row]:
        for diagnosis in self._analysis.diagnoses:
            yield from self._family(diagnosis, ("cause", diagnosis.rank))
        earlier = self._analysis.earlier
        if earlier:
            mark = "▾" if _EARLIER in self._open else "▸"
            label = f"{mark} earlier, outside the incident: {many(len(earlier), 'diagnosis', 'diagnoses')}"
            yield Row(Paragraph(Content.styled(label, MUTED)), fold=_EARLIER)
        if _EARLIER in self._open:
            for index, diagnosis in enumerate(earlier, 1):
                yield from self._family(diagnosis, ("earlier", index))

    def _family(self, diagnosis: Diagnosis, fold: _Fold) -> Iterator[Row]:
        held = diagnosis.consequences
        opened = fold in self._open
        mark = f"{'▾' if opened else '▸'}{len(held)}" if held else ""
        word = SEVERITY_WORDS[diagnosis.severity]
        lead = Content.assemble(f"{diagnosis.rank:>2} ", (word, SEVERITY_STYLES[diagnosis.severity]), f" {mark:<3}")
        label = Paragraph(Content(clean(diagnosis.explanation or diagnosis.title)), lead)
        yield Row(label, diagnosis, fold=fold if held else None)
        for consequence in held if opened else ():
            text = Content.styled(f"{clean(consequence.title)} ({many(consequence.count, 'line')})", MUTED)
            yield Row(Paragraph(text, Content("        └ ")), diagnosis, consequence, fold)
