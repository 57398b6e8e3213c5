"""How far clocks are apart, from events that several machines logged."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from analyzer.facts.sightings import CONSENSUS, Sighting
from analyzer.facts.skew import densest, estimate_skews


def seen(one: str, two: str, ahead_s: float, slack_s: float = 1.0, times: int = 3) -> list[Sighting]:
    """Events after which ``two`` is ahead of ``one`` by so much, give or take."""
    return [Sighting(one, two, ahead_s - slack_s, ahead_s + slack_s, "test")] * times


def test_the_difference_lies_where_most_bounds_overlap() -> None:
    assert densest([(0.0, 60.0), (25.0, 70.0), (-10.0, 30.0), (500.0, 510.0)]) == ((25.0, 30.0), 3)


def test_too_few_events_prove_nothing() -> None:
    assert densest([(0.0, 1.0), (0.0, 1.0)]) is None


def test_without_a_majority_nothing_is_claimed() -> None:
    assert densest([(0.0, 1.0)] * 3 + [(50.0, 51.0)] * 3) is None


def test_the_machine_that_differs_from_the_middle_is_wrong() -> None:
    ahead = (("a", 0.2), ("b", -0.1), ("c", 2220.0), ("d", 0.0))
    skews = estimate_skews([event for name, by_s in ahead for event in seen(CONSENSUS, name, by_s)])
    assert {name for name, skew in skews.items() if skew.wrong} == {"c"}
    assert abs(skews["c"].offset_s - 2220.0) <= skews["c"].uncertainty_s


def test_differences_are_chained_over_the_machine_between() -> None:
    skews = estimate_skews([*seen("head", "n1", 0.0), *seen("head", "n2", 0.0), *seen("n2", "n3", 300.0)])
    assert abs(skews["n3"].offset_s - 300.0) <= skews["n3"].uncertainty_s
    assert skews["n3"].uncertainty_s > skews["n2"].high_s - skews["n2"].low_s - 1.0


def test_of_two_machines_the_one_without_a_name_is_believed() -> None:
    skews = estimate_skews(seen("cn01", "slurmctld@logs", -40.0))
    assert (skews["cn01"].offset_s, skews["slurmctld@logs"].offset_s) == (40.0, 0.0)


def test_a_clock_that_may_be_right_is_left_alone() -> None:
    skews = estimate_skews(seen("a", "b", 8.0, slack_s=6.0))
    assert (skews["b"].wrong, skews["b"].offset_s, skews["b"].uncertainty_s) == (False, 0.0, 14.0)


@given(
    st.lists(st.floats(-1e5, 1e5), min_size=5, max_size=9),
    st.lists(st.floats(0.1, 3.9), min_size=3, max_size=6),
)
def test_the_true_offset_lies_within_the_stated_uncertainty(offsets: list[float], lags: list[float]) -> None:
    """Whatever the clocks and the true lags of the events within their bounds."""
    nodes = {f"n{i}": offset for i, offset in enumerate(offsets)}
    events = [Sighting("h@", n, ahead + lag - 4.0, ahead + lag, "t") for n, ahead in nodes.items() for lag in lags]
    skews = estimate_skews(events)
    reference_s = skews["h@"].low_s
    for name, ahead in nodes.items():
        assert skews[name].low_s - reference_s - 1e-6 <= ahead <= skews[name].high_s - reference_s + 1e-6


@given(st.lists(st.tuples(st.floats(-1e6, 1e6), st.floats(-1e6, 1e6)), max_size=12))
def test_any_bounds_give_an_interval_or_nothing(bounds: list[tuple[float, float]]) -> None:
    found = densest([(min(pair), max(pair)) for pair in bounds])
    assert found is None or found[0][0] <= found[0][1]
