"""``fabtriage report``: a saved JSON report in another format."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from analyzer.cli.exits import exit_of
from analyzer.cli.formats import add_output, publish
from analyzer.errors import InputError

if TYPE_CHECKING:
    from analyzer.model.analysis import Analysis

_REMEDY = "name a file that fabtriage diagnose --format json wrote"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("file", type=Path, metavar="FILE.json", help="report that diagnose --format json wrote")
    add_output(parser)


def run(options: argparse.Namespace) -> int:
    """Render the saved report; the exit status is the one that diagnose would give for it."""
    analysis = read(options.file)
    publish(analysis, options, options.output)
    return exit_of(analysis, options.fail_on)


def read(file: Path) -> Analysis:
    """Read a saved report.

    Raises:
        InputError: The file cannot be read or is no report of a version known here.
    """
    import msgspec

    from analyzer.model.analysis import SCHEMA_VERSION, Analysis

    try:
        analysis = msgspec.json.decode(file.read_bytes(), type=Analysis)
    except OSError as error:
        raise InputError(error.strerror or str(error), where=str(file), remedy=_REMEDY) from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"no fabtriage report: {error}", where=str(file), remedy=_REMEDY) from error
    if analysis.schema_version != SCHEMA_VERSION:
        what = f"report of schema version {analysis.schema_version}, known here is {SCHEMA_VERSION}"
        raise InputError(what, where=str(file), remedy="update fabtriage, or run diagnose again")
    return analysis
