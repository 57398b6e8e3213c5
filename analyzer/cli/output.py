"""Where results go: standard output or a file; everything else goes to standard error."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable
from pathlib import Path

from analyzer.errors import OutputError


def deliver(text: str, target: Path | None) -> None:
    """Write a result to standard output, or to a file if one is named.

    Raises:
        OutputError: The file cannot be written.
    """
    ended = text if text.endswith("\n") or not text else f"{text}\n"
    if target is None:
        sys.stdout.write(ended)
        return
    try:
        target.write_text(ended, encoding="utf-8", newline="\n")
    except OSError as error:
        remedy = "name a file in a folder you may write to"
        raise OutputError(error.strerror or str(error), where=str(target), remedy=remedy) from error


def tell(text: str) -> None:
    """Write one line to standard error; names in it may come from a hostile bundle."""
    from analyzer.bundle.display import clean

    print(clean(text), file=sys.stderr)


def tolerate_any_text() -> None:
    """Never fail on a character that the terminal's encoding lacks."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def columns(rows: Iterable[tuple[str, ...]]) -> str:
    """Align rows of cells with two spaces between the columns."""
    table = list(rows)
    if not table:
        return ""
    widths = [max(len(cell) for cell in column) for column in zip(*table, strict=True)]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in table)
    return "".join(f"{line.rstrip()}\n" for line in lines)
