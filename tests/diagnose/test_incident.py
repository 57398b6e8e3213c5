"""Which cluster of diagnoses is the incident."""

from __future__ import annotations

import math

from analyzer.diagnose.incident import Span, incident_window, iso

DAY_S = 86_400.0


def test_a_single_cluster_is_the_incident_whole() -> None:
    window, start_s = incident_window(
        [Span(1000.0, 2000.0, "critical"), Span(math.nan, math.nan, "warning")], None, None
    )
    assert (window.from_, start_s) == ("1970-01-01T00:16:40.000Z", -math.inf)


def test_the_last_cluster_with_a_critical_diagnosis_is_the_incident() -> None:
    spans = [Span(0.0, 10.0, "critical"), Span(5 * DAY_S, 5 * DAY_S, "critical"), Span(9 * DAY_S, 9 * DAY_S, "warning")]
    _, start_s = incident_window(spans, None, None)
    assert start_s == 5 * DAY_S


def test_a_window_asked_for_stands() -> None:
    window, start_s = incident_window([Span(0.0, 10.0, "critical")], 100.0, None)
    assert (window.why, start_s) == ("as asked for", 100.0)


def test_unknown_times_have_no_text() -> None:
    assert iso(math.nan) is None
