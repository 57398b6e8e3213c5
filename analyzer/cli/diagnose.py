"""``fabtriage diagnose``: from inputs to a report."""

from __future__ import annotations

import argparse
import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from analyzer.cli.arguments import STDIN
from analyzer.cli.exits import Exit, exit_of, exit_of_each
from analyzer.cli.formats import CONCATENABLE, SUFFIXES, add_output, publish
from analyzer.cli.limits import add_limits, limits_of
from analyzer.cli.output import tell
from analyzer.cli.progress import ProgressLine
from analyzer.errors import FabtriageError, OutputError, UsageError

if TYPE_CHECKING:
    from analyzer.options import Options

_YEARS = range(1980, 2100)


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "paths", nargs="+", metavar="PATH", help="file, folder or archive; - is a log on standard input"
    )
    parser.add_argument("--each", action="store_true", help="diagnose every PATH on its own; -o then names a folder")
    add_output(parser, "FILE|FOLDER")
    add_limits(parser)
    _add_scope(parser)
    _add_knowledge(parser)
    parser.add_argument("--quiet", action="store_true", help="no progress")
    parser.add_argument("-v", "--verbose", action="store_true", help="tell each stage and when it began")


def _add_scope(parser: argparse.ArgumentParser) -> None:
    scope = parser.add_argument_group("what to look at")
    scope.add_argument("--since", metavar="T", help="incident window begins: 2026-01-31T14:05, with or without offset")
    scope.add_argument("--until", metavar="T", help="incident window ends")
    scope.add_argument("--job", metavar="ID", help="why did this job die: its time and its parts")
    scope.add_argument("--node", metavar="NAME", help="what happened on this node")
    scope.add_argument("--timezone", metavar="TZ", help="zone of stamps that state none, and of --since and --until")
    scope.add_argument("--year", type=_year, metavar="Y", help="year of stamps that state none")


def _add_knowledge(parser: argparse.ArgumentParser) -> None:
    knowledge = parser.add_argument_group("what to know")
    knowledge.add_argument("--rules", type=Path, metavar="DIR", help="rules of your own, besides the shipped ones")
    knowledge.add_argument(
        "--profile", type=Path, metavar="FILE", help="limits, muted rules and expectations of your site"
    )
    knowledge.add_argument("--no-anomaly", action="store_true", help="leave out the statistical second opinion")
    knowledge.add_argument("--no-rules", action="store_true", help="leave out the rules")


def _year(text: str) -> int:
    if not text.isdecimal() or int(text) not in _YEARS:
        raise argparse.ArgumentTypeError(f"{text} is no year from {_YEARS.start} to {_YEARS.stop - 1}")
    return int(text)


def run(options: argparse.Namespace) -> int:
    """Diagnose the inputs, together or one by one, and deliver the reports."""
    settings = _settings(options)
    if not options.each:
        return _diagnose(options.paths, settings, options, options.output)
    targets = _targets(options)
    return exit_of_each(_attempt(path, settings, options, targets[path]) for path in options.paths)


def _attempt(path: str, settings: Options, options: argparse.Namespace, target: Path | None) -> Exit:
    """Diagnose one of several inputs; one that cannot be read does not keep the others from being looked at."""
    try:
        return _diagnose([path], settings, options, target)
    except FabtriageError as error:
        tell(f"fabtriage: {error}")
        return Exit.FAILED


def _diagnose(paths: list[str], settings: Options, options: argparse.Namespace, target: Path | None) -> Exit:
    from analyzer import pipeline

    _refuse_input_as_target(paths, target)
    with ProgressLine(quiet=options.quiet, verbose=options.verbose) as progress:
        result = pipeline.run(paths, settings, progress)
    for kind, name in (("job", settings.job), ("node", settings.node)):
        if name and result.analysis.verdict == "unknown" and not options.quiet:
            tell(f"fabtriage: {kind} {name}: nothing in these inputs tells of it; name it as the logs do")
    publish(result.analysis, options, target)
    return exit_of(result.analysis, options.fail_on)


def _settings(options: argparse.Namespace) -> Options:
    from analyzer.cli.moments import moment_s, zone
    from analyzer.options import Options
    from analyzer.rules_folder import rules_dir

    assumed = zone(options.timezone or "UTC")
    since_s = moment_s(options.since, "--since", assumed) if options.since else None
    until_s = moment_s(options.until, "--until", assumed) if options.until else None
    if since_s is not None and until_s is not None and since_s > until_s:
        raise UsageError("the window ends before it begins", where=f"--until {options.until}", remedy="swap the two")
    return Options(
        since_s=since_s,
        until_s=until_s,
        job=options.job,
        node=options.node,
        timezone=options.timezone,
        year=options.year,
        rules=None if options.rules is None else rules_dir(options.rules),
        anomaly=not options.no_anomaly,
        shipped_rules=not options.no_rules,
        limits=limits_of(options),
    )


def _targets(options: argparse.Namespace) -> dict[str, Path | None]:
    """File of each input's report, named like the input, numbered where two inputs share a name."""
    if options.output is None:
        if options.format not in CONCATENABLE and len(options.paths) > 1:
            remedy = "name a folder with -o"
            raise UsageError("several reports do not fit one stream", where=f"--format {options.format}", remedy=remedy)
        return dict.fromkeys(options.paths)
    _make_folder(options.output)
    taken: set[str] = set()
    targets: dict[str, Path | None] = {}
    for path in options.paths:
        stem = "stdin" if path == STDIN else Path(path).resolve().name or "input"
        name = next(name for name in _numbered(stem) if name not in taken)
        taken.add(name)
        targets[path] = options.output / f"{name}.{SUFFIXES[options.format]}"
    return targets


def _numbered(stem: str) -> Iterator[str]:
    yield stem
    yield from (f"{stem}-{number}" for number in itertools.count(2))


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        remedy = "with --each, -o names a folder"
        raise OutputError(error.strerror or str(error), where=str(folder), remedy=remedy) from error


def _refuse_input_as_target(paths: list[str], target: Path | None) -> None:
    if target is None or not target.exists():
        return
    if any(path != STDIN and Path(path).exists() and target.samefile(path) for path in paths):
        raise UsageError("the report would replace the input", where=f"-o {target}", remedy="name another file")
