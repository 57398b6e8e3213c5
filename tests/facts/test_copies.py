"""A kernel line that dmesg, messages and the journal of one node show is one event."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import polars as pl
import pytest

from analyzer.options import Options
from analyzer.pipeline import run

BOOT = dt.datetime(2026, 3, 2, 9, 0, 0, tzinfo=dt.UTC)
GPUS = ("0000:3b:00", "0000:5e:00", "0000:86:00", "0000:af:00")


def kernel_lines(count: int = 8, every_s: float = 0.4) -> list[tuple[float, str]]:
    """Uptime and message of a storm; the GPUs take turns."""
    head = [
        (60.0 + n, f"audit: type=1400 audit({(BOOT + dt.timedelta(seconds=60 + n)).timestamp():.3f}:{n}): x")
        for n in range(3)
    ]
    storm = [
        (
            3600.25 + n * every_s,
            f"NVRM: Xid (PCI:{GPUS[n % len(GPUS)]}): 94, pid=77, name=python3, Contained: CE User Channel",
        )
        for n in range(count)
    ]
    return head + storm


def dmesg(lines: list[tuple[float, str]]) -> str:
    return "".join(f"[{uptime_s:12.6f}] {text}\n" for uptime_s, text in lines)


def dmesg_t(lines: list[tuple[float, str]], late_s: float = 0.0) -> str:
    return "".join(f"[{BOOT + dt.timedelta(seconds=up + late_s):%a %b %e %H:%M:%S %Y}] {text}\n" for up, text in lines)


def messages(lines: list[tuple[float, str]], zone_h: int = 0) -> str:
    return "".join(
        f"{BOOT + dt.timedelta(hours=zone_h, seconds=up):%b %e %H:%M:%S} gpu-k01 kernel: {text}\n" for up, text in lines
    )


def journal(lines: list[tuple[float, str]], zone_h: int = 0, late_s: float = 0.0) -> str:
    zone = dt.timezone(dt.timedelta(hours=zone_h))
    return "".join(
        f"{(BOOT + dt.timedelta(seconds=up + late_s)).astimezone(zone):%Y-%m-%dT%H:%M:%S%z} gpu-k01 kernel: {text}\n"
        for up, text in lines
    )


def counted(folder: Path, **files: str) -> int:
    node = folder / "nodes" / "gpu-k01"
    node.mkdir(parents=True)
    for name, text in files.items():
        (node / f"{name}.txt").write_text(text, encoding="utf-8")
    frame = run([str(folder)], Options(anomaly=False)).store.frame("nvrm.xid")
    return frame.filter(~pl.col("copy")).height


def test_three_logs_of_one_node_count_once(tmp_path: Path) -> None:
    lines = kernel_lines()
    assert counted(tmp_path, dmesg=dmesg(lines), messages=messages(lines), journal=journal(lines)) == 8


@pytest.mark.parametrize("late_s", [-40.0, 3.0, 90.0])
def test_a_log_whose_stamps_drifted_is_aligned_by_the_lines_it_shares(tmp_path: Path, late_s: float) -> None:
    lines = kernel_lines(every_s=7.0)
    assert counted(tmp_path, dmesg=dmesg_t(lines, late_s), journal=journal(lines)) == 8


def test_zones_make_no_difference(tmp_path: Path) -> None:
    lines = kernel_lines(every_s=7.0)
    files = {"dmesg": dmesg(lines), "messages": messages(lines, zone_h=-6), "journal": journal(lines, zone_h=2)}
    assert counted(tmp_path, **files) == 8


def test_a_rate_limited_copy_hides_no_line_of_the_whole_one(tmp_path: Path) -> None:
    lines = kernel_lines(20)
    limited = [line for n, line in enumerate(lines) if n < 3 or n % 3]
    assert counted(tmp_path, dmesg=dmesg(lines), messages=messages(limited)) == 20


def test_a_wrapped_ring_and_a_cut_file_add_up_to_all_lines(tmp_path: Path) -> None:
    lines = kernel_lines(40, every_s=11.0)
    files = {"dmesg": dmesg([*lines[:3], *lines[18:]]), "journal": journal(lines[:30])}
    assert counted(tmp_path, **files) == 40


def test_a_log_without_any_date_adds_nothing(tmp_path: Path) -> None:
    lines = kernel_lines(2)
    assert counted(tmp_path, dmesg=dmesg(lines[3:]), messages=messages(lines)) == 2


def test_the_same_line_on_two_nodes_is_two_events(tmp_path: Path) -> None:
    other = tmp_path / "nodes" / "gpu-k02"
    other.mkdir(parents=True)
    (other / "journal.txt").write_text(journal(kernel_lines()).replace("gpu-k01", "gpu-k02"), encoding="utf-8")
    assert counted(tmp_path, journal=journal(kernel_lines())) == 16
