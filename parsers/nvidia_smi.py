"""Output of ``nvidia-smi`` in any of its text forms, with the commands around it; blocks inside are read one by one."""

from __future__ import annotations

import re
from typing import Final

from analyzer.model.formats import Format, Sniff
from analyzer.model.stamps import Prefix
from parsers import _gpu, _lines

FORMAT: Final = Format("nvidia_smi", "lines", _gpu.FAMILIES, "state of the GPUs (nvidia-smi)")

_TELLING: Final = re.compile(
    rb"={6,}NVSMI LOG={6,}|\| NVIDIA-SMI +[\d.]|GPU \d{1,3}: .{1,80}\(UUID: (?:GPU|MIG)-|\t(?:\x1b\[4m)?GPU0\t"
    rb"|NVIDIA-SMI has failed|Failed to initialize NVML|No devices were found|Unable to determine the device handle for"
)
_EARLY: Final = 12


def sniff(head: bytes, path: str) -> Sniff | None:
    """Judge by the tool's own headings and failure texts near the beginning."""
    del path
    for number, line in enumerate(_lines.head_lines(head), start=1):
        if _TELLING.search(line):
            return Sniff(88 if number <= _EARLY else 45, f"line {number} is of nvidia-smi")
    return None


def prefix(line: bytes) -> Prefix | None:
    """Lines of a dump carry no head."""
    del line
    return None
