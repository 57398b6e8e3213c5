"""The keys, as the bindings define them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen

from analyzer.tui.bindings import KEY_NAMES, SCROLL
from analyzer.tui.widgets.paragraphs import Paragraph, Paragraphs
from analyzer.tui.wording import MUTED

Groups = list[tuple[str, list[Binding]]]


class HelpScreen(ModalScreen[None]):
    """Every key of the screen below, pane by pane."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,question_mark,enter", "dismiss", "Close")]

    def __init__(self, groups: Groups) -> None:
        super().__init__()
        self._groups = groups

    def compose(self) -> ComposeResult:
        """A box of keys."""
        with HelpBox(id="help"):
            yield Paragraphs()

    def on_mount(self) -> None:
        """Fill the box."""
        self.query_one(Paragraphs).show(list(_paragraphs(self._groups)))


class HelpBox(VerticalScroll, can_focus=True):
    """Scrolls the keys."""

    BINDINGS: ClassVar[list[BindingType]] = [*SCROLL]


def _paragraphs(groups: Groups) -> Iterable[Paragraph]:
    for title, bindings in groups:
        yield Paragraph(Content.styled(title, "bold $text-accent"))
        for description, keys in _by_description(bindings).items():
            yield Paragraph(Content(description), Content(f"  {', '.join(keys):<18}"))
    yield Paragraph(Content.styled("Esc closes this.", MUTED))


def _by_description(bindings: Iterable[Binding]) -> dict[str, list[str]]:
    keys: dict[str, list[str]] = {}
    for binding in bindings:
        for key in binding.key.split(","):
            keys.setdefault(binding.tooltip or binding.description, []).append(KEY_NAMES.get(key, key))
    return keys
