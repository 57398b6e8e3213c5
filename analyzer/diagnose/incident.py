"""The incident window: which of the diagnoses belong to what was asked about, and which lie outside it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import UTC, datetime

import msgspec

from analyzer.model.analysis import Window
from analyzer.sources.parameters import parameters


class Span(msgspec.Struct, frozen=True):
    """When a candidate and all it explains were seen, NaN if no time is known.

    Attributes:
        first_s: Earliest time.
        last_s: Latest time.
        severity: Severity of the candidate.
        explains: How many kinds of consequences stand under it.
    """

    first_s: float
    last_s: float
    severity: str
    explains: int = 0


class Asked(msgspec.Struct, frozen=True):
    """What the user asked about.

    Attributes:
        since_s: Beginning in epoch seconds, None if not said.
        until_s: End, likewise.
        why: Where these come from.
    """

    since_s: float | None = None
    until_s: float | None = None
    why: str = "as asked for"


ALL_TIMES = Asked()
"""Nothing was said about the window."""


class Incident(msgspec.Struct, frozen=True):
    """The incident's window; minus and plus infinity where it is open.

    Attributes:
        window: As the report shows it.
        from_s: What ended before is no part of it.
        to_s: What began later is no part of it.
    """

    window: Window
    from_s: float = -math.inf
    to_s: float = math.inf

    def holds(self, span: Span) -> bool:
        """True when something was seen in the window, or nobody knows when it was."""
        if math.isnan(span.first_s):
            return True
        return span.last_s >= self.from_s and span.first_s <= self.to_s


def iso(seconds: float) -> str | None:
    """UTC epoch seconds as ISO 8601 with milliseconds; None for NaN and what no calendar holds."""
    if not math.isfinite(seconds):
        return None
    stamp = datetime.fromtimestamp(round(seconds, 3), UTC)
    return stamp.strftime("%Y-%m-%dT%H:%M:%S.") + f"{stamp.microsecond // 1000:03d}Z"


def incident(spans: Sequence[Span], asked: Asked = ALL_TIMES) -> Incident:
    """Find the incident among all that was found.

    Without a window asked for it is the densest cascade: clusters of diagnoses are apart when nothing was seen for the
    incident gap of ``rules/analysis.toml``; of those with the gravest diagnosis the one that explains most is taken,
    of equals the last. What is found after it may follow from it and is not left out.
    """
    if asked.since_s is not None or asked.until_s is not None:
        start_s = -math.inf if asked.since_s is None else asked.since_s
        end_s = math.inf if asked.until_s is None else asked.until_s
        return Incident(Window(from_=iso(start_s), to=iso(end_s), why=asked.why), start_s, end_s)
    timed = sorted((s for s in spans if not math.isnan(s.first_s)), key=lambda s: s.first_s)
    clusters = _clusters(timed)
    if len(clusters) < 2:
        return Incident(_window(timed, "everything that was found"))
    chosen = _densest(clusters)
    grave = any(span.severity != "info" for span in timed)
    why = "the densest cascade of faults" if grave else "the last cluster of what was found"
    return Incident(_window(chosen, why), min(span.first_s for span in chosen))


def _window(spans: Sequence[Span], why: str) -> Window:
    first_s = min((s.first_s for s in spans), default=math.nan)
    last_s = max((s.last_s for s in spans), default=math.nan)
    return Window(from_=iso(first_s), to=iso(last_s), why=why)


def _clusters(timed: Sequence[Span]) -> list[list[Span]]:
    clusters: list[list[Span]] = []
    end_s = -math.inf
    gap_s = parameters().incident_gap_s
    for span in timed:
        if span.first_s - end_s > gap_s:
            clusters.append([])
        clusters[-1].append(span)
        end_s = max(end_s, span.last_s)
    return clusters


def _densest(clusters: Sequence[list[Span]]) -> list[Span]:
    for severity in ("critical", "warning", "info"):
        weights = [max((1 + s.explains for s in c if s.severity == severity), default=0) for c in clusters]
        if any(weights):
            return clusters[max(range(len(clusters)), key=lambda place: (weights[place], place))]
    return clusters[-1]
