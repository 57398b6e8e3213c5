"""Tables of the readers of GPU tools (``nvidia-smi`` in its forms), and the spellings they share."""

from __future__ import annotations

import re
from calendar import timegm
from collections.abc import Mapping
from time import strptime
from typing import Any, Final

from analyzer.model.tables import Column, TableSpec

FAMILIES: Final = frozenset({"gpu", "text"})

_GPU = Column("gpu", "str", "PCI address, e.g. 0000:1b:00.0", "gpu")
_UUID = Column("uuid", "str", "UUID; null when it is masked", "gpu", same_as="gpu")
_LABEL = Column("label", "str", "index in words, e.g. GPU 3", "gpu", same_as="gpu")
_INDEX = Column("index", "int", "index in the tool's order")

GPUS: Final = TableSpec(
    "gpus",
    "One GPU as one listing of nvidia-smi shows it; a value that the listing lacks or that the GPU does not support "
    "is null",
    (
        _GPU,
        _UUID,
        _LABEL,
        _INDEX,
        Column("name", "str", "product name"),
        Column("driver", "str", "driver version"),
        Column("listing", "str", "form of the listing: query, table, csv, list"),
        Column("sampled_s", "float", "time of the reading by the node's own clock, seconds as if it were UTC"),
        Column("pstate", "str", "performance state, P0 fastest"),
        Column("utilization_pct", "float", "share of time in which a kernel ran"),
        Column("memory_used_mib", "float", "memory in use"),
        Column("memory_total_mib", "float", "memory installed"),
        Column("temperature_c", "float", "core temperature"),
        Column("temperature_margin_c", "float", "degrees left to the first thermal limit (T.Limit)"),
        Column("slowdown_c", "float", "temperature of the hardware slowdown, where it is stated as such"),
        Column("memory_temperature_c", "float", "temperature of the memory"),
        Column("power_w", "float", "power draw"),
        Column("power_limit_w", "float", "power limit in force"),
        Column("power_default_w", "float", "power limit that the board comes with"),
        Column("sm_clock_mhz", "float", "clock of the multiprocessors"),
        Column("sm_clock_max_mhz", "float", "highest clock of the multiprocessors"),
        Column("fan_failed", "bool", "true where the fan's speed reads ERR!"),
        Column("idle", "bool", "clocks are low because nothing runs"),
        Column("sw_power_cap", "bool", "clocks held down by the power limit"),
        Column("hw_slowdown", "bool", "hardware slowdown, any reason"),
        Column("hw_thermal_slowdown", "bool", "hardware slowdown by temperature"),
        Column("hw_power_brake", "bool", "hardware slowdown by the external power brake"),
        Column("sw_thermal_slowdown", "bool", "software slowdown by temperature"),
        Column("pcie_gen", "int", "PCIe generation in use; an idle GPU lowers it"),
        Column("pcie_gen_max", "int", "highest PCIe generation of GPU and slot"),
        Column("pcie_width", "int", "PCIe lanes in use"),
        Column("pcie_width_max", "int", "most PCIe lanes of GPU and slot"),
        Column("pcie_replays", "int", "PCIe replays since the reset"),
        Column("volatile_corrected", "int", "corrected memory errors since the driver was loaded"),
        Column("volatile_uncorrected", "int", "uncorrectable memory errors since the driver was loaded"),
        Column("volatile_sram_uncorrected", "int", "those of the on-chip memory"),
        Column("aggregate_corrected", "int", "corrected memory errors of the GPU's life"),
        Column("aggregate_uncorrected", "int", "uncorrectable memory errors of the GPU's life"),
        Column("aggregate_sram_uncorrected", "int", "those of the on-chip memory"),
        Column("sram_threshold_exceeded", "bool", "on-chip memory errors passed the replacement threshold"),
        Column("retired_single", "int", "memory pages retired after corrected errors"),
        Column("retired_double", "int", "memory pages retired after uncorrectable errors"),
        Column("retired_pending", "bool", "pages wait for a reset to be retired"),
        Column("remapped_correctable", "int", "memory rows replaced after corrected errors"),
        Column("remapped_uncorrectable", "int", "memory rows replaced after uncorrectable errors"),
        Column("remap_pending", "bool", "a row waits for a reset to be replaced"),
        Column("remap_failure", "bool", "a row could not be replaced"),
        Column("reset_required", "bool", "the driver asks for a reset"),
        Column("recovery_action", "str", "what the driver asks for, e.g. None, GPU Reset"),
        Column("mig", "str", "MIG mode as printed"),
        Column("persistence", "bool", "persistence mode"),
        Column("fabric_state", "str", "state of the NVLink fabric, e.g. Completed, In Progress"),
        Column("fabric_status", "str", "status of the NVLink fabric, e.g. Success"),
    ),
)

GPU_FACTS: Final = TableSpec(
    "gpu_facts",
    "One telling line of nvidia-smi -q: the column of gpus that it fills, cited by its own line",
    (
        _GPU,
        Column("fact", "str", "column of gpus"),
        Column("value", "str", "as printed"),
        Column("number", "float", "its number, null where it is none"),
        Column("active", "bool", "true for Yes, Active and Enabled, false for their opposites"),
    ),
)

