"""Local time around the change to and from summer time: an hour is skipped, an hour comes twice."""

from __future__ import annotations

import datetime as dt
import itertools
from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from analyzer.sources.zones import offset_at

Seconds = npt.NDArray[np.float64]
Changes = tuple[tuple[float, float], ...]
"""Local seconds from which an offset holds (as the clock showed them before the change), and the offset, in order."""

_DAY_S = 86_400.0
_MOST_DAYS = 800


def changes(zone: dt.tzinfo, first_s: float, last_s: float) -> Changes:
    """The offsets of a zone in a span of local time; one entry where it never changes.

    Args:
        zone: The zone.
        first_s: First local time (epoch seconds read as if the zone were UTC).
        last_s: Last one.
    """
    found = [(-np.inf, offset_at(zone, first_s))]
    days = min(int(max(last_s - first_s, 0.0) // _DAY_S) + 1, _MOST_DAYS)
    for day in range(days):
        low, high = first_s + day * _DAY_S, min(first_s + (day + 1) * _DAY_S, last_s)
        if offset_at(zone, high) != offset_at(zone, low):
            at_s = _moment(zone, low, high)
            found.append((at_s, offset_at(zone, high)))
    return tuple(found)


def stated_changes(stated: Iterable[tuple[float, float]]) -> Changes:
    """The offsets that a log's own lines state one after another; empty where they state one only.

    Args:
        stated: Local second and offset of each such line, in file order.
    """
    found: list[tuple[float, float]] = []
    for local_s, offset_s in stated:
        if not found or found[-1][1] != offset_s:
            found.append((local_s if found else -np.inf, offset_s))
    return tuple(found) if len(found) > 1 else ()


def _moment(zone: dt.tzinfo, low: float, high: float) -> float:
    """Local second at which the offset changes."""
    before = offset_at(zone, low)
    while high - low > 1.0:
        middle = (low + high) // 2
        low, high = (middle, high) if offset_at(zone, middle) == before else (low, middle)
    return high


def offsets(local: Seconds, known: Changes) -> Seconds:
    """Offset of each local time of one log, in file order; in an hour that comes twice the order tells which it is.

    Args:
        local: Shape (n,), local epoch seconds in file order.
        known: The changes.
    """
    starts = np.asarray([at for at, _ in known])
    values = np.asarray([offset for _, offset in known])
    found: Seconds = values[np.maximum(np.searchsorted(starts, local, side="right") - 1, 0)]
    for at, before, after in _repeated(known):
        lost = before - after
        inside = (local >= at - lost) & (local < at)
        back = np.flatnonzero(np.diff(local, prepend=local[:1]) < -lost / 2)
        again = back[(local[back] >= at - lost) & (local[back] < at)] if len(back) else back
        if len(again):
            found[inside & (np.arange(len(local)) >= again[0])] = after
    return found


def in_doubt_s(local: Seconds, known: Changes) -> float:
    """Length of an hour that comes twice, if some times lie in it and their order does not tell which they are."""
    for at, before, after in _repeated(known):
        lost = before - after
        inside = (local >= at - lost) & (local < at)
        if inside.any() and not (np.diff(local[inside]) < -lost / 2).any():
            return lost
    return 0.0


def _repeated(known: Changes) -> list[tuple[float, float, float]]:
    """Changes at which the clock is put back: the moment, the offset before and after."""
    pairs = itertools.pairwise(known)
    return [(at, before, after) for (_, before), (at, after) in pairs if after < before]
