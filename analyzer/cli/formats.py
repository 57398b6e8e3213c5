"""Output formats, and the options that several commands use to choose one."""

from __future__ import annotations

import argparse
from pathlib import Path

from analyzer.cli.exits import FAIL_ON

FORMATS = {
    "text": "txt",
    "json": "json",
    "jsonl": "jsonl",
    "markdown": "md",
    "html": "html",
    "sarif": "sarif",
    "junit": "xml",
}
"""Name of each format and the suffix of its files."""

CONCATENABLE = frozenset({"text", "json", "jsonl", "markdown"})
"""Formats of which several reports may follow each other in one stream."""


def add_output(parser: argparse.ArgumentParser, target: str = "FILE") -> None:
    """Declare the options about the report: its format, where it goes, from which severity it counts as found."""
    parser.add_argument(
        "--format", choices=sorted(FORMATS), default="text", help="format of the report (default: text)"
    )
    parser.add_argument(
        "-o", "--output", type=Path, metavar=target, help="write the report there, not to standard output"
    )
    parser.add_argument(
        "--fail-on",
        choices=FAIL_ON,
        default="warning",
        help="severity from which a diagnosis makes the exit status 1 (default: warning)",
    )
