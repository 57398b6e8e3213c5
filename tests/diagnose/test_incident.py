"""Which of the things found are the incident."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from analyzer.diagnose.incident import Asked, Span, incident, iso

DAY_S = 86_400.0


def test_a_single_cluster_is_the_incident_whole() -> None:
    found = incident([Span(1000.0, 2000.0, "critical"), Span(math.nan, math.nan, "warning")])
    assert (found.window.from_, found.window.why) == ("1970-01-01T00:16:40.000Z", "everything that was found")
    assert found.holds(Span(-1e9, -1e9, "info"))


def test_the_cascade_that_explains_most_is_the_incident() -> None:
    old, cascade = Span(0.0, 10.0, "critical"), Span(5 * DAY_S, 5 * DAY_S + 60.0, "critical", explains=4)
    later = Span(9 * DAY_S, 9 * DAY_S, "critical", explains=1)
    found = incident([old, cascade, later])
    assert [found.holds(span) for span in (old, cascade, later)] == [False, True, True]
    assert found.window.why == "the densest cascade of faults"


def test_of_equal_cascades_the_last_is_the_incident() -> None:
    spans = [Span(0.0, 10.0, "critical"), Span(5 * DAY_S, 5 * DAY_S, "critical"), Span(9 * DAY_S, 9 * DAY_S, "warning")]
    assert incident(spans).from_s == 5 * DAY_S


def test_a_warning_long_after_the_last_critical_fault_is_another_incident() -> None:
    found = incident([Span(0.0, 10.0, "critical"), Span(3 * DAY_S, 3 * DAY_S, "warning", explains=9)])
    assert found.window.to == "1970-01-01T00:00:10.000Z"


def test_a_window_asked_for_stands() -> None:
    found = incident([Span(0.0, 10.0, "critical")], Asked(since_s=100.0))
    assert (found.window.why, found.from_s, found.to_s) == ("as asked for", 100.0, math.inf)


def test_what_begins_after_the_end_asked_for_is_outside() -> None:
    found = incident([], Asked(since_s=100.0, until_s=200.0))
    assert [found.holds(Span(at, at + 50.0, "critical")) for at in (0.0, 60.0, 190.0, 201.0)] == [
        False, True, True, False,
    ]  # fmt: skip


def test_what_nobody_knows_the_time_of_is_never_left_out() -> None:
    assert incident([], Asked(since_s=100.0)).holds(Span(math.nan, math.nan, "warning"))


def test_unknown_times_have_no_text() -> None:
    assert iso(math.nan) is None


_SPANS = st.lists(
    st.builds(
        lambda at, long, severity, explains: Span(at, at + long, severity, explains),
        st.floats(0, 60 * DAY_S), st.floats(0, DAY_S), st.sampled_from(("critical", "warning", "info")),
        st.integers(0, 5),
    ),
    min_size=1, max_size=8,
)  # fmt: skip


@given(_SPANS)
def test_the_incident_holds_something_of_the_gravest_kind(spans: list[Span]) -> None:
    order = ("critical", "warning", "info")
    gravest = min(spans, key=lambda span: order.index(span.severity)).severity
    found = incident(spans)
    assert any(found.holds(span) and span.severity == gravest for span in spans)
