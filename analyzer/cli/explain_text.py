"""Paragraphs that the pages of ``fabtriage explain`` share."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from analyzer.rulebook.schema import Step


def wrapped(paragraph: str, width: int) -> str:
    """Wrap a line under its own indentation; commands (``$ …``) stay on one line to be copied."""
    indent = re.match(r" *(?:[0-9]+\. |- )?", paragraph)
    hanging = " " * (indent.end() if indent else 0)
    if not paragraph or paragraph.lstrip().startswith("$ "):
        return paragraph
    label = re.match(r" *[^:]{1,30}: {2,}", paragraph)
    if label:
        hanging = " " * label.end()
    return textwrap.fill(paragraph, width, subsequent_indent=hanging, break_long_words=False, break_on_hyphens=False)


def section(title: str, lines: Iterable[str], mark: str = "- ") -> Iterator[str]:
    """A heading and its lines, each once; nothing when there are none."""
    listed = list(dict.fromkeys(lines))
    if listed:
        yield ""
        yield title
        yield from (f"  {mark}{line}" for line in listed)


def numbered(title: str, steps: Iterable[Step]) -> Iterator[str]:
    """The steps of a fix or a check, in order."""
    yield ""
    yield title
    for number, step in enumerate(steps, 1):
        yield f"  {number}. {step.text}{'  [disruptive]' if step.risk == 'disruptive' else ''}"
        if step.command:
            yield f"       $ {step.command}"
        if step.expect:
            yield f"     expect: {step.expect}"
