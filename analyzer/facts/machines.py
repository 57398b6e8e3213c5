"""Whose clock a row's time was read from: that of a node, or of the unnamed machine that wrote a log."""

from __future__ import annotations

from collections.abc import Iterable

from analyzer.model.sources import Source

ASSUMED = "~"
"""Ends the name of a machine's local times whose zone was assumed: they may lie hours from its other times."""

UNNAMED = "@"
"""Stands in the name of a machine that no log names, between the program and the folder of its logs."""


class Machines:
    """Names of the clocks behind rows."""

    def __init__(self, sources: Iterable[Source], zone_assumed: Iterable[int] = ()) -> None:
        """Prepare the names.

        Args:
            sources: Every input.
            zone_assumed: Indices of those whose zone was assumed.
        """
        self._unnamed = {source.index: f"{source.format}{UNNAMED}{_folder(source.path)}" for source in sources}
        self._assumed = frozenset(zone_assumed)

    def of(self, source: int, node: str | None) -> str:
        """Name of the clock that a row of a source was stamped by."""
        name = node or self._unnamed[source]
        return name + ASSUMED if source in self._assumed else name


def shown(machine: str) -> str:
    """A machine's name for people."""
    name = machine.removesuffix(ASSUMED)
    program, at, folder = name.partition(UNNAMED)
    return name if not at else f"the host of {program}" + (f" in {folder}" if folder else "")


def _folder(path: str) -> str:
    return path.rsplit("/", 1)[0] if "/" in path else ""
