"""Names of one part that rows state to be the same."""

from __future__ import annotations

from typing import Any

import polars as pl

from analyzer.facts.inventory import Inventory
from analyzer.facts.relations import relate
from analyzer.facts.store import polars_schema, table_schema
from parsers import _gpu

SCHEMA = table_schema(_gpu.GPUS)


def related(*rows: dict[str, Any]) -> Inventory:
    inventory = Inventory()
    frame = pl.DataFrame(list(rows), schema=polars_schema(SCHEMA))
    relate(inventory, {"gpus": frame}, {"gpus": SCHEMA}, {"gpus"})
    return inventory


def test_an_index_is_another_name_of_the_address_on_its_node() -> None:
    inventory = related({"node": "gpu-017", "gpu": "0000:1b:00.0", "label": "GPU 0"})
    same = inventory.canonical("gpu", "GPU 0", "gpu-017") == inventory.canonical("gpu", "0000:1b:00.0", "gpu-017")
    assert same


def test_an_index_that_two_unknown_nodes_share_names_no_part() -> None:
    inventory = related({"gpu": "0000:1b:00.0", "label": "GPU 0"}, {"gpu": "0000:3b:00.0", "label": "GPU 0"})
    assert inventory.canonical("gpu", "0000:1b:00.0") != inventory.canonical("gpu", "0000:3b:00.0")
