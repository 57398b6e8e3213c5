"""The order of diagnoses: the cause first."""

from __future__ import annotations

import math
from functools import cmp_to_key

import msgspec

from analyzer.rulebook.schema import LAYERS, SEVERITIES, Severity


class Standing(msgspec.Struct, frozen=True):
    """What decides a diagnosis' place.

    Attributes:
        place: Position among the candidates.
        recent: Inside the incident window.
        is_cause: A cause, not a consequence that nothing explains.
        severity: critical, warning or info.
        explains: How many candidates and kinds of rows it explains.
        onset_s: Earliest root time, NaN for snapshots and unknown times.
        uncertainty_s: Half-width of that time, by the machine's own clock.
        machine: Whose clock that was, None if several or unknown.
        doubt_s: How far that clock may be off those of other machines.
        layer: Layer of the cause.
        confidence: 0 to 1.
        slug: Slug of the cause.
    """

    place: int
    recent: bool
    is_cause: bool
    severity: Severity
    explains: int
    onset_s: float
    uncertainty_s: float
    layer: str
    confidence: float
    slug: str
    machine: str | None = None
    doubt_s: float = 0.0


def ranked(standings: list[Standing]) -> list[Standing]:
    """Sort standings, the first cause first; the result does not depend on the order given."""
    stable = sorted(standings, key=lambda s: (s.slug, s.place))
    return sorted(stable, key=cmp_to_key(_compare))


def _compare(one: Standing, two: Standing) -> int:
    first = _key(one)
    second = _key(two)
    if first != second:
        return -1 if first < second else 1
    gap_s = one.onset_s - two.onset_s
    if not math.isnan(gap_s) and abs(gap_s) > _slack_s(one, two):
        return -1 if gap_s < 0 else 1
    rest, other = _rest(one), _rest(two)
    return (rest > other) - (rest < other)


def _slack_s(one: Standing, two: Standing) -> float:
    """How far two onsets must be apart to claim an order; the clock of one machine agrees with itself."""
    own_s = one.uncertainty_s + two.uncertainty_s
    same = one.machine is not None and one.machine == two.machine
    return own_s if same else own_s + one.doubt_s + two.doubt_s


def _key(standing: Standing) -> tuple[bool, bool, int, int]:
    severity = SEVERITIES.index(standing.severity)
    return not standing.recent, not standing.is_cause, severity, -standing.explains


def _rest(standing: Standing) -> tuple[int, float, str, int]:
    return LAYERS.index(standing.layer), -standing.confidence, standing.slug, standing.place
