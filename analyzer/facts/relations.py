"""Fills the inventory from the frames: rows that name several parts say that these belong together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any

import polars as pl

from analyzer.facts.inventory import LEVELS, Inventory
from analyzer.facts.store import Schema
from analyzer.sources.parameters import parameters

_LINK_TABLES = ("ib_links", "ib_ports", "cable_schedule")
_MOST_ROWS = 200_000
"""Rows of one frame that are read for relations."""


def relate(
    inventory: Inventory, frames: Mapping[str, pl.DataFrame], schemas: Mapping[str, Schema], stating: set[str]
) -> None:
    """Add aliases and relations.

    Args:
        inventory: Is filled in.
        frames: All frames with rows.
        schemas: What their columns mean.
        stating: Events whose rows state which parts belong together; all tables do.
    """
    for name, add in (("ib_ports", _own_port), ("ib_links", _link_end), ("cable_schedule", _scheduled)):
        for row in _rows(frames, name):
            add(inventory, row)
    _addresses(inventory, frames)
    for name, frame in frames.items():
        if name in stating and name not in _LINK_TABLES:
            _generic(inventory, frame, schemas[name])


def _addresses(inventory: Inventory, frames: Mapping[str, pl.DataFrame]) -> None:
    """An address that one node alone states as its own is another name of that node."""
    for event in parameters().own_address_events:
        frame = frames.get(event)
        if frame is None:
            continue
        own = frame.select("node", "address").drop_nulls().unique().sort("address", "node")
        for node, address in own.filter(pl.col("node").n_unique().over("address") == 1).iter_rows():
            inventory.alias("node", inventory.canonical("node", node), address)


def _rows(frames: Mapping[str, pl.DataFrame], name: str) -> Iterable[dict[str, Any]]:
    frame = frames.get(name)
    return frame.head(_MOST_ROWS).iter_rows(named=True) if frame is not None else ()


def _own_port(inventory: Inventory, row: dict[str, Any]) -> None:
    if not row["port_id"]:
        return
    port = inventory.canonical("port", row["port_id"], row["node"])
    guid = row["guid_id"]
    if guid and row["role"] != "switch":
        _bind_guid(inventory, guid, port)
    if row["node"]:
        inventory.relate("port", port, "node", row["node"])


def _bind_guid(inventory: Inventory, guid: str, port: str) -> None:
    """A port GUID under two port names (``mlx5_0`` here, ``HCA-1`` there) makes them one port."""
    for known in inventory.related("guid", guid, "port"):
        inventory.alias("port", port, known)
    inventory.relate("guid", guid, "port", port)
    inventory.spell("port", port, guid)


def _link_end(inventory: Inventory, row: dict[str, Any]) -> None:
    if not row["port_id"]:
        return
    port = inventory.canonical("port", row["port_id"])
    inventory.spell("port", port, row["port_id"])
    if row["switch"]:
        inventory.relate("port", port, "switch", row["switch"])
        if row["guid_id"]:
            inventory.spell("port", port, f"{row['guid_id']}/{row['port']}")
    elif row["guid_id"]:
        _bind_guid(inventory, row["guid_id"], port)
    if row["host"]:
        inventory.relate("port", port, "node", inventory.canonical("node", row["host"]))
    if row["link_id"]:
        _join(inventory, inventory.canonical("link", row["link_id"]), port, row["peer_port_id"])


def _join(inventory: Inventory, link: str, port: str, peer: str | None) -> None:
    inventory.relate("link", link, "port", port)
    if peer:
        inventory.relate("link", link, "port", inventory.canonical("port", peer))


def _scheduled(inventory: Inventory, row: dict[str, Any]) -> None:
    link = row["link"]
    if not link:
        return
    for column in ("port", "hca_port"):
        if row[column]:
            port = inventory.canonical("port", row[column])
            for known in inventory.related("port", port, "link"):
                inventory.alias("link", link, known)
            inventory.relate("link", link, "port", port)
    if row["port"] and row["switch"]:
        inventory.relate("port", inventory.canonical("port", row["port"]), "switch", row["switch"])
    if row["hca_port"] and row["hca_node"]:
        node = inventory.canonical("node", row["hca_node"])
        inventory.relate("port", inventory.canonical("port", row["hca_port"]), "node", node)
    if row["cable"]:
        inventory.relate("link", link, "cable", row["cable"])


def _generic(inventory: Inventory, frame: pl.DataFrame, schema: Schema) -> None:
    columns = [name for name, info in schema.items() if info.entity in LEVELS and info.entity]
    if len(columns) < 2:
        return
    unsure = _unsure(frame, schema)
    for row in frame.select(columns).unique().head(_MOST_ROWS).iter_rows(named=True):
        nodes = _node_columns(row)
        named = {
            (schema[name].entity, inventory.canonical(schema[name].entity, str(value), row["node"]))
            for name in columns
            for value in _values(row[name])
            if schema[name].entity != "node" or name in nodes
        }
        _name_alike(inventory, row, schema, unsure)
        for (kind, part), (other_kind, other) in combinations(sorted(named), 2):
            if kind != other_kind:
                inventory.relate(kind, part, other_kind, other)


def _node_columns(row: dict[str, Any]) -> tuple[str, ...]:
    """The columns that say where the parts of a row are; without one it is the node whose log holds the row."""
    stated = tuple(name for name in ("nodes", "host") if row.get(name))
    return stated or ("node",)


def _unsure(frame: pl.DataFrame, schema: Schema) -> set[tuple[str, str]]:
    """Columns and names that stand for several parts on unknown nodes: they come from several nodes."""
    unsure: set[tuple[str, str]] = set()
    homeless = frame.filter(pl.col("node").is_null())
    for name, info in schema.items():
        if not info.same_as or homeless.is_empty():
            continue
        pairs = homeless.select(info.same_as, name).drop_nulls().unique()
        for column, other in ((name, info.same_as), (info.same_as, name)):
            several = pairs.group_by(column).agg(pl.col(other).n_unique().alias("_parts")).filter(pl.col("_parts") > 1)
            unsure.update((column, str(value)) for value in several[column])
    return unsure


def _name_alike(inventory: Inventory, row: dict[str, Any], schema: Schema, unsure: set[tuple[str, str]]) -> None:
    """Columns that name one part make their names aliases, but for names that several unknown nodes share."""
    for name, info in schema.items():
        first = row.get(info.same_as)
        if row["node"] is None and unsure & {(info.same_as, str(first)), (name, str(row.get(name)))}:
            continue
        if info.same_as and first and row.get(name):
            kind, node = info.entity, row["node"]
            inventory.alias(
                kind, inventory.canonical(kind, str(first), node), inventory.canonical(kind, str(row[name]), node)
            )


def _values(value: Any) -> list[Any]:
    values = value if isinstance(value, list) else [value]
    return [item for item in values if item not in (None, "")]
