"""The answer: causes, why, the lines that prove it, the fix and the check, on one screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Footer

from analyzer.bundle.display import clean
from analyzer.model.analysis import Analysis, Evidence
from analyzer.report.wording import answer, many, place
from analyzer.tui import pages
from analyzer.tui.messages import Messages
from analyzer.tui.screens.help import HelpScreen
from analyzer.tui.widgets.cause_list import CauseList, Row
from analyzer.tui.widgets.detail import PAGES, Page, PageBar
from analyzer.tui.widgets.evidence_view import EvidenceView
from analyzer.tui.widgets.paragraphs import Paragraph
from analyzer.tui.widgets.title_bar import TitleBar
from analyzer.tui.wording import shown

_ROLES = {"root": "proof", "confirms": "confirms", "against": "speaks against"}
_COPIED_SHOWN = 60
_TOAST_S = 3.0


class TriageScreen(Screen[None]):
    """Nothing needs to be pressed to see the first cause and its proof."""

    HORIZONTAL_BREAKPOINTS = [  # noqa: RUF012 - Textual declares it for instances
        (0, "-stacked"),
        (110, "-beside"),
    ]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "walk(1)", "Evidence", tooltip="Next line of evidence"),
        Binding("N", "walk(-1)", "Previous line of evidence", show=False),
        Binding("w", "page('why')", "Why", tooltip="Why: the explanation and its proof"),
        Binding("f", "page('fix')", "Fix", tooltip="Fix: the steps that repair it"),
        Binding("v", "page('verify')", "Verify", tooltip="Verify: the steps that show it is repaired"),
        Binding("i", "page('inputs')", "Inputs", tooltip="Inputs: what was read, what was not, what would help"),
        Binding("right_square_bracket", "turn(1)", "Next page", show=False),
        Binding("left_square_bracket", "turn(-1)", "Previous page", show=False),
        Binding("tab", "app.focus_next", "Next pane", show=False),
        Binding("shift+tab", "app.focus_previous", "Previous pane", show=False),
        Binding("c", "copy", "Copy", tooltip="Copy the next command of Fix or Verify, else the line of evidence"),
        Binding("z", "zoom", "Zoom", tooltip="Give the evidence or the page the whole screen, or back"),
        Binding("t", "app.toggle_light", "Dark or light", show=False),
        Binding("question_mark", "help", "Help"),
        Binding("escape", "back", "Back from zoom, then to the causes", show=False),
        Binding("q", "app.quit", "Quit"),
    ]

    def __init__(self, analysis: Analysis, title: str) -> None:
        super().__init__()
        self._analysis = analysis
        self._subject = title
        self._page = "why" if self._found else "inputs"
        self._evidence = 0
        self._copied = 0
        self._messages = Messages(analysis.coverage.inputs)

    @property
    def _found(self) -> bool:
        return bool(self._analysis.diagnoses or self._analysis.earlier)

    def compose(self) -> ComposeResult:
        """Header, causes beside or above the page, evidence, keys."""
        yield TitleBar(id="header")
        with Container(id="upper"):
            yield CauseList(self._analysis, id="causes")
            with Vertical(id="detail"):
                yield PageBar(PAGES if self._found else PAGES[-1:], id="pages")
                yield Page(id="page")
        with Vertical(id="proof"):
            yield TitleBar(id="place")
            yield EvidenceView(id="evidence")
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        """Show the first cause; without any, what was read."""
        self.query_one("#header", TitleBar).show(*_header(self._analysis, self._subject))
        self.set_class(not self._found, "-nothing")
        self.query_one(CauseList if self._found else Page).focus()
        self._show(top=True)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer only keys that do something: without a cause there is one page."""
        if self._found or action not in {"walk", "page", "turn", "copy", "zoom"}:
            return super().check_action(action, parameters)
        return False

    @on(CauseList.Selected)
    def select(self) -> None:
        """Show another cause or consequence."""
        self._evidence = self._copied = 0
        self._show(top=True)

    @on(CauseList.Entered)
    def enter(self) -> None:
        """Read on."""
        self.query_one(Page).focus()

    @on(PageBar.Chosen)
    def choose(self, chosen: PageBar.Chosen) -> None:
        """Open the page that was clicked."""
        self.action_page(chosen.page)

    def action_page(self, page: str) -> None:
        """Open a page."""
        if self.has_class("-evidence"):
            self._unzoom()
        self._page, self._copied = page, 0
        self._show(top=True)

    def action_turn(self, by: int) -> None:
        """Open the page beside."""
        self.action_page(PAGES[(PAGES.index(self._page) + by) % len(PAGES)])

    def action_walk(self, by: int) -> None:
        """Show the next line of evidence, across files; after the last comes the first."""
        evidence = self._cited()
        if evidence:
            self._evidence = (self._evidence + by) % len(evidence)
            self._show(top=False)

    def action_copy(self) -> None:
        """Copy a command, one after the other so that each is looked at, or the line of evidence."""
        commands = pages.commands(self._row, self._page)
        if commands and not isinstance(self.focused, EvidenceView):
            index = self._copied % len(commands)
            self._copied += 1
            self._copy(f"command {index + 1} of {len(commands)}", commands[index])
            return
        evidence = self._cited()
        if evidence:
            item = evidence[self._evidence]
            self._copy("evidence", f"{place(item)}: {clean(item.text)}")
        else:
            self.notify("nothing to copy here", severity="warning", markup=False)

    def action_zoom(self) -> None:
        """Give the page, if it has the focus, or else the evidence the whole screen, or take it back."""
        if self._zoomed:
            self._unzoom()
        elif isinstance(self.focused, Page):
            self.add_class("-page")
        else:
            self.query_one(EvidenceView).focus()
            self.add_class("-evidence")

    def action_back(self) -> None:
        """Take the whole screen back from a pane, or go back to the causes."""
        if self._zoomed:
            self._unzoom()
        elif self._found:
            self.query_one(CauseList).focus()

    def action_help(self) -> None:
        """Show the keys."""
        panes = (("Everywhere", TriageScreen), ("Causes", CauseList), ("Page and evidence", EvidenceView))
        groups = [(title, [b for b in pane.BINDINGS if isinstance(b, Binding)]) for title, pane in panes]
        self.app.push_screen(HelpScreen(groups))

    @property
    def _zoomed(self) -> bool:
        return self.has_class("-page") or self.has_class("-evidence")

    def _unzoom(self) -> None:
        self.remove_class("-page", "-evidence")

    @property
    def _row(self) -> Row | None:
        return self.query_one(CauseList).row

    def _cited(self) -> Sequence[Evidence]:
        row = self._row
        if row is None or row.diagnosis is None:
            return ()
        return row.diagnosis.evidence if row.consequence is None else row.consequence.evidence

    def _copy(self, what: str, text: str) -> None:
        self.app.copy_to_clipboard(text)
        start = text if len(text) <= _COPIED_SHOWN else f"{text[:_COPIED_SHOWN]}…"
        self.notify(start, title=f"{what} sent to the terminal's clipboard (OSC 52)", markup=False, timeout=_TOAST_S)

    def _show(self, *, top: bool) -> None:
        bar = self.query_one(PageBar)
        bar.page = self._page
        bar.refresh()
        self.query_one(Page).show(self._paragraphs(), top=top)
        evidence = self._cited()
        item = evidence[self._evidence] if evidence else None
        self.query_one("#place", TitleBar).show(*_heading(item, self._evidence, len(evidence)))
        self.query_one(EvidenceView).show(item)

    def _paragraphs(self) -> list[Paragraph]:
        row = self._row
        if self._page == "inputs":
            return pages.inputs(self._analysis)
        if row is None:
            return [Paragraph(Content("No cause was found, so there is nothing to explain or repair."))]
        if self._page == "why":
            return pages.why(row, self._evidence, self._messages)
        return pages.fix(row) if self._page == "fix" else pages.verify(row)


def _header(analysis: Analysis, title: str) -> tuple[str, str]:
    inputs = analysis.coverage.inputs
    unread = sum(item.status != "read" for item in inputs)
    nodes = {node for item in inputs for node in item.nodes}
    counts = [many(len(inputs), "input"), many(sum(item.lines for item in inputs), "line")]
    if nodes:
        counts.append(many(len(nodes), "node"))
    about = answer(analysis, "cause") + (f" · {unread:,} not read" if unread else "")
    return about, " · ".join([*counts, shown(title)])


def _heading(item: Evidence | None, index: int, count: int) -> tuple[str, str]:
    if item is None:
        return "Evidence: none", ""
    times = f" · one of {item.occurrences:,} alike" if item.occurrences > 1 else ""
    return f"Evidence {index + 1}/{count} · {_ROLES[item.role]}{times}", place(item)
