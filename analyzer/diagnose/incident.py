"""The incident window: which of the diagnoses belong to what was asked about, and which lie before it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import UTC, datetime

import msgspec

from analyzer.model.analysis import Window
from analyzer.sources.parameters import parameters


class Span(msgspec.Struct, frozen=True):
    """When a candidate and all it explains were seen, NaN if no time is known."""

    first_s: float
    last_s: float
    severity: str


def iso(seconds: float) -> str | None:
    """UTC epoch seconds as ISO 8601 with milliseconds; None for NaN."""
    if math.isnan(seconds):
        return None
    stamp = datetime.fromtimestamp(round(seconds, 3), UTC)
    return stamp.strftime("%Y-%m-%dT%H:%M:%S.") + f"{stamp.microsecond // 1000:03d}Z"


def incident_window(spans: Sequence[Span], since_s: float | None, until_s: float | None) -> tuple[Window, float]:
    """The window, and its beginning in epoch seconds (minus infinity when everything belongs to it).

    Without options it is the last cluster of diagnoses that holds a critical one (else a warning, else any): clusters
    are apart when nothing was seen for the incident gap of ``rules/analysis.toml``.
    """
    if since_s is not None or until_s is not None:
        start, end = since_s or math.nan, until_s or math.nan
        return Window(from_=iso(start), to=iso(end), why="as asked for"), since_s or -math.inf
    timed = sorted((s for s in spans if not math.isnan(s.first_s)), key=lambda s: s.first_s)
    clusters = _clusters(timed)
    if len(clusters) < 2:
        first = min((s.first_s for s in timed), default=math.nan)
        last = max((s.last_s for s in timed), default=math.nan)
        return Window(from_=iso(first), to=iso(last), why="everything that was found"), -math.inf
    chosen = _last_grave(clusters)
    first, last = min(s.first_s for s in chosen), max(s.last_s for s in chosen)
    return Window(from_=iso(first), to=iso(last), why="the last cluster of faults"), first


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


def _last_grave(clusters: Sequence[list[Span]]) -> list[Span]:
    for severity in ("critical", "warning", "info"):
        grave = [cluster for cluster in clusters if any(span.severity == severity for span in cluster)]
        if grave:
            return grave[-1]
    return clusters[-1]
