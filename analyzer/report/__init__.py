"""One module per output format behind one function; a format's module is imported when it is asked for."""

from __future__ import annotations

import importlib
from typing import Protocol, cast

from analyzer.model.analysis import Analysis

FORMATS = ("text", "json")


class Renderer(Protocol):
    """What a format's module defines."""

    def render(self, analysis: Analysis, *, width: int, color: bool) -> str:
        """The whole report as text."""


def render(analysis: Analysis, format_name: str, *, width: int = 120, color: bool = False) -> str:
    """Render a report.

    Args:
        analysis: The answer.
        format_name: One of ``FORMATS``.
        width: Columns of the terminal, for formats that wrap.
        color: Whether ANSI colours may be used, for formats that have them.
    """
    module = cast("Renderer", importlib.import_module(f"analyzer.report.{format_name}"))
    return module.render(analysis, width=width, color=color)
