"""``fabric_slots``: switch ports without a partner, and the host that a regular cabling puts there."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import polars as pl

from analyzer.facts.derived._shape import shaped
from analyzer.model.tables import Column, TableSpec

NEEDS: Final = ("ib_links", "ib_ports")
RELATES: Final = True

SPEC: Final = TableSpec(
    "fabric_slots",
    "A switch port that is down, on a switch whose other ports lead to hosts numbered in step with the ports",
    (
        Column("switch", "str", "switch", "switch"),
        Column("port_id", "str", "port of the switch", "port"),
        Column("state", "str", "logical state"),
        Column("phys_state", "str", "physical state"),
        Column("host", "str", "host that belongs there by its number", "node"),
        Column("host_port_id", "str", "its port", "port"),
        Column("link_id", "str", "the link between the two", "link"),
        Column("in_step", "int", "ports of the switch that lead to the host of their number"),
        Column("hosts", "int", "ports of the switch that lead to any host"),
        Column("gaps", "int", "such ports of the switch without a partner, of whose hosts nothing is known"),
        Column("polls", "bool", "true where the host itself says that its port polls; null if it says nothing"),
    ),
)

_NUMBERED = re.compile(r"(.*?)(\d{1,9})")


class _Step(NamedTuple):
    """How hosts follow the ports of a switch: the host's name, its adapter, and its number minus the port's."""

    prefix: str
    digits: int
    adapter: str
    adapter_port: int
    ahead: int

    def end(self, port: int) -> tuple[str, str, int]:
        """Host, adapter and port that belong to a port of the switch."""
        return f"{self.prefix}{port + self.ahead:0{self.digits}d}", self.adapter, self.adapter_port


class _Rank(NamedTuple):
    """The ports of one switch that keep its commonest step, and how many lead to hosts at all."""

    step: _Step
    in_step: list[int]
    hosts: int


def derive(frames: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Find the step of each switch and apply it to its ports without a partner.

    Args:
        frames: ``ib_links`` and ``ib_ports`` with the place columns.

    Returns:
        One row per port that is down and where a host belongs that is at no other port and whose number lies between
        those of hosts in the fabric, or that says itself that it polls. Where ports of two switches would do, it is
        the switch with fewer hosts.
    """
    links = frames["ib_links"].filter((pl.col("listing") == "full") & pl.col("diff").ne_missing("<"))
    links = links.filter((pl.col("kind") == "switch") & pl.col("switch").is_not_null() & pl.col("port").is_not_null())
    links = links.unique(["switch", "port"], keep="first", maintain_order=True)
    up = links.filter((pl.col("state") != "Down") & pl.col("peer_host").is_not_null())
    ranks = {switch: rank for (switch,), ports in up.group_by("switch") if (rank := _rank(ports))}
    down = links.filter((pl.col("state") == "Down") & pl.col("switch").is_in(list(ranks)))
    slots = _claimed(down, ranks, _Fabric(up, frames["ib_ports"]))
    return shaped(pl.DataFrame(slots, schema={**links.schema, **_ADDED}), SPEC)


_ADDED: Final[dict[str, Any]] = {
    "host": pl.String, "host_port_id": pl.String, "link_id": pl.String, "in_step": pl.Int64, "hosts": pl.Int64,
    "gaps": pl.Int64, "polls": pl.Boolean,
}  # fmt: skip


class _Fabric:
    """What is known of hosts: the ports that are up, the span of numbers, and what hosts say of their own ports."""

    def __init__(self, up: pl.DataFrame, ports: pl.DataFrame) -> None:
        self.up = set(up.select("peer_host", pl.col("peer_hca").fill_null(""), pl.col("peer_port").fill_null(1)).rows())
        self.states = {
            (node, ca, port): phys_state
            for node, ca, port, phys_state in ports.select("node", "ca", "port", "phys_state").iter_rows()
        }
        self._numbers: dict[tuple[str, int], list[int]] = defaultdict(list)
        for host, _, _ in self.up:
            if named := _NUMBERED.fullmatch(host):
                self._numbers[named[1], len(named[2])].append(int(named[2]))

    def lacks(self, end: tuple[str, str, int], step: _Step) -> bool:
        """True when a port of a host should be there and is not."""
        if end in self.up:
            return False
        numbers, number = self._numbers[step.prefix, step.digits], int(end[0][len(step.prefix) :])
        return min(numbers) < number < max(numbers) or self.polls(end) is True

    def polls(self, end: tuple[str, str, int]) -> bool | None:
        """What the host says of its port; None if it says nothing."""
        state = self.states.get(end)
        return None if state is None else state == "Polling"


def _rank(ports: pl.DataFrame) -> _Rank | None:
    """The commonest step of a switch."""
    kept: dict[_Step, list[int]] = defaultdict(list)
    for port, host, adapter, adapter_port in ports.select("port", "peer_host", "peer_hca", "peer_port").iter_rows():
        if named := _NUMBERED.fullmatch(host):
            kept[_Step(named[1], len(named[2]), adapter or "", adapter_port or 1, int(named[2]) - port)].append(port)
    best = max(kept, key=lambda step: (len(kept[step]), step), default=None)
    return None if best is None else _Rank(best, kept[best], ports.height)


def _claimed(down: pl.DataFrame, ranks: Mapping[str, _Rank], fabric: _Fabric) -> list[dict[str, Any]]:
    claims: dict[tuple[str, str, int], list[dict[str, Any]]] = defaultdict(list)
    for row in down.iter_rows(named=True):
        rank = ranks[row["switch"]]
        end = rank.step.end(row["port"])
        if row["port"] + rank.step.ahead >= 0 and fabric.lacks(end, rank.step):
            claims[end].append(row)
    slots = [(end, best) for end, rows in claims.items() if (best := _likeliest(rows, ranks)) is not None]
    gaps = Counter(row["switch"] for end, row in slots if fabric.polls(end) is None)
    return [_slot(row, end, ranks[row["switch"]], gaps[row["switch"]], fabric.polls(end)) for end, row in slots]


def _likeliest(rows: list[dict[str, Any]], ranks: Mapping[str, _Rank]) -> dict[str, Any] | None:
    """The port on the switch with the fewest hosts; None where that does not decide."""
    hosts = sorted(ranks[row["switch"]].hosts for row in rows)
    if len(rows) > 1 and hosts[0] == hosts[1]:
        return None
    return min(rows, key=lambda row: ranks[row["switch"]].hosts)


def _slot(row: dict[str, Any], end: tuple[str, str, int], rank: _Rank, gaps: int, polls: bool | None) -> dict[str, Any]:
    host, adapter, port = end
    host_port = f"{host} {adapter}/{port}" if adapter else f"{host}/{port}"
    return {
        **row, "host": host, "host_port_id": host_port, "link_id": " <-> ".join(sorted((host_port, row["port_id"]))),
        "in_step": len(rank.in_step), "hosts": rank.hosts, "gaps": gaps, "polls": polls,
    }  # fmt: skip
