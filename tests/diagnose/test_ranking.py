"""The order of diagnoses."""

from __future__ import annotations

import math
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from analyzer.diagnose.ranking import Standing, ranked
from analyzer.rulebook.schema import LAYERS, SEVERITIES


def standing(slug: str, **changes: Any) -> Standing:
    """A critical host cause of unknown time."""
    values: dict[str, Any] = {
        "place": 0, "recent": True, "is_cause": True, "severity": "critical", "explains": 0, "onset_s": math.nan,
        "uncertainty_s": 0.0, "layer": "host", "confidence": 0.8,
    }  # fmt: skip
    return Standing(slug=slug, **(values | changes))


def order(*standings: Standing) -> list[str]:
    return [s.slug for s in ranked(list(standings))]


def test_inside_the_incident_window_comes_first() -> None:
    assert order(standing("old", recent=False), standing("new", severity="warning")) == ["new", "old"]


def test_a_cause_stands_before_a_consequence_that_nothing_explains() -> None:
    assert order(standing("consequence", is_cause=False), standing("cause", severity="warning"))[0] == "cause"


def test_what_explains_more_stands_first() -> None:
    assert order(standing("alone"), standing("mother", explains=3)) == ["mother", "alone"]


def test_the_earlier_of_two_certain_times_stands_first() -> None:
    assert order(standing("late", onset_s=200.0, layer="power"), standing("early", onset_s=100.0))[0] == "early"


def test_times_inside_their_uncertainty_claim_no_order() -> None:
    late = standing("physical", onset_s=101.0, uncertainty_s=1.0, layer="fibre")
    assert order(standing("logical", onset_s=100.0, uncertainty_s=1.0), late)[0] == "physical"


def test_snapshots_are_ordered_by_layer_not_time() -> None:
    assert order(standing("host", onset_s=100.0), standing("fibre", layer="fibre"))[0] == "fibre"


_STANDING = st.builds(
    standing, st.sampled_from("abc"), place=st.integers(0, 9), severity=st.sampled_from(SEVERITIES),
    layer=st.sampled_from(LAYERS), explains=st.integers(0, 2), confidence=st.sampled_from((0.5, 0.9)),
)  # fmt: skip


@given(st.lists(_STANDING, unique_by=lambda s: (s.slug, s.place)), st.randoms())
def test_without_times_the_order_given_does_not_matter(standings: list[Standing], random: Any) -> None:
    shuffled = list(standings)
    random.shuffle(shuffled)
    assert ranked(standings) == ranked(shuffled)
