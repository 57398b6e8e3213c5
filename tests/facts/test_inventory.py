"""The inventory joins names of one part and follows relations one way."""

from __future__ import annotations

from typing import get_args

import pytest

from analyzer.facts.inventory import LEVELS, NODE_LOCAL, Inventory
from analyzer.rulebook.schema import EntityKind


@pytest.fixture
def fabric() -> Inventory:
    """Two hosts on one switch; a fibre on the link of the first."""
    inventory = Inventory()
    for node, port in (("cn011", "leaf-02/3"), ("cn012", "leaf-02/4")):
        host_port = inventory.canonical("port", f"{node} mlx5_0/1")
        link = inventory.canonical("link", f"{node} mlx5_0/1 <-> MF0;leaf-02:MQM8700/U1/{port[-1]}")
        inventory.relate("link", link, "port", host_port)
        inventory.relate("link", link, "port", port)
        inventory.relate("port", host_port, "node", node)
        inventory.relate("port", port, "switch", "leaf-02")
    inventory.alias("link", "LK-0212", inventory.canonical("link", "leaf-02/4 <-> cn012/mlx5_0/1"))
    inventory.relate("fibre", "LK-0212-F03", "link", "LK-0212")
    return inventory


def test_a_fibre_leads_to_the_node_at_its_end_only(fabric: Inventory) -> None:
    assert fabric.related("fibre", "LK-0212-F03", "node") == {"cn012"}


def test_a_node_leads_down_to_its_own_link_only(fabric: Inventory) -> None:
    assert fabric.related("node", "cn012", "link") == {"LK-0212"}


def test_two_nodes_of_one_switch_are_not_related_by_it(fabric: Inventory) -> None:
    assert fabric.related("node", "cn011", "fibre") == frozenset()


def test_an_alias_keeps_the_first_name_and_all_spellings(fabric: Inventory) -> None:
    assert fabric.spellings("link", "LK-0212") == ["LK-0212", "cn012/mlx5_0/1 <-> leaf-02/4"]


def test_relations_made_before_an_alias_survive_it(fabric: Inventory) -> None:
    assert fabric.related("link", "cn012/mlx5_0/1 <-> leaf-02/4", "port") == {"cn012/mlx5_0/1", "leaf-02/4"}


def test_a_part_is_related_to_itself() -> None:
    assert Inventory().related("node", "cn001", "node") == {"cn001"}


def test_one_address_on_two_nodes_is_two_parts() -> None:
    inventory = Inventory()
    one, two = (inventory.canonical("gpu", "0000:3b:00.0", node) for node in ("cn001", "cn002"))
    assert one != two


def test_a_node_local_part_is_shown_as_printed() -> None:
    inventory = Inventory()
    assert inventory.spellings("gpu", inventory.canonical("gpu", "0000:3b:00.0", "cn001")) == ["0000:3b:00.0"]


def test_every_kind_of_part_has_a_level() -> None:
    assert set(get_args(EntityKind)) <= set(LEVELS)


def test_parts_that_repeat_on_every_node_are_below_it() -> None:
    assert all(LEVELS[kind] < LEVELS["node"] for kind in NODE_LOCAL)
