"""``nvidia-smi -q``: everything the driver tells of each GPU, one indented block a GPU."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from analyzer.model.formats import Format
from analyzer.model.tables import Row
from parsers import _gpu, _lines

FORMAT: Final = Format("nvidia_smi_q", "block", frozenset(), "state of each GPU (nvidia-smi -q)")
ANCHOR: Final = r"={6,}NVSMI LOG={6,}"
MAX_LINES: Final = 40_000
TABLES: Final = (_gpu.GPUS, _gpu.GPU_FACTS)

_GPU_LINE: Final = re.compile(r"GPU ([0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.[0-7])\s*")
_PAIR: Final = re.compile(r"( *)(\S.{0,100}?) *:(?: (.{0,300}))?")
_SECTION: Final = re.compile(r"( *)(\S.{0,100})")
_HEAD: Final = re.compile(rb"\s*$|GPU [0-9A-Fa-f]|(?:Timestamp|Driver Version|CUDA Version|Attached GPUs)\b|\s")
_INDENT: Final = 4
_MAX_DEPTH: Final = 8

_COLUMNS: Final = {
    "Product Name": "name",
    "GPU UUID": "uuid",
    "Persistence Mode": "persistence",
    "MIG Mode/Current": "mig",
    "Performance State": "pstate",
    "Utilization/Gpu": "utilization_pct",
    "Utilization/GPU": "utilization_pct",
    "FB Memory Usage/Used": "memory_used_mib",
    "FB Memory Usage/Total": "memory_total_mib",
    "Temperature/GPU Current Temp": "temperature_c",
    "Temperature/GPU T.Limit Temp": "temperature_margin_c",
    "Temperature/GPU Slowdown Temp": "slowdown_c",
    "Temperature/Memory Current Temp": "memory_temperature_c",
    "Power Readings/Power Draw": "power_w",
    "Power Readings/Average Power Draw": "power_w",
    "Power Readings/Instantaneous Power Draw": "power_w",
    "Power Readings/Power Limit": "power_limit_w",
    "Power Readings/Enforced Power Limit": "power_limit_w",
    "Power Readings/Current Power Limit": "power_limit_w",
    "Power Readings/Default Power Limit": "power_default_w",
    "Clocks/SM": "sm_clock_mhz",
    "Max Clocks/SM": "sm_clock_max_mhz",
    "Fan Speed": "fan_failed",
    "Reasons/Idle": "idle",
    "Reasons/SW Power Cap": "sw_power_cap",
    "Reasons/HW Slowdown": "hw_slowdown",
    "Reasons/HW Slowdown/HW Thermal Slowdown": "hw_thermal_slowdown",
    "Reasons/HW Slowdown/HW Power Brake Slowdown": "hw_power_brake",
    "Reasons/SW Thermal Slowdown": "sw_thermal_slowdown",
    "PCI/GPU Link Info/PCIe Generation/Current": "pcie_gen",
    "PCI/GPU Link Info/PCIe Generation/Max": "pcie_gen_max",
    "PCI/GPU Link Info/Link Width/Current": "pcie_width",
    "PCI/GPU Link Info/Link Width/Max": "pcie_width_max",
    "PCI/Replays Since Reset": "pcie_replays",
    "ECC Errors/Aggregate/SRAM Threshold Exceeded": "sram_threshold_exceeded",
    "Retired Pages/Single Bit ECC": "retired_single",
    "Retired Pages/Double Bit ECC": "retired_double",
    "Retired Pages/Pending Page Blacklist": "retired_pending",
    "Retired Pages/Pending": "retired_pending",
    "Remapped Rows/Correctable Error": "remapped_correctable",
    "Remapped Rows/Uncorrectable Error": "remapped_uncorrectable",
    "Remapped Rows/Pending": "remap_pending",
    "Remapped Rows/Remapping Failure Occurred": "remap_failure",
    "GPU Reset Status/Reset Required": "reset_required",
    "GPU Recovery Action": "recovery_action",
    "Fabric/State": "fabric_state",
    "Fabric/Status": "fabric_status",
}
"""Path of keys below a GPU to the column it fills."""
_SUMS: Final = {
    f"ECC Errors/{scope}/{key}": tuple(f"{scope.lower()}_{column}" for column in columns)
    for scope in ("Volatile", "Aggregate")
    for key, columns in (
        ("SRAM Correctable", ("corrected",)),
        ("DRAM Correctable", ("corrected",)),
        ("Single Bit/Total", ("corrected",)),
        ("SRAM Uncorrectable", ("uncorrected", "sram_uncorrected")),
        ("SRAM Uncorrectable Parity", ("uncorrected", "sram_uncorrected")),
        ("SRAM Uncorrectable SEC-DED", ("uncorrected", "sram_uncorrected")),
        ("DRAM Uncorrectable", ("uncorrected",)),
        ("Double Bit/Total", ("uncorrected",)),
    )
}
"""Paths whose counts add up."""
_SECTION_NAMES: Final = {
    "Clocks Throttle Reasons": "Reasons",
    "Clocks Event Reasons": "Reasons",
    "GPU Power Readings": "Power Readings",
}


def ends(line: bytes, count: int) -> bool:
    """True at a line that can stand in no such log, e.g. the next command."""
    del count
    return _HEAD.match(line) is None


def read(lines: Sequence[bytes], first_line: int) -> Sequence[Row]:
    """Read one log: a row of ``gpus`` a GPU, cited by its first line, and ``gpu_facts`` for its lines."""
    log = _Log()
    for number, raw in enumerate(lines[1:], start=first_line + 1):
        log.take(number, _lines.text(raw))
    return log.rows()


class _Log:
    """Collects the values of one log, GPU by GPU."""

    def __init__(self) -> None:
        self._common: dict[str, Any] = {"listing": "query"}
        self._gpus: list[tuple[int, str, dict[str, Any]]] = []
        self._facts: list[Row] = []
        self._path: list[str] = []
        self._attached: int | None = None

    def take(self, number: int, text: str) -> None:
        """Take one line."""
        gpu = _GPU_LINE.fullmatch(text)
        if gpu:
            address = _gpu.pci(gpu[1])
            values = self._common | {"gpu": address}
            self._gpus.append((number, text, values))
            self._path = []
        elif pair := _PAIR.fullmatch(text):
            self._pair(number, text, self._at(pair[1], pair[2]), (pair[3] or "").strip())
        elif section := _SECTION.fullmatch(text):
            self._at(section[1], section[2].strip())

    def rows(self) -> list[Row]:
        """Rows in the order of the log; where all attached GPUs are listed, their order is their index."""
        if len(self._gpus) == self._attached:
            for index, (_, _, values) in enumerate(self._gpus):
                values |= {"index": index, "label": _gpu.label(index)}
        cards = [Row("gpus", _gpu.known(values), line, text) for line, text, values in self._gpus]
        return [*cards, *self._facts]

    def _at(self, indent: str, key: str) -> str:
        depth = len(indent) // _INDENT
        if not depth or depth > _MAX_DEPTH:
            self._path = []
            return "" if self._gpus else key
        del self._path[depth - 1 :]
        self._path.append(_SECTION_NAMES.get(key, key))
        return "/".join(self._path)

    def _pair(self, number: int, text: str, path: str, printed: str) -> None:
        if not self._gpus:
            self._header(path, printed)
            return
        column = _COLUMNS.get(path)
        if column is not None:
            self._set(number, text, column, printed)
        for name in _SUMS.get(path, ()):
            self._add(number, text, name, printed)

    def _header(self, key: str, printed: str) -> None:
        if key == "Driver Version":
            self._common["driver"] = printed[:100]
        elif key == "Attached GPUs":
            self._attached = int(printed) if printed.isdecimal() and len(printed) < 5 else None
        elif key == "Timestamp":
            self._common["sampled_s"] = _gpu.seconds(printed)

    def _set(self, number: int, text: str, column: str, printed: str) -> None:
        found = _gpu.value(column, printed)
        if found is None:
            return
        self._gpus[-1][2][column] = found
        self._fact(number, text, column, printed)

    def _add(self, number: int, text: str, column: str, printed: str) -> None:
        found = _gpu.value(column, printed)
        if found is None:
            return
        values = self._gpus[-1][2]
        values[column] = values.get(column, 0) + found
        self._fact(number, text, column, printed)

    def _fact(self, number: int, text: str, column: str, printed: str) -> None:
        values = {
            "gpu": self._gpus[-1][2]["gpu"],
            "fact": column,
            "value": printed,
            "number": _gpu.number(printed),
            "active": _gpu.flag(printed),
        }
        self._facts.append(Row("gpu_facts", _gpu.known(values), number, text))
