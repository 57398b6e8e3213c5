"""Rotated logs are one log in time order, New Year between them included."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from analyzer.options import Options
from analyzer.pipeline import run

OLD = [
    "Dec 30 10:00:00 cn001 systemd[1]: Started session 1.",
    "Dec 31 23:10:00 cn001 kernel: mlx5_core 0000:1a:00.0: Port module event[error]: module 0, Cable error, Bus stuck",
]
NEW = [
    "Jan  1 00:40:00 cn001 systemd[1]: Started session 2.",
    "Jan  1 00:50:00 cn001 kernel: NVRM: Xid (PCI:0000:c3:00): 79, pid=1, name=x, GPU has fallen off the bus.",
]


def times(folder: Path, options: Options) -> dict[str, str | None]:
    store = run([str(folder)], options).store
    frames = [store.frame(name) for name in store.names() if "time" in store.schema(name)]
    return {
        store.sources[source].path: str(time.date()) if time else None
        for frame in frames
        for source, time in frame.select("source", "time").rows()
    }


def write(folder: Path, old_name: str) -> Path:
    text = ("\n".join(OLD) + "\n").encode()
    (folder / old_name).write_bytes(gzip.compress(text) if old_name.endswith(".gz") else text)
    (folder / "messages").write_text("\n".join(NEW) + "\n", encoding="utf-8")
    return folder


@pytest.mark.parametrize("old_name", ["messages.1", "messages.2.gz", "messages-20261231.gz"])
def test_a_stated_year_is_that_of_the_newest_file(old_name: str, tmp_path: Path) -> None:
    found = times(write(tmp_path, old_name), Options(anomaly=False, year=2027))
    assert found == {old_name: "2026-12-31", "messages": "2027-01-01"}


def test_a_date_in_the_name_tells_the_year(tmp_path: Path) -> None:
    write(tmp_path, "messages-20270101.gz")
    found = times(tmp_path, Options(anomaly=False))
    assert found["messages-20270101.gz"] == "2026-12-31"
