"""What a run is asked for, what it says on the way, and what it returns."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from analyzer.model.analysis import Analysis
from analyzer.model.limits import Limits

if TYPE_CHECKING:
    from analyzer.facts.store import Store


class Options(msgspec.Struct, frozen=True, kw_only=True):
    """Choices of the user.

    Attributes:
        since_s: Beginning of the incident window in epoch seconds.
        until_s: Its end.
        job: Only diagnoses that concern this job.
        node: Only diagnoses that concern this node.
        timezone: Zone of stamps that state none.
        year: Year of stamps that state none.
        rules: Folder of further rules.
        anomaly: Count templates for the statistical second opinion.
        shipped_rules: Use the shipped rules.
        context_lines: Lines of context before and after each cited line.
        limits: Caps on what is read.
        engine: Search engine of the scan: ``auto``, ``hyperscan`` or ``ahocorasick``.
    """

    since_s: float | None = None
    until_s: float | None = None
    job: str | None = None
    node: str | None = None
    timezone: str | None = None
    year: int | None = None
    rules: Path | None = None
    anomaly: bool = True
    shipped_rules: bool = True
    context_lines: int = 2
    limits: Limits = Limits()
    engine: str = "auto"


class Progress(msgspec.Struct, frozen=True):
    """How far a run is: the stage, units done and in all (0 if unknown), and what it is at."""

    stage: str
    done: int = 0
    total: int = 0
    detail: str = ""


OnProgress = Callable[[Progress], None]


class Result(msgspec.Struct, frozen=True):
    """The answer, and the frames behind it for the TUI and exports."""

    analysis: Analysis
    store: Store
