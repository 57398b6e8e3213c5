"""A regular cabling tells which host belongs to a switch port without a partner."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from analyzer.options import Options
from analyzer.pipeline import run

UP = '   2   {port:2}[  ] ==( 4X        53.125 Gbps Active/  LinkUp)==>  {lid:5}    1[  ] "gpu-{host:03} mlx5_0" ( )'
DOWN = '   2   {port:2}[  ] ==(                Down/{state:>8})==>             [  ] "" ( )'


def switch(number: int, ports: dict[int, int | str]) -> str:
    """A switch with the hosts, or the physical state, of its ports."""
    lines = [f"Switch: 0x02bb00032b290c0{number} MF0;leaf-0{number}:MQM8700/U1:"]
    for port, there in ports.items():
        up = isinstance(there, int)
        lines.append(
            UP.format(port=port, lid=10 * number + port, host=there) if up else DOWN.format(port=port, state=there)
        )
    return "\n".join(lines)


def slots(tmp_path: Path, *switches: str) -> pl.DataFrame:
    (tmp_path / "iblinkinfo.txt").write_text("\n".join(switches) + "\n")
    return run([str(tmp_path)], Options(anomaly=False)).store.frame("fabric_slots")


def test_the_missing_number_belongs_to_the_port_between(tmp_path: Path) -> None:
    (slot,) = slots(tmp_path, switch(1, {1: 1, 2: 2, 3: "Polling", 4: 4})).iter_rows(named=True)

    assert (slot["host"], slot["host_port_id"], slot["in_step"], slot["gaps"]) == ("gpu-003", "gpu-003 mlx5_0/1", 3, 1)


def test_the_first_port_of_a_switch_belongs_to_the_number_before(tmp_path: Path) -> None:
    first, second = switch(1, {1: 1, 2: 2, 3: 3, 4: "Polling"}), switch(2, {1: "Polling", 2: 5, 3: 6})

    (slot,) = slots(tmp_path, first, second).iter_rows(named=True)

    assert (slot["switch"], slot["host"]) == ("leaf-02", "gpu-004")


def test_a_host_that_is_up_elsewhere_is_missing_nowhere(tmp_path: Path) -> None:
    assert slots(tmp_path, switch(1, {1: 1, 2: "Polling", 3: 3}), switch(2, {7: 2})).is_empty()


def test_a_host_whose_port_waits_for_a_subnet_manager_is_not_missing(tmp_path: Path) -> None:
    waiting = switch(2, {7: 2}).replace("Active", "  Init")

    assert slots(tmp_path, switch(1, {1: 1, 2: "Polling", 3: 3}), waiting).is_empty()


def test_ports_beyond_the_last_host_are_no_slots(tmp_path: Path) -> None:
    assert slots(tmp_path, switch(1, {1: 1, 2: 2, 3: 3, 4: "Polling", 5: "Polling"})).is_empty()


def test_where_two_switches_would_do_alike_nobody_is_named(tmp_path: Path) -> None:
    first, second = switch(1, {1: 1, 2: 2, 3: "Polling"}), switch(2, {1: "Polling", 2: 4, 3: 5})

    assert slots(tmp_path, first, second).is_empty()