GPU_PROCESSES: Final = TableSpec(
    "gpu_processes",
    "One process on a GPU as nvidia-smi lists it",
    (
        _GPU,
        _LABEL,
        Column("pid", "int", "process number on the host", "process"),
        Column("type", "str", "C compute, G graphics"),
        Column("process", "str", "name, its beginning may be cut"),
        Column("memory_mib", "float", "GPU memory in use"),
    ),
)

NVLINKS: Final = TableSpec(
    "gpu_nvlinks",
    "One NVLink of a GPU in one listing of nvidia-smi nvlink",
    (
        Column("gpu", "str", "PCI address where the listing names it", "gpu"),
        Column("uuid", "str", "UUID; null when it is masked", "gpu", same_as="gpu"),
        _LABEL,
        _INDEX,
        Column("name", "str", "product name"),
        Column("nvlink", "int", "link of the GPU, from 0"),
        Column("active", "bool", "false when the link is inactive; null where errors are listed"),
        Column("rate_gb_s", "float", "rate of the link in gigabytes a second"),
        Column("counter", "str", "crc, crc_flit, crc_data, replay, recovery or ecc; null where states are listed"),
        Column("errors", "int", "total of the counter; it counts on from the last reset"),
    ),
)

TOPOLOGY: Final = TableSpec(
    "gpu_topology",
    "How two devices of a node are joined, one cell of nvidia-smi topo -m",
    (
        Column("device", "str", "row, e.g. GPU0, NIC0, mlx5_0"),
        Column("peer", "str", "column"),
        Column("path", "str", "NV18, PIX, PXB, PHB, NODE or SYS"),
        Column("nvlinks", "int", "number of NVLinks between two GPUs, null for other paths"),
    ),
)

_PCI: Final = re.compile(r"([0-9a-fA-F]{4,8}):([0-9a-fA-F]{2}):([0-9a-fA-F]{2})\.([0-7])")
_UUID_FORM: Final = re.compile(r"(?:GPU|MIG)-[0-9a-fA-F][0-9a-fA-F-]{7,40}")
_MASKED: Final = re.compile(r"(?:GPU|MIG)-[0xX-]+")
_NUMBER: Final = re.compile(r"[+-]?\d{1,15}(?:\.\d{1,6})?")
_WORDS: Final = {"yes": True, "active": True, "enabled": True, "on": True, "no": False, "not active": False,
                 "disabled": False, "off": False, "1": True, "0": False}  # fmt: skip
_DTYPES: Final = {column.name: column.dtype for column in GPUS.columns}


def pci(text: str) -> str | None:
    """PCI address with a domain of four digits; None when it is none."""
    found = _PCI.fullmatch(text.strip())
    return f"{int(found[1], 16):04x}:{found[2]}:{found[3]}.{found[4]}".lower() if found else None


def uuid(text: str) -> str | None:
    """UUID as printed; None when it is none or masked with zeros."""
    text = text.strip()
    return text if _UUID_FORM.fullmatch(text) and not _MASKED.fullmatch(text) else None


def label(index: int) -> str:
    """How people call a GPU by its index."""
    return f"GPU {index}"


def value(column: str, text: str) -> Any:
    """The value of a column of ``gpus`` as printed in any form; None where it is unknown or not supported."""
    text = text.strip().strip("[]")
    if column == "gpu":
        return pci(text)
    if column == "uuid":
        return uuid(text)
    if column == "fan_failed":
        return True if text.startswith("ERR") else None
    dtype = _DTYPES[column]
    if dtype == "bool":
        return flag(text)
    if dtype == "str":
        return None if not text or text in ("N/A", "Not Supported", "Unknown Error") else text
    found = number(text)
    return None if found is None else int(found) if dtype == "int" else found


def number(text: str) -> float | None:
    """The number a value begins with, whatever its unit."""
    found = _NUMBER.match(text.strip())
    return float(found[0]) if found else None


def flag(text: str) -> bool | None:
    """True or false of a value in words."""
    return _WORDS.get(text.strip().lower())


def seconds(text: str) -> float | None:
    """Seconds of ``Wed Oct 14 11:00:09 2026`` or ``2026/10/14 11:00:09.221``, as if the clock were UTC."""
    text = text.strip()
    whole, _, fraction = text.partition(".")
    for form in ("%Y/%m/%d %H:%M:%S", "%a %b %d %H:%M:%S %Y", "%Y-%m-%d %H:%M:%S"):
        try:
            stamp = timegm(strptime(whole, form))
        except (ValueError, OverflowError):
            continue
        digits = fraction[:6] if fraction[:6].isascii() and fraction[:6].isdigit() else ""
        return stamp + (int(digits) / 10 ** len(digits) if digits else 0.0)
    return None


def known(values: Mapping[str, Any]) -> dict[str, Any]:
    """Values without those that are unknown."""
    return {name: item for name, item in values.items() if item is not None}
