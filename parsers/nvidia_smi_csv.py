"""``nvidia-smi --query-gpu=... --format=csv``, one listing or samples over time."""

from __future__ import annotations

import re
from typing import Any, Final

from analyzer.model.formats import Dump, Format, Problem, Sniff
from analyzer.model.tables import MAX_TEXT, Row
from parsers import _fabric_text, _gpu
from parsers._fabric_text import Line

FORMAT: Final = Format("nvidia_smi_csv", "table", _gpu.FAMILIES, "state of the GPUs (nvidia-smi, CSV)")
TABLES: Final = (_gpu.GPUS,)

MOST_ROWS: Final = 200_000
_UNIT: Final = re.compile(r"\s*\[[^\]]{1,20}\]\s*$")
_FIELD: Final = re.compile(r"[a-z][A-Za-z0-9_]{1,60}(?:\.[A-Za-z0-9_]{1,40}){0,6}")
_TELLING: Final = re.compile(
    r"(?:utilization|temperature|clocks|power|memory|ecc|pcie?|fan|mig|remapped_rows|retired_pages|fabric)\.[a-z]"
    r"|gpu_bus_id|pstate|clocks_(?:event|throttle)_reasons\."
)
_LEAST_TELLING: Final = 2
_MASK: Final = {"idle": 0x1, "sw_power_cap": 0x4, "hw_slowdown": 0x8, "sw_thermal_slowdown": 0x20,
                "hw_thermal_slowdown": 0x40, "hw_power_brake": 0x80}  # fmt: skip
_HEX: Final = re.compile(r"0x[0-9a-fA-F]{1,16}")

_COLUMNS: Final = {
    "pci.bus_id": "gpu",
    "gpu_bus_id": "gpu",
    "uuid": "uuid",
    "gpu_uuid": "uuid",
    "name": "name",
    "gpu_name": "name",
    "driver_version": "driver",
    "pstate": "pstate",
    "utilization.gpu": "utilization_pct",
    "memory.used": "memory_used_mib",
    "memory.total": "memory_total_mib",
    "temperature.gpu": "temperature_c",
    "temperature.gpu.tlimit": "temperature_margin_c",
    "temperature.memory": "memory_temperature_c",
    "power.draw": "power_w",
    "power.draw.instant": "power_w",
    "power.limit": "power_limit_w",
    "enforced.power.limit": "power_limit_w",
    "power.default_limit": "power_default_w",
    "clocks.sm": "sm_clock_mhz",
    "clocks.current.sm": "sm_clock_mhz",
    "clocks.max.sm": "sm_clock_max_mhz",
    "fan.speed": "fan_failed",
    "pcie.link.gen.current": "pcie_gen",
    "pcie.link.gen.gpucurrent": "pcie_gen",
    "pcie.link.gen.max": "pcie_gen_max",
    "pcie.link.width.current": "pcie_width",
    "pcie.link.width.max": "pcie_width_max",
    "ecc.errors.corrected.volatile.total": "volatile_corrected",
    "ecc.errors.uncorrected.volatile.total": "volatile_uncorrected",
    "ecc.errors.uncorrected.volatile.sram": "volatile_sram_uncorrected",
    "ecc.errors.corrected.aggregate.total": "aggregate_corrected",
    "ecc.errors.uncorrected.aggregate.total": "aggregate_uncorrected",
    "ecc.errors.uncorrected.aggregate.sram": "aggregate_sram_uncorrected",
    "ecc.errors.uncorrected.aggregate.sram.thresholdexceeded": "sram_threshold_exceeded",
    "retired_pages.single_bit_ecc.count": "retired_single",
    "retired_pages.sbe": "retired_single",
    "retired_pages.double_bit.count": "retired_double",
    "retired_pages.dbe": "retired_double",
    "retired_pages.pending": "retired_pending",
    "remapped_rows.correctable": "remapped_correctable",
    "remapped_rows.uncorrectable": "remapped_uncorrectable",
    "remapped_rows.pending": "remap_pending",
    "remapped_rows.failure": "remap_failure",
    "gpu_recovery_action": "recovery_action",
    "mig.mode.current": "mig",
    "persistence_mode": "persistence",
    "fabric.state": "fabric_state",
    "fabric.status": "fabric_status",
    "reasons.gpu_idle": "idle",
    **{f"reasons.{name}": name for name in ("sw_power_cap", "hw_slowdown", "hw_thermal_slowdown",
                                            "sw_thermal_slowdown")},
    "reasons.hw_power_brake_slowdown": "hw_power_brake",
}  # fmt: skip


def sniff(head: bytes, path: str) -> Sniff | None:
    """Recognise the header line, which names the queried fields."""
    del path
    for line in _fabric_text.head_lines(head, 12):
        if _header(line.text) is not None:
            return _fabric_text.claim(92, "names fields of nvidia-smi", head, line.number)
    return None


def parse(data: bytes, path: str) -> Dump:
    """Read ``gpus``, one row a line; a second header begins another listing. ``path`` is not used."""
    del path
    unread = _fabric_text.Unread()
    rows: list[Row] = []
    fields: list[str] | None = None
    left_out = 0
    for line in _fabric_text.lines(data):
        header = _header(line.text)
        if header is not None:
            fields = header
        elif fields is None or not line.text.strip():
            continue
        elif len(cells := line.text.split(",")) != len(fields):
            unread.add_unless_noise(line)
        elif len(rows) < MOST_ROWS:
            rows.append(_row(line, fields, cells))
        else:
            left_out += 1
    problems = (Problem(f"only the first {MOST_ROWS} samples were read", count=left_out),) if left_out else ()
    return Dump(rows, (*unread.problems(), *problems))


def _header(text: str) -> list[str] | None:
    """Field names of a header line; None for any other line."""
    if "," not in text or len(text) > 16_000:
        return None
    fields = [_UNIT.sub("", cell).strip() for cell in text.split(",")]
    if not all(_FIELD.fullmatch(field) for field in fields):
        return None
    telling = sum(1 for field in fields if _TELLING.match(field))
    named = any(field in ("index", "timestamp", "uuid", "name", "pci.bus_id", "gpu_bus_id") for field in fields)
    return fields if telling >= _LEAST_TELLING or (telling and named) else None


def _row(line: Line, fields: list[str], cells: list[str]) -> Row:
    values: dict[str, Any] = {"listing": "csv"}
    for field, cell in zip(fields, cells, strict=True):
        text = cell.strip()
        name = re.sub(r"^clocks_(?:event|throttle)_reasons\.", "reasons.", field.lower())
        column = _COLUMNS.get(name)
        if column is not None and values.get(column) is None:
            values[column] = _gpu.value(column, text)
        elif name == "index" and text.isdecimal() and len(text) < 5:
            values |= {"index": int(text), "label": _gpu.label(int(text))}
        elif name == "timestamp":
            values["sampled_s"] = _gpu.seconds(text)
        elif name == "reasons.active" and _HEX.fullmatch(text):
            values |= {reason: bool(int(text, 16) & bit) for reason, bit in _MASK.items()}
    return Row("gpus", _gpu.known(values), line.number, line.text[:MAX_TEXT])
