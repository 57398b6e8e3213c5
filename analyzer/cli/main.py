"""Entry point: finds the command, imports only its module, turns errors into one line and an exit status."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol, cast

import analyzer
from analyzer.cli.arguments import STDIN, Parser
from analyzer.cli.exits import Exit
from analyzer.cli.output import tell, tolerate_any_text
from analyzer.errors import FabtriageError, RuleError, UsageError

COMMANDS = {
    "diagnose": "say what broke first, how that shows, what fixes it",
    "explain": "explain a cause, or an error code of the driver, without any input",
    "rules": "list or check the rules, print their schema",
    "sources": "say what each input is and how it was recognised",
    "report": "print a saved JSON report in another format",
    "cache": "remove what earlier runs kept",
}
DESCRIPTION = (
    "Says what broke first in a GPU cluster, from its logs and dumps, offline.\n"
    "A PATH is a file, a folder or an archive; - is one log from standard input."
)
STATUSES = (
    "exit status: 0 nothing found, 1 something found, 2 wrong usage or failure, 3 nothing found but input incomplete"
)


class Command(Protocol):
    """What a command's module defines."""

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command's arguments."""

    def run(self, options: argparse.Namespace) -> int:
        """Carry it out and return the exit status."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit status; never raises for what a user or an input did wrong."""
    tolerate_any_text()
    try:
        return _finish(list(sys.argv[1:] if arguments is None else arguments))
    except RuleError as error:
        for problem in error.problems:
            tell(f"fabtriage: {problem}")
        return Exit.FAILED
    except FabtriageError as error:
        tell(f"fabtriage: {error}")
        return Exit.FAILED
    except BrokenPipeError:
        _silence_stdout()
        return Exit.PIPE
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        tell(f"fabtriage: {place}{error.strerror or error}")
        return Exit.FAILED
    except Exception:  # noqa: BLE001 - the interpreter's own status, 1, would say that something was found
        traceback.print_exc()
        tell("fabtriage: internal error; please report the lines above")
        return Exit.FAILED
    except KeyboardInterrupt:
        return Exit.INTERRUPTED


def _finish(arguments: list[str]) -> int:
    try:
        status = _dispatch(arguments)
    except SystemExit as left:  # argparse leaves this way after --help and --version
        status = int(left.code or 0)
    sys.stdout.flush()
    return status


def _dispatch(arguments: list[str]) -> int:
    if arguments and arguments[0] in COMMANDS:
        return _run(arguments[0], arguments[1:])
    paths = _top_level().parse_args(arguments).paths
    if not paths:
        raise UsageError("no input", remedy="name a file, folder or archive, or see fabtriage --help")
    for path in paths:
        if path != STDIN and not Path(path).exists():
            raise UsageError("no such file, folder or command", where=path, remedy="see fabtriage --help")
    from analyzer.cli import tui

    return tui.run(paths) if tui.fits(paths) else _run("diagnose", ["--", *paths])


def _run(name: str, arguments: list[str]) -> int:
    command = cast("Command", importlib.import_module(f"analyzer.cli.{name}"))
    parser = Parser(prog=f"fabtriage {name}", description=_sentence(COMMANDS[name]))
    command.configure(parser)
    return command.run(parser.parse_args(arguments))


def _top_level() -> Parser:
    width = max(map(len, COMMANDS))
    listed = "\n".join(f"  {name:{width}}  {summary}" for name, summary in COMMANDS.items())
    parser = Parser(
        prog="fabtriage",
        usage="fabtriage [PATH ...]\n       fabtriage COMMAND ...",
        description=DESCRIPTION,
        epilog=f"commands (fabtriage COMMAND --help tells more):\n{listed}\n\n{STATUSES}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("paths", nargs="*", metavar="PATH", help="diagnose this input; a terminal gets screens")
    parser.add_argument("--version", action="version", version=f"fabtriage {analyzer.__version__}")
    return parser


def _sentence(summary: str) -> str:
    return f"{summary[0].upper()}{summary[1:]}."


def _silence_stdout() -> None:
    """Keep the interpreter from complaining when it flushes a pipe nobody reads."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
