"""UTC times of one segment: each stamp by the clock of its kind, unstamped lines between their neighbours."""

from __future__ import annotations

import bisect
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from analyzer.facts.heads import LogHeads
from analyzer.model.sources import Segment
from analyzer.model.stamps import Prefix, StampKind
from analyzer.sources.clocks import Clock, to_utc
from analyzer.sources.parameters import parameters

Clocks = Mapping[StampKind, Clock]
NodeName = Callable[[str], str]


class Placed(NamedTuple):
    """Where and when one line belongs.

    Attributes:
        segment: Index of its segment.
        node: Canonical node, None if unattributed.
        time_us: UTC time in microseconds, None if unknown.
        uncertainty_s: Half-width of the time's interval.
        clock: Name of the clock that ``clock_s`` counts on.
        clock_s: Seconds on that clock.
    """

    segment: int
    node: str | None
    time_us: int | None
    uncertainty_s: float | None
    clock: str | None
    clock_s: float | None


def place(
    log: LogHeads, segment: Segment, numbers: Sequence[int], clocks: Clocks, node_name: NodeName
) -> dict[int, Placed]:
    """Place lines of one segment.

    Args:
        log: Heads of the source's lines.
        segment: The segment.
        numbers: Line numbers inside it, ascending.
        clocks: Its clock per kind of stamp.
        node_name: Canonical name of a node.
    """
    placed: dict[int, Placed] = {}
    for kind, clock in clocks.items():
        stamped = [n for n in numbers if (stamp := log.stamp(n)) is not None and stamp.kind is kind]
        placed |= _stamped(log, segment, stamped, clock, node_name)
    rest = [n for n in numbers if n not in placed]
    return placed | _between(log, segment, rest, placed, node_name)


def _stamped(
    log: LogHeads, segment: Segment, numbers: Sequence[int], clock: Clock, node_name: NodeName
) -> dict[int, Placed]:
    if not numbers:
        return {}
    source = log.reading.source.index
    raw = np.asarray([stamp.seconds for n in numbers if (stamp := log.stamp(n)) is not None])
    placed: dict[int, Placed] = {}
    for number, raw_s, time_s in zip(numbers, raw.tolist(), to_utc(raw, clock).tolist(), strict=True):
        node = _node(log.lines[number], segment, node_name)
        uptime = clock.kind is StampKind.UPTIME
        name = f"{node or source}/{segment.boot}" if uptime else f"{source}/{segment.index}/{clock.kind}"
        known = time_s == time_s  # noqa: PLR0124 - not NaN
        time_us = round(time_s * 1e6) if known else None
        uncertainty_s = clock.uncertainty_s if known else None
        placed[number] = Placed(segment.index, node, time_us, uncertainty_s, name, raw_s)
    return placed


def _between(
    log: LogHeads, segment: Segment, numbers: Sequence[int], stamped: Mapping[int, Placed], node_name: NodeName
) -> dict[int, Placed]:
    """Lines without a stamp lie between the stamped lines before and after them, as far as these are in order."""
    timed = sorted(number for number, placed in stamped.items() if placed.time_us is not None)
    found: dict[int, Placed] = {}
    for number in numbers:
        node = _node(log.lines[number], segment, node_name)
        at = bisect.bisect(timed, number)
        before = stamped[timed[at - 1]] if at else None
        after = stamped[timed[at]] if at < len(timed) else None
        middle_us, half_s = _middle(before, after)
        found[number] = Placed(segment.index, node, middle_us, half_s, None, None)
    return found


def _middle(before: Placed | None, after: Placed | None) -> tuple[int | None, float | None]:
    """Middle and half-width of the interval between two neighbours, as wide as assumed where one is missing."""
    if before is None or after is None:
        near = before or after
        return (None, None) if near is None else (near.time_us, parameters().unstamped_line_s)
    first_us, last_us = before.time_us or 0, after.time_us or 0
    if last_us < first_us:
        return None, None
    slack_s = max(before.uncertainty_s or 0.0, after.uncertainty_s or 0.0)
    return (first_us + last_us) // 2, (last_us - first_us) / 2e6 + slack_s


def _node(prefix: Prefix | None, segment: Segment, node_name: NodeName) -> str | None:
    host = prefix.host if prefix else None
    return node_name(host) if host and host.lower() != "localhost" else segment.node
