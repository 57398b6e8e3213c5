"""What ends a fault, and what shows that it holds (``rules/recoveries.toml``)."""

from __future__ import annotations

import functools

import msgspec

from analyzer.rules_folder import table


class Ending(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An event that ends faults of some layers on one part.

    Attributes:
        event: Name of the event.
        kind: Kind of the part.
        column: Column that names it.
        layers: Layers of causes that it ends.
        where: Which rows of the event.
    """

    event: str
    kind: str
    column: str
    layers: frozenset[str]
    where: str | None = None


class Recovery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A snapshot whose rows show that a part is out of service."""

    table: str
    kind: str
    column: str
    where: str
    layers: frozenset[str]


class Recoveries(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of ``rules/recoveries.toml``."""

    ending: tuple[Ending, ...]
    out_of_service: tuple[Recovery, ...]


@functools.cache
def recoveries() -> Recoveries:
    """The shipped list."""
    return table("recoveries.toml", Recoveries)
