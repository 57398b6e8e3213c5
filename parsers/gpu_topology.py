"""``nvidia-smi topo -m``: how the GPUs and adapters of a node are joined."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from analyzer.model.formats import Format
from analyzer.model.tables import Row
from parsers import _gpu, _lines

FORMAT: Final = Format("gpu_topology", "block", frozenset(), "nvidia-smi topo -m")
ANCHOR: Final = r"\t(?:\x1b\[4m)?GPU0\t"
MAX_LINES: Final = 100
TABLES: Final = (_gpu.TOPOLOGY,)

_DEVICE: Final = re.compile(r"(?:GPU|NIC|mlx\d_|ib|rdma)\w{0,20}")
_NVLINK: Final = re.compile(r"NV(\d{1,3})")
_PATH: Final = re.compile(r"NV\d{1,3}|PIX|PXB|PHB|NODE|SYS|SOC|X")
_ROW: Final = re.compile(rb"\s*(?:GPU\d|NIC\d|mlx\d_|ib\d|rdma)")


def ends(line: bytes, count: int) -> bool:
    """True behind the last row of the matrix."""
    del count
    return _ROW.match(line) is None


def read(lines: Sequence[bytes], first_line: int) -> Sequence[Row]:
    """Read the cells of one matrix; those of a device with itself are left out."""
    peers = [cell for cell in _lines.text(lines[0]).split("\t")[1:] if _DEVICE.fullmatch(cell.strip())]
    rows: list[Row] = []
    for number, raw in enumerate(lines[1:], start=first_line + 1):
        text = _lines.text(raw)
        device, *cells = (cell.strip() for cell in text.split("\t"))
        if _DEVICE.fullmatch(device):
            pairs = zip(peers, cells, strict=False)
            rows.extend(Row("gpu_topology", _cell(device, peer, path), number, text)
                        for peer, path in pairs if _PATH.fullmatch(path) and path != "X")  # fmt: skip
    return rows


def _cell(device: str, peer: str, path: str) -> dict[str, Any]:
    nvlinks = _NVLINK.fullmatch(path)
    return _gpu.known(
        {"device": device, "peer": peer.strip(), "path": path, "nvlinks": int(nvlinks[1]) if nvlinks else None}
    )
