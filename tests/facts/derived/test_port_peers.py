"""``port_peers``: a port beside the like ports of its node and of other nodes."""

from __future__ import annotations

from typing import Any

import polars as pl

from analyzer.facts.derived import port_peers
from analyzer.facts.store import polars_schema, table_schema
from parsers._fabric import IB_PORTS

SCHEMA = polars_schema(table_schema(IB_PORTS))


def port(node: str, ca: str, state: str = "Active", **more: Any) -> dict[str, Any]:
    usual = {
        "source": 0, "segment": 0, "line": 1, "node": node, "ca": ca, "port": 1, "port_id": f"{ca}/1", "state": state,
        "link_layer": "InfiniBand", "ca_type": "MT4123", "role": "hca",
    }  # fmt: skip
    return usual | more


def peers(*rows: dict[str, Any]) -> list[dict[str, Any]]:
    return port_peers.derive({"ib_ports": pl.DataFrame(list(rows), schema=SCHEMA)}).to_dicts()


def test_a_down_port_counts_the_active_ports_of_its_kind_on_its_node() -> None:
    down, *_ = peers(
        port("cn1", "mlx5_0", "Down"), port("cn1", "mlx5_1"), port("cn1", "mlx5_2"),
        port("cn1", "mlx5_3", ca_type="MT4125"),
    )  # fmt: skip
    assert (down["active_peers"], down["down_peers"]) == (2, 0)


def test_the_usual_rate_is_that_of_most_active_peers() -> None:
    slow, *_ = peers(
        port("cn1", "mlx5_0", rate_gbps=50.0), port("cn1", "mlx5_1", rate_gbps=200.0),
        port("cn1", "mlx5_2", rate_gbps=200.0), port("cn1", "mlx5_3", rate_gbps=100.0),
    )  # fmt: skip
    assert slow["rate_usual_gbps"] == 200.0


def test_two_peers_that_differ_have_no_usual_rate() -> None:
    first, *_ = peers(
        port("cn1", "mlx5_0", rate_gbps=50.0), port("cn1", "mlx5_1", rate_gbps=200.0),
        port("cn1", "mlx5_2", rate_gbps=100.0),
    )  # fmt: skip
    assert first["rate_usual_gbps"] is None


def test_ports_of_the_same_name_on_other_nodes_are_counted_apart() -> None:
    first, *_ = peers(
        port("cn1", "mlx5_0", mtu=1024), port("cn2", "mlx5_0", mtu=4096), port("cn3", "mlx5_0", "Down"),
        port("cn2", "mlx5_1", "Initializing"),
    )  # fmt: skip
    assert (first["active_elsewhere"], first["down_elsewhere"], first["stuck_elsewhere"]) == (1, 1, 1)
    assert first["mtu_usual"] == 4096


def test_a_port_printed_by_two_programs_counts_once() -> None:
    first, *_ = peers(port("cn1", "mlx5_0"), port("cn1", "mlx5_1"), port("cn1", "mlx5_1", source=1))
    assert first["active_peers"] == 1


def test_virtual_functions_are_left_out() -> None:
    assert len(peers(port("cn1", "mlx5_0"), port("cn1", "mlx5_4", "Down", role="vf"))) == 1


def test_no_ports_give_an_empty_typed_table() -> None:
    derived = port_peers.derive({"ib_ports": pl.DataFrame(schema=SCHEMA)})
    assert (derived.height, dict(derived.schema)) == (0, polars_schema(table_schema(port_peers.SPEC)))
