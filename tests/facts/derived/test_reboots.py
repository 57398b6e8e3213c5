"""Starts in the middle of a log are told with what announced them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from analyzer.pipeline import Options, run

START = "Mar  2 10:12:55 cn-07 kernel: Linux version 5.15.0-105-generic (builder@build-host) (gcc 11.4.0) #115-Ubuntu\n"
REACHED = "Mar  2 09:58:01 cn-07 systemd[1]: Reached target Multi-User System.\n"


def reboots(tmp_path: Path, text: str) -> list[dict[str, Any]]:
    folder = tmp_path / "nodes" / "cn-07"
    folder.mkdir(parents=True)
    (folder / "messages").write_text(text)
    store = run([str(tmp_path)], Options(anomaly=False)).store
    return store.frame("reboots").to_dicts() if store.has("reboots") else []


def test_nothing_announced_it(tmp_path: Path) -> None:
    unclean = "Mar  2 10:12:59 cn-07 kernel: EXT4-fs (nvme0n1p2): recovery complete\n"
    (row,) = reboots(tmp_path, REACHED + START + unclean)

    assert (row["asked"], row["panicked"], row["watched"], row["unclean_s"]) == (False, False, True, 4.0)


def test_it_was_asked_for(tmp_path: Path) -> None:
    (row,) = reboots(tmp_path, REACHED + "Mar  2 10:10:41 cn-07 systemd-logind[911]: System is rebooting.\n" + START)

    assert row["asked"]


def test_a_panic_came_before(tmp_path: Path) -> None:
    panic = "Mar  2 10:10:41 cn-07 kernel: Kernel panic - not syncing: Fatal exception\n"
    (row,) = reboots(tmp_path, REACHED + panic + START)

    assert row["panicked"]


def test_the_beginning_of_a_log_is_no_reboot(tmp_path: Path) -> None:
    assert reboots(tmp_path, START) == []
