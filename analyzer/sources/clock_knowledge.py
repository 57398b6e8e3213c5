"""What is known of clocks: lines that state a time, events that several machines log (``rules/clocks.toml``)."""

from __future__ import annotations

import functools
from typing import Literal

import msgspec

from analyzer.rules_folder import table


class StatementPattern(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line that states the true time, the zone, or that the clock was set; see the comments in the file."""

    name: str
    families: frozenset[str]
    regex: str
    in_zone: Literal["utc", "local"]
    uncertainty_s: float
    source: str


class Side(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One of the two events of a pair.

    Attributes:
        event: Name of the event.
        key: Columns that must be equal on both sides.
        peer: Column that names the machine of the other side, None if nothing does.
        where: Condition on its rows.
    """

    event: str
    key: tuple[str, ...]
    peer: str | None = None
    where: str | None = None


class Pair(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Two events on two machines, the second so many seconds after the first."""

    name: str
    one: Side
    two: Side
    lag_s: tuple[float, float]
    source: str


class Shared(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One event that several machines see within so many seconds of one another."""

    name: str
    event: str
    key: tuple[str, ...]
    apart_s: float
    source: str


class ClockKnowledge(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of ``rules/clocks.toml``."""

    statement: tuple[StatementPattern, ...]
    pair: tuple[Pair, ...] = ()
    shared: tuple[Shared, ...] = ()


@functools.cache
def clock_knowledge() -> ClockKnowledge:
    """The shipped knowledge."""
    return table("clocks.toml", ClockKnowledge)
