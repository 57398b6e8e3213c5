"""``nvidia-smi -L`` and ``nvidia-smi nvlink -s`` / ``-e``: GPUs by UUID, states and error counters of their NVLinks."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from analyzer.model.formats import Format
from analyzer.model.tables import Row
from parsers import _gpu, _lines

FORMAT: Final = Format("nvlink", "block", frozenset(), "nvidia-smi -L, nvidia-smi nvlink")
ANCHOR: Final = r"^GPU \d{1,3}: .{1,80}\(UUID: GPU-"
MAX_LINES: Final = 400
TABLES: Final = (_gpu.GPUS, _gpu.NVLINKS)

_HEADER: Final = re.compile(r"GPU (\d{1,3}): (.{1,80}?) \(UUID: (\S{1,60})\)\s*")
_STATE: Final = re.compile(r"\s*Link (\d{1,2}): (?:([\d.]{1,12}) GB/s|<?(inactive)>?)\s*", re.IGNORECASE)
_COUNTER: Final = re.compile(r"\s*Link (\d{1,2}): (\w[\w ]{1,30}?) Errors?: (\d{1,18})\s*", re.IGNORECASE)
_ALL_INACTIVE: Final = re.compile(r"\s*(?:NVML: )?Unable to retrieve NVLink information as all links are inactive.*")
_PART: Final = re.compile(rb"\s*$|\s*Link \d|\s*(?:NVML: )?Unable to retrieve NVLink|\s+MIG ")


def ends(line: bytes, count: int) -> bool:
    """True at the first line that tells nothing of this GPU's links."""
    del count
    return _PART.match(line) is None


def read(lines: Sequence[bytes], first_line: int) -> Sequence[Row]:
    """Read one GPU: a row of ``gpus`` for its header, and ``gpu_nvlinks``."""
    head = _lines.text(lines[0])
    header = _HEADER.fullmatch(head)
    if header is None:
        return ()
    who = _identity(header)
    rows = [Row("gpus", {**who, "listing": "list"}, first_line, head)]
    for number, raw in enumerate(lines[1:], start=first_line + 1):
        text = _lines.text(raw)
        link = _link(text)
        if link is not None:
            rows.append(Row("gpu_nvlinks", _gpu.known(who | link), number, text))
    return rows


def _identity(header: re.Match[str]) -> dict[str, Any]:
    index = int(header[1])
    return _gpu.known(
        {"index": index, "label": _gpu.label(index), "name": header[2].strip(), "uuid": _gpu.uuid(header[3])}
    )


def _link(text: str) -> dict[str, Any] | None:
    state, counter = _STATE.fullmatch(text), _COUNTER.fullmatch(text)
    if state:
        return {"nvlink": int(state[1]), "active": state[3] is None, "rate_gb_s": _gpu.number(state[2] or "")}
    if counter:
        name = "_".join(counter[2].lower().split())
        return {"nvlink": int(counter[1]), "counter": name, "errors": int(counter[3])}
    return {"active": False} if _ALL_INACTIVE.fullmatch(text) else None
