"""Archives made for measuring: large logs in one, and thousands of small files of many nodes."""

from __future__ import annotations

import gzip
import io
import random
import tarfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

from tests.bench import corpus

SMALL_LINES = range(20, 60)
PER_NODE = (
    ("dmesg.txt", "dmesg"), ("messages", "syslog"), ("slurmd.log", "slurmctld"), ("train.log", "train"),
    ("lspci.txt", ""), ("meminfo.txt", ""), ("sysctl.txt", ""), ("packages.txt", ""),
)  # fmt: skip
"""Files of one node and the kind of log in each; the others are of no known format."""


def pack(target: Path, logs: Sequence[Path]) -> Path:
    """A tar.gz of logs."""
    if not target.exists():
        with tarfile.open(target, "w:gz", compresslevel=6) as archive:
            for log in logs:
                archive.add(log, f"logs/{log.name}")
    return target


def write_small(folder: Path, members: int) -> list[Path]:
    """The same small files as a folder, a tar.gz and a zip."""
    tree, packed, zipped = folder / "tree", folder / "small.tar.gz", folder / "small.zip"
    if zipped.exists():
        return [tree, packed, zipped]
    plain = io.BytesIO()
    tree.mkdir(parents=True, exist_ok=True)
    with tarfile.open(fileobj=plain, mode="w") as tar, zipfile.ZipFile(zipped, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in _small_files(members):
            info = tarfile.TarInfo(name)
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
            archive.writestr(name, data)
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            (tree / name).write_bytes(data)
    packed.write_bytes(gzip.compress(plain.getvalue(), 6))
    return [tree, packed, zipped]


def _small_files(members: int) -> list[tuple[str, bytes]]:
    chosen = random.Random(7)
    found = []
    for number in range(members):
        node, (name, kind) = number // len(PER_NODE), PER_NODE[number % len(PER_NODE)]
        lines = chosen.choice(SMALL_LINES)
        text = corpus.healthy(kind, chosen, lines) if kind else _settings(chosen, lines)
        found.append((f"nodes/gpu-r{node // 25:02d}-n{node % 25:02d}/{name}", text.encode()))
    return found


def _settings(chosen: random.Random, lines: int) -> str:
    return "".join(f"key.{number}: value {chosen.randrange(1_000)}\n" for number in range(lines))
