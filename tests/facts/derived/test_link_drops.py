"""Links that a node saw go down are told with what came before and after."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from analyzer.pipeline import Options, run

BOOT = "[    0.000000] Linux version 5.15.0-105-generic (builder@build-host) (gcc 11.4.0) #115-Ubuntu SMP\n"


def drops(tmp_path: Path, text: str) -> list[dict[str, Any]]:
    folder = tmp_path / "nodes" / "cn-07"
    folder.mkdir(parents=True)
    (folder / "dmesg.txt").write_text(text)
    return run([str(tmp_path)], Options(anomaly=False)).store.frame("link_drops").to_dicts()


def test_a_short_loss_in_use(tmp_path: Path) -> None:
    (row,) = drops(
        tmp_path,
        BOOT
        + "[   40.100000] mlx5_core 0000:9a:00.0 ib2: Link up\n"
        + "[ 9000.100000] mlx5_core 0000:9a:00.0 ib2: Link down\n"
        + "[ 9041.100000] mlx5_core 0000:9a:00.0 ib2: Link up\n",
    )

    assert (row["adapter"], row["interface"], row["line"]) == ("0000:9a:00.0", "ib2", 3)
    assert (row["down_s"], row["was_up"], row["until_stop_s"]) == (41.0, True, None)
    assert round(row["since_boot_s"]) == 9000


def test_an_unused_port_at_start_was_not_up(tmp_path: Path) -> None:
    (row,) = drops(tmp_path, BOOT + "[   40.100000] mlx5_core 0000:9a:00.1 ens1f1np1: Link down\n")

    assert (row["was_up"], row["down_s"]) == (False, None)


def test_a_stop_follows(tmp_path: Path) -> None:
    (row,) = drops(
        tmp_path,
        "[ 9000.000000] mlx5_core 0000:9a:00.0 ib2: Link down\n[ 9004.000000] reboot: Restarting system\n",
    )

    assert row["until_stop_s"] == 4.0


def test_ports_that_drop_together(tmp_path: Path) -> None:
    rows = drops(
        tmp_path,
        "".join(f"[ 900{n}.000000] mlx5_core 0000:{n}a:00.0 ib{n}: Link down\n" for n in range(3)),
    )

    assert [row["together"] for row in rows] == [2, 2, 2]
