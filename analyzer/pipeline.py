"""The only way from inputs to an answer."""

from __future__ import annotations

import platform
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec

import analyzer
from analyzer.bundle import Bundle, open_bundle
from analyzer.context import quoted
from analyzer.diagnose.asked import asked
from analyzer.diagnose.coverage import coverage
from analyzer.diagnose.not_understood import not_understood
from analyzer.diagnose.run import Outcome, diagnose
from analyzer.diagnose.scope import scoped
from analyzer.diagnose.verdict import could_tell, verdict
from analyzer.facts.build import build
from analyzer.facts.reading import Reading
from analyzer.facts.store import Store
from analyzer.intake import block_parsers, readings
from analyzer.memory import few_collections
from analyzer.model.analysis import Analysis, Run, Tool
from analyzer.model.patterns import LinePattern
from analyzer.options import OnProgress, Options, Progress, Result
from analyzer.rulebook.load import load
from analyzer.rulebook.patterns import line_patterns
from analyzer.rulebook.schema import Rulebook
from analyzer.rules_folder import rules_dir
from analyzer.scan.engine import Scanner
from analyzer.sources.layouts.triggers import line_patterns as mark_patterns
from analyzer.sources.parameters import parameters
from analyzer.sources.statements import line_patterns as statement_patterns

__all__ = ["Options", "Progress", "Result", "run"]


@few_collections()
def run(paths: Sequence[str], options: Options | None = None, on_progress: OnProgress | None = None) -> Result:
    """Diagnose inputs.

    Args:
        paths: Files, folders, archives, or ``-`` for a log on standard input.
        options: Choices of the user.
        on_progress: Is told how far the run is; may raise to cancel it.

    Raises:
        InputError: A path does not exist.
        RuleError: A rule is wrong.
    """
    options = options or Options()
    tell = on_progress or (lambda _: None)
    started = time.monotonic()
    tell(Progress("rules"))
    rulebook = load(_directories(options))
    patterns = line_patterns(rulebook)
    patterns.extend(statement_patterns(len(patterns)))
    patterns.extend(mark_patterns(len(patterns)))
    with open_bundle(paths, options.limits) as bundle:
        read = _read(bundle, patterns, options, tell)
        tell(Progress("facts"))
        store = build(read, rulebook, patterns, bundle.name, options)
    tell(Progress("diagnosis"))
    outcome = diagnose(store, asked(store, options))
    tell(Progress("evidence"))
    analysis = _analysis(outcome, store, rulebook, paths, options)
    taken = Run(
        started=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"), host=platform.node(),
        seconds=round(time.monotonic() - started, 3),
    )  # fmt: skip
    return Result(msgspec.structs.replace(analysis, run=taken), store)


def _directories(options: Options) -> list[Path]:
    shipped = [rules_dir()] if options.shipped_rules else []
    return [*shipped, *([options.rules] if options.rules else [])]


def _read(bundle: Bundle, patterns: Sequence[LinePattern], options: Options, tell: OnProgress) -> list[Reading]:
    blocks = block_parsers()
    notable = parameters().error_line
    scanner = Scanner(patterns, blocks, engine=options.engine, counts=options.anomaly, notable=notable)  # type: ignore[arg-type]
    count = 0

    def done(source: object) -> None:
        nonlocal count
        count += 1
        tell(Progress("reading", count, 0, getattr(source, "path", "")))

    return readings(bundle, scanner, blocks, done)


def _analysis(outcome: Outcome, store: Store, rulebook: Rulebook, paths: Sequence[str], options: Options) -> Analysis:
    diagnoses = scoped(outcome.diagnoses, options.job, options.node)
    earlier = scoped(outcome.earlier, options.job, options.node)
    seen = coverage(store, diagnoses)
    return Analysis(
        tool=Tool(name="fabtriage", version=analyzer.__version__, rules=rulebook.revision),
        verdict=verdict(diagnoses, seen.inputs, could_tell(store, options.job, options.node)),
        window=outcome.window,
        diagnoses=quoted(diagnoses, paths, options.context_lines, options.limits),
        earlier=quoted(earlier, paths, 0, options.limits),
        coverage=seen,
        not_understood=not_understood(store.unknown_lines),
    )
