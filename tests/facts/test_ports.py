"""One port has one name, however a tool, schedule or log spells it."""

from __future__ import annotations

import pytest

from analyzer.facts.ports import link_name, port_name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("cn012 mlx5_0/1", "cn012/mlx5_0/1"),
        ("cn012:mlx5_0", "cn012/mlx5_0/1"),
        ("cn012/mlx5_0", "cn012/mlx5_0/1"),
        ("CN012.cluster.example mlx5_bond_0/2", "cn012/mlx5_bond_0/2"),
        ("cn012 HCA-1/1", "cn012/HCA-1/1"),
        ("MF0;leaf-02:MQM8700/U1/4", "leaf-02/4"),
        ("leaf-02/4", "leaf-02/4"),
        ("leaf-02 port 4", "leaf-02/4"),
        ("leaf02:9", "leaf02/9"),
        ("something else", "something else"),
    ],
)
def test_port_spellings(text: str, name: str) -> None:
    assert port_name(text) == name


def test_a_device_takes_the_node_it_was_read_on() -> None:
    assert port_name("mlx5_2/1", "gpu-b02") == "gpu-b02/mlx5_2/1"


def test_a_link_is_named_alike_from_both_ends() -> None:
    one = link_name("cn012 mlx5_0/1 <-> MF0;leaf-02:MQM8700/U1/4")
    assert one == link_name("MF0;leaf-02:MQM8700/U1/4 <-> cn012 mlx5_0/1") == "cn012/mlx5_0/1 <-> leaf-02/4"
