"""The table that ``nvidia-smi`` prints without options: GPUs, and the processes on them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from analyzer.model.formats import Format
from analyzer.model.tables import Row
from parsers import _gpu, _lines

FORMAT: Final = Format("nvidia_smi_table", "block", frozenset(), "nvidia-smi")
ANCHOR: Final = r"\| NVIDIA-SMI +[\d.]+ +(?:Driver|KMD) Version:"
MAX_LINES: Final = 4_000
TABLES: Final = (_gpu.GPUS, _gpu.GPU_PROCESSES)

_ADDRESS: Final = r"[0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.[0-7]"
_DRIVER: Final = re.compile(r"(?:Driver|KMD) Version: *([\d.]{1,20})")
_FIRST: Final = re.compile(
    rf"\| +(?P<index>\d{{1,3}}) +(?P<name>\S.{{0,60}}?) +(?P<persistence>On|Off|N/A|ERR!) *\| +(?P<gpu>{_ADDRESS}) "
    r"+\S{1,8} *\| *(?P<ecc>\S.{0,20}?) *\|"
)
_SECOND: Final = re.compile(
    r"\| *(?P<fan>\S{1,8}) +(?P<temperature>\S{1,8}) +(?P<pstate>\S{1,6}) +(?P<power>\S{1,10}) / +(?P<limit>\S{1,10}) *"
    r"\| *(?P<used>\S{1,12}) */ *(?P<total>\S{1,12}) *\| *(?P<utilization>\S{1,8}) +.{1,24}\|"
)
_MIG: Final = re.compile(r"\|[ ]{10,60}\|[ ]{10,60}\| *(\S.{0,20}?) *\|")
_PROCESS: Final = re.compile(
    r"\| +(?P<index>\d{1,3}) +(?:\S{1,4} +\S{1,4} +)?(?P<pid>\d{1,10}) +(?P<type>C|G|C\+G|M\+C)"
    r" +(?P<process>\S.{0,200}?) +(?P<memory>\d{1,9}MiB|N/A) *\|"
)


def ends(line: bytes, count: int) -> bool:
    """True at the first line that is no part of the table."""
    del count
    return line.strip() != b"" and not line.lstrip().startswith((b"|", b"+"))


def read(lines: Sequence[bytes], first_line: int) -> Sequence[Row]:
    """Read ``gpus``, each cited by its first line, and ``gpu_processes``."""
    found = _DRIVER.search(_lines.text(lines[0]))
    table = _Table(found[1] if found else None)
    for number, raw in enumerate(lines[1:], start=first_line + 1):
        table.take(number, _lines.text(raw).strip())
    return table.rows()


class _Table:
    """Collects one table line by line."""

    def __init__(self, driver: str | None) -> None:
        self._driver = driver
        self._gpus: list[tuple[int, str, dict[str, Any]]] = []
        self._processes: list[Row] = []

    def take(self, number: int, text: str) -> None:
        """Take one line."""
        first, second = _FIRST.fullmatch(text), _SECOND.fullmatch(text)
        mig, process = _MIG.fullmatch(text), _PROCESS.fullmatch(text)
        if first:
            self._gpus.append((number, text, self._identity(first)))
        elif second and self._gpus:
            self._gpus[-1][2].update(_readings(second))
        elif mig and self._gpus:
            self._gpus[-1][2]["mig"] = _gpu.value("mig", mig[1])
        elif process:
            self._processes.append(Row("gpu_processes", _gpu.known(self._process(process)), number, text))

    def rows(self) -> list[Row]:
        """Rows in the order of the table."""
        return [*(Row("gpus", _gpu.known(values), line, text) for line, text, values in self._gpus), *self._processes]

    def _identity(self, first: re.Match[str]) -> dict[str, Any]:
        index = int(first["index"])
        return {
            "gpu": _gpu.pci(first["gpu"]),
            "index": index,
            "label": _gpu.label(index),
            "name": first["name"],
            "driver": self._driver,
            "listing": "table",
            "persistence": _gpu.flag(first["persistence"]),
            "volatile_uncorrected": _gpu.value("volatile_uncorrected", first["ecc"]),
        }

    def _process(self, process: re.Match[str]) -> dict[str, Any]:
        index = int(process["index"])
        return {
            "gpu": next((values["gpu"] for _, _, values in self._gpus if values["index"] == index), None),
            "label": _gpu.label(index),
            "pid": int(process["pid"]),
            "type": process["type"],
            "process": process["process"],
            "memory_mib": _gpu.number(process["memory"]),
        }


def _readings(second: re.Match[str]) -> dict[str, Any]:
    printed = {
        "fan_failed": second["fan"],
        "temperature_c": second["temperature"],
        "pstate": second["pstate"],
        "power_w": second["power"],
        "power_limit_w": second["limit"],
        "memory_used_mib": second["used"],
        "memory_total_mib": second["total"],
        "utilization_pct": second["utilization"],
    }
    return {column: _gpu.value(column, text) for column, text in printed.items()}
