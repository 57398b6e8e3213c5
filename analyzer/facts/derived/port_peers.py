"""``port_peers``: each adapter port beside the like ports of its node and of other nodes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeVar

import polars as pl

from analyzer.facts.derived._shape import shaped
from analyzer.model.tables import Column, TableSpec

NEEDS: Final = ("ib_ports",)

_TAKEN: Final = (
    "ca", "port", "port_id", "guid_id", "lid", "sm_lid", "state", "phys_state", "rate_gbps", "width", "mtu",
    "link_layer", "ca_type",
)  # fmt: skip

SPEC: Final = TableSpec(
    "port_peers",
    "A port of an adapter (no virtual function) beside the ports of the same adapter type and link layer",
    (
        Column("ca", "str", "adapter, e.g. mlx5_0", "nic"),
        Column("port", "int", "port number"),
        Column("port_id", "str", "<node description>/<port>", "port"),
        Column("guid_id", "str", "port GUID", "guid"),
        Column("lid", "int", "LID"),
        Column("sm_lid", "int", "LID of the subnet manager"),
        Column("state", "str", "logical state"),
        Column("phys_state", "str", "physical state"),
        Column("rate_gbps", "float", "rate of the whole link"),
        Column("width", "int", "active lanes, where printed"),
        Column("mtu", "int", "active MTU in bytes"),
        Column("link_layer", "str", "InfiniBand or Ethernet"),
        Column("ca_type", "str", "adapter type"),
        Column("active_peers", "int", "like ports of the same node that are Active"),
        Column("down_peers", "int", "like ports of the same node that are Down"),
        Column("rate_usual_gbps", "float", "rate of more than half of those active peers"),
        Column("width_usual", "int", "width of more than half of those active peers"),
        Column("active_elsewhere", "int", "ports of the same name and layer on other nodes that are Active"),
        Column("down_elsewhere", "int", "ports of the same name and layer on other nodes that are Down"),
        Column("stuck_elsewhere", "int", "InfiniBand ports of other nodes, any name, that are Initializing"),
        Column("polling_elsewhere", "int", "InfiniBand ports of other nodes, any name, that are Down and poll"),
        Column("mtu_usual", "int", "MTU of more than half of the active ports of the same name and layer elsewhere"),
    ),
)

_Value = TypeVar("_Value", int, float)
_Row = dict[str, Any]


def derive(frames: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Compare each port with its peers.

    Args:
        frames: ``ib_ports`` with the place columns.

    Returns:
        One row per row of ``ib_ports`` that is no virtual function and no switch port. Ports printed by several
        programs count once, the first print of them.
    """
    ports = frames["ib_ports"].filter(pl.col("role").is_null() | (pl.col("role") == "hca"))
    rows = list(ports.select("node", *_TAKEN).iter_rows(named=True))
    distinct = list({(row["node"], row["ca"], row["port"]): row for row in reversed(rows)}.values())
    siblings, namesakes = _grouped(distinct, _sibling_key), _grouped(distinct, _namesake_key)
    stuck = Counter(row["node"] for row in distinct if row["state"] == "Initializing" and _is_infiniband(row))
    polling = Counter(row["node"] for row in distinct if row["phys_state"] == "Polling" and _is_infiniband(row))
    far = {"stuck_elsewhere": stuck, "polling_elsewhere": polling}
    compared = [
        _near(row, siblings[_sibling_key(row)])
        | _far(row, namesakes[_namesake_key(row)])
        | {name: count.total() - count[row["node"]] for name, count in far.items()}
        for row in rows
    ]
    if not compared:
        return shaped(ports.clear(), SPEC)
    return shaped(pl.concat([ports, pl.DataFrame(compared, infer_schema_length=None)], how="horizontal"), SPEC)


def _is_infiniband(row: _Row) -> bool:
    return row["link_layer"] in ("InfiniBand", None)


def _sibling_key(row: _Row) -> tuple[str | None, ...]:
    return row["node"], row["link_layer"], row["ca_type"]


def _namesake_key(row: _Row) -> tuple[str | int | None, ...]:
    return row["ca"], row["port"], row["link_layer"]


def _grouped(rows: Iterable[_Row], key: Any) -> dict[tuple[Any, ...], list[_Row]]:
    groups: dict[tuple[Any, ...], list[_Row]] = defaultdict(list)
    for row in rows:
        groups[key(row)].append(row)
    return groups


def _near(row: _Row, group: Iterable[_Row]) -> _Row:
    others = [other for other in group if (other["ca"], other["port"]) != (row["ca"], row["port"])]
    active = [other for other in others if other["state"] == "Active"]
    return {
        "active_peers": len(active),
        "down_peers": sum(other["state"] == "Down" for other in others),
        "rate_usual_gbps": _usual(other["rate_gbps"] for other in active),
        "width_usual": _usual(other["width"] for other in active),
    }


def _far(row: _Row, group: Iterable[_Row]) -> _Row:
    others = [other for other in group if other["node"] != row["node"]]
    active = [other for other in others if other["state"] == "Active"]
    return {
        "active_elsewhere": len(active),
        "down_elsewhere": sum(other["state"] == "Down" for other in others),
        "mtu_usual": _usual(other["mtu"] for other in active),
    }


def _usual(values: Iterable[_Value | None]) -> _Value | None:
    counts = Counter(value for value in values if value is not None)
    if not counts:
        return None
    value, count = counts.most_common(1)[0]
    return value if 2 * count > counts.total() else None
