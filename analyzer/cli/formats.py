"""The report's format and place: the options that choose them, and rendering for what they chose."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from analyzer.cli.exits import FAIL_ON
from analyzer.cli.output import deliver
from analyzer.report import FORMATS

if TYPE_CHECKING:
    from analyzer.model.analysis import Analysis

SUFFIXES = {
    "text": "txt",
    "json": "json",
    "jsonl": "jsonl",
    "markdown": "md",
    "html": "html",
    "sarif": "sarif",
    "junit": "xml",
}
"""Suffix of each format's files."""

CONCATENABLE = frozenset({"text", "json", "jsonl", "markdown"})
"""Formats of which several reports may follow each other in one stream."""

_WIDTH = 120
"""Columns where no terminal says how many it has."""


def add_output(parser: argparse.ArgumentParser, target: str = "FILE") -> None:
    """Declare the options about the report: its format, where it goes, from which severity it counts as found."""
    parser.add_argument("--format", choices=FORMATS, default="text", help="format of the report (default: text)")
    parser.add_argument(
        "-o", "--output", type=Path, metavar=target, help="write the report there, not to standard output"
    )
    parser.add_argument(
        "--fail-on",
        choices=FAIL_ON,
        default="warning",
        help="severity from which a diagnosis makes the exit status 1 (default: warning)",
    )


def publish(analysis: Analysis, options: argparse.Namespace, target: Path | None) -> None:
    """Render a report for where it goes and deliver it there."""
    from analyzer.report import render

    width = shutil.get_terminal_size((_WIDTH, 24)).columns
    deliver(render(analysis, options.format, width=width, color=target is None and _color()), target)


def _color() -> bool:
    if os.environ.get("NO_COLOR"):
        return False
    return bool(os.environ.get("FORCE_COLOR")) or (sys.stdout.isatty() and os.environ.get("TERM") != "dumb")
