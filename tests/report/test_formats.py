"""Each format against its golden file; set ``UPDATE_GOLDENS=1`` to write them anew."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from analyzer.model.analysis import Analysis, Coverage, Tool
from analyzer.report import FORMATS, render

GOLDEN = Path(__file__).parent / "golden"


def golden(name: str, text: str) -> str:
    """The golden text, written first when asked for."""
    file = GOLDEN / name
    if os.environ.get("UPDATE_GOLDENS"):
        file.write_text(text, encoding="utf-8", newline="\n")
    return file.read_text(encoding="utf-8")


@pytest.mark.parametrize("format_name", FORMATS)
def test_a_full_report(format_name: str, analysis: Analysis) -> None:
    text = render(analysis, format_name, width=100)
    assert text == golden(f"full.{format_name}", text)


def test_the_text_report_has_colour_where_asked(analysis: Analysis) -> None:
    assert "\x1b[" in render(analysis, "text", width=100, color=True)


@pytest.mark.parametrize("width", [40, 80, 200])
def test_the_text_report_keeps_the_terminals_width(width: int, analysis: Analysis) -> None:
    assert max(map(len, render(analysis, "text", width=width).splitlines())) <= width


def test_log_text_reaches_the_terminal_as_it_stands(analysis: Analysis) -> None:
    assert "link [bold]down[/bold] <script>" in render(analysis, "text", width=100)


def test_an_empty_report_says_that_nothing_was_found() -> None:
    empty = Analysis(
        tool=Tool(name="fabtriage", version="1.0", rules="abc"), verdict="ok", diagnoses=(), coverage=Coverage()
    )
    assert render(empty, "text").startswith("nothing wrong found")
