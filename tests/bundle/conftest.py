from __future__ import annotations

import io
import pathlib
import tarfile
from collections.abc import Sequence

import pytest

from analyzer.bundle import Limits, Member, Refused, StreamCutError, open_bundle


class Reading:
    """What one pass over a bundle gave: text per member, reasons per cut or refused path."""

    def __init__(self) -> None:
        self.order: list[str] = []
        self.data: dict[str, bytes] = {}
        self.members: dict[str, Member] = {}
        self.cuts: dict[str, str] = {}
        self.refused: dict[str, Refused] = {}


def read_all(inputs: Sequence[str | pathlib.Path], limits: Limits | None = None) -> Reading:
    reading = Reading()
    with open_bundle([str(path) for path in inputs], limits or Limits()) as bundle:
        for item in bundle.members():
            if isinstance(item, Refused):
                reading.refused[item.path] = item
                continue
            reading.order.append(item.path)
            reading.members[item.path] = item
            reading.data[item.path] = slurp(item, reading.cuts)
    return reading


def slurp(member: Member, cuts: dict[str, str]) -> bytes:
    buffer = bytearray(4096)
    parts = []
    with member.open() as stream:
        try:
            while size := stream.readinto(buffer):
                parts.append(bytes(buffer[:size]))
        except StreamCutError as cut:
            cuts[member.path] = str(cut)
    return b"".join(parts)


def tar_bytes(files: dict[str, bytes], *special: tarfile.TarInfo, mode: str = "w") -> bytes:
    target = io.BytesIO()
    with tarfile.open(fileobj=target, mode=mode) as archive:  # type: ignore[call-overload]
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            info.mtime = 1_773_035_675
            archive.addfile(info, io.BytesIO(data))
        for info in special:
            archive.addfile(info)
    return target.getvalue()


def special_entry(name: str, kind: bytes, target: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type = kind
    info.linkname = target
    return info


@pytest.fixture
def tree(tmp_path: pathlib.Path) -> pathlib.Path:
    """A collection folder of two nodes."""
    root = tmp_path / "collect"
    for node in ("cn002", "cn001"):
        (root / "nodes" / node).mkdir(parents=True)
        (root / "nodes" / node / "dmesg.txt").write_bytes(f"hello from {node}\n".encode())
    (root / "sinfo.txt").write_bytes(b"PARTITION\n")
    return root
