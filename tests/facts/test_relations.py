"""Rows that name several parts say that these belong together, and which names mean the same part."""

from __future__ import annotations

from typing import Any

import polars as pl

from analyzer.facts.inventory import Inventory
from analyzer.facts.relations import relate
from analyzer.facts.store import Schema, event_schema, polars_schema, table_schema
from analyzer.rulebook.schema import EventSpec, FieldSpec
from analyzer.sources.parameters import parameters
from parsers import _fabric, _gpu
from parsers.cable_schedule import TABLES as SCHEDULE_TABLES

(SCHEDULE,) = (spec for spec in SCHEDULE_TABLES if spec.name == "cable_schedule")
ADDRESS_EVENT = parameters().own_address_events[0]
JOB = EventSpec(
    title="a job starts on a node", lines=("x",), samples=("x",),
    fields={"job": FieldSpec(entity="job"), "host": FieldSpec(type="host", entity="node")},
)  # fmt: skip
ADDRESS = EventSpec(title="an address", lines=("x",), samples=("x",), fields={"address": FieldSpec(type="ip")})
SCHEMAS: dict[str, Schema] = {
    "gpus": table_schema(_gpu.GPUS),
    "ib_ports": table_schema(_fabric.IB_PORTS),
    "ib_links": table_schema(_fabric.IB_LINKS),
    "cable_schedule": table_schema(SCHEDULE),
    "job.start": event_schema(JOB),
    ADDRESS_EVENT: event_schema(ADDRESS),
}

Rows = list[dict[str, Any]]


def related(frames: dict[str, Rows], stating: set[str] | None = None) -> Inventory:
    """An inventory filled from rows; without ``stating`` every frame states relations."""
    inventory = Inventory()
    made = {name: pl.DataFrame(rows, schema=polars_schema(SCHEMAS[name])) for name, rows in frames.items()}
    relate(inventory, made, SCHEMAS, set(frames) if stating is None else stating)
    return inventory


def gpus(*rows: dict[str, Any]) -> Inventory:
    return related({"gpus": list(rows)})


def test_an_index_is_another_name_of_the_address_on_its_node() -> None:
    inventory = gpus({"node": "gpu-017", "gpu": "0000:1b:00.0", "label": "GPU 0"})
    same = inventory.canonical("gpu", "GPU 0", "gpu-017") == inventory.canonical("gpu", "0000:1b:00.0", "gpu-017")
    assert same


def test_an_index_that_two_unknown_nodes_share_names_no_part() -> None:
    inventory = gpus({"gpu": "0000:1b:00.0", "label": "GPU 0"}, {"gpu": "0000:3b:00.0", "label": "GPU 0"})
    assert inventory.canonical("gpu", "0000:1b:00.0") != inventory.canonical("gpu", "0000:3b:00.0")


def test_parts_of_one_row_belong_together() -> None:
    inventory = related({"job.start": [{"node": "head", "job": "7", "host": "cn012"}]})
    assert inventory.related("job", "7", "node") == {"cn012"}


def test_the_node_whose_log_tells_of_another_is_no_part_of_the_row() -> None:
    inventory = related({"job.start": [{"node": "head", "job": "7", "host": "cn012"}]})
    assert "head" not in inventory.related("job", "7", "node")


def test_the_node_whose_log_names_no_other_is() -> None:
    assert related({"job.start": [{"node": "cn012", "job": "7"}]}).related("job", "7", "node") == {"cn012"}


def test_an_event_that_states_no_relation_relates_nothing() -> None:
    inventory = related({"job.start": [{"node": "cn012", "job": "7"}]}, stating=set())
    assert inventory.related("job", "7", "node") == frozenset()


LINK_END = {"port_id": "leaf-02/4", "switch": "leaf-02", "port": 4, "link_id": "cn012 mlx5_0/1 <-> leaf-02/4",
            "peer_port_id": "cn012 mlx5_0/1"}  # fmt: skip


def test_a_link_has_both_of_its_ports() -> None:
    inventory = related({"ib_links": [LINK_END]})
    assert inventory.related("link", "cn012/mlx5_0/1 <-> leaf-02/4", "port") == {"cn012/mlx5_0/1", "leaf-02/4"}


def test_a_port_belongs_to_its_switch() -> None:
    assert related({"ib_links": [LINK_END]}).related("port", "leaf-02/4", "switch") == {"leaf-02"}


def test_a_port_guid_under_two_names_is_one_port() -> None:
    own = {"node": "cn012", "port_id": "mlx5_0/1", "guid_id": "0x1", "role": "hca"}
    far = {"port_id": "cn012 HCA-1/1", "guid_id": "0x1", "host": "cn012"}
    inventory = related({"ib_ports": [own], "ib_links": [far]})
    assert inventory.canonical("port", "mlx5_0/1", "cn012") == inventory.canonical("port", "cn012 HCA-1/1")


def test_the_schedule_names_a_link_that_the_fabric_scan_found() -> None:
    scheduled = {"link": "LK-0212", "port": "leaf-02/4", "hca_node": "cn012", "hca_port": "cn012 mlx5_0"}
    inventory = related({"ib_links": [LINK_END], "cable_schedule": [scheduled]})
    assert inventory.canonical("link", "cn012 mlx5_0/1 <-> leaf-02/4") == "LK-0212"


def test_a_scheduled_cable_carries_its_link() -> None:
    scheduled = {"link": "LK-0212", "port": "leaf-02/4", "cable": "TRUNK-9"}
    assert related({"cable_schedule": [scheduled]}).related("cable", "TRUNK-9", "link") == {"LK-0212"}


def test_an_address_that_one_node_states_as_its_own_names_that_node() -> None:
    inventory = related({ADDRESS_EVENT: [{"node": "cn012", "address": "10.0.0.12"}]})
    assert inventory.canonical("node", "10.0.0.12") == "cn012"


def test_an_address_that_two_nodes_state_names_neither() -> None:
    rows = [{"node": node, "address": "172.17.0.1"} for node in ("cn012", "cn013")]
    assert related({ADDRESS_EVENT: rows}).canonical("node", "172.17.0.1") == "172.17.0.1"
