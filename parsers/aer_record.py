"""PCIe error record of the kernel (AER): the device, how severe, which layer, which bits."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from analyzer.model.formats import Format
from analyzer.model.tables import Column, Row, TableSpec
from parsers import _lines

FORMAT: Final = Format(
    name="aer_record",
    kind="block",
    families=frozenset({"kernel"}),
    title="PCIe error record (AER)",
)
ANCHOR: Final = "PCIe Bus Error: severity="
MAX_LINES: Final = 24

TABLES: Final = (
    TableSpec(
        name="aer_records",
        doc="One PCIe error record.",
        snapshot=False,
        columns=(
            Column("device", "str", "PCI address of the device that met the error", "slot"),
            Column("driver", "str", "driver of that device"),
            Column("severity", "str", "corrected, fatal or nonfatal, whatever the kernel calls it"),
            Column("type", "str", "layer, e.g. Physical Layer"),
            Column("agent", "str", "role in the transfer, e.g. Receiver ID"),
            Column("pci_id", "str", "vendor and device id, e.g. 10de:2330"),
            Column("status", "str", "error status register, hexadecimal"),
            Column("mask", "str", "error mask register, hexadecimal"),
            Column("bits", "strs", "names of the bits set, e.g. RxErr, whatever the kernel calls them"),
            Column("first_bit", "str", "bit that came first"),
            Column("has_tlp_header", "bool", "true when the record prints the packet's header"),
        ),
    ),
)

_PCI: Final = rb"[0-9a-fA-F]{4,8}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\.[0-7]"
_ERROR: Final = re.compile(
    rb"(?:(?P<driver>[\w-]{1,64}) )?(?P<device>" + _PCI + rb"): (?:AER: )?PCIe Bus Error: "
    rb"severity=(?P<severity>[A-Za-z]{1,16}(?: \([A-Za-z-]{1,16}\))?)"
    rb"(?:, type=(?P<type>[^,]{1,60}))?(?:, (?:id=[0-9a-f]{4})?\((?P<agent>[^)]{1,40})\))?"
)
_STATUS: Final = re.compile(
    rb"device \[([0-9a-fA-F]{4}:[0-9a-fA-F]{4})\] error status/mask=([0-9a-fA-F]{1,8})/([0-9a-fA-F]{1,8})"
)
_BIT: Final = re.compile(
    rb"[: ] {0,48}\[ ?\d{1,2}\] ([A-Za-z][A-Za-z0-9_-]{1,24}(?: [A-Za-z_-]{2,16}){0,2})(?: +(\(First\)))?\s{0,24}$"
)
_NAMES_BEFORE_4_19: Final = {
    "Receiver Error": "RxErr", "Bad TLP": "BadTLP", "Bad DLLP": "BadDLLP", "RELAY_NUM Rollover": "Rollover",
    "Replay Timer Timeout": "Timeout", "Advisory Non-Fatal": "NonFatalErr", "Corrected Internal Error": "CorrIntErr",
    "Header Log Overflow": "HeaderOF", "Data Link Protocol": "DLP", "Surprise Down Error": "SDES",
    "Poisoned TLP": "TLP", "Flow Control Protocol": "FCP", "Completion Timeout": "CmpltTO",
    "Completer Abort": "CmpltAbrt", "Unexpected Completion": "UnxCmplt", "Receiver Overflow": "RxOF",
    "Malformed TLP": "MalfTLP", "Unsupported Request": "UnsupReq", "ACS Violation": "ACSViol",
}  # fmt: skip
_TLP: Final = re.compile(rb"\bTLP Header(?: \(Flit\))?: ")
_DEVICE: Final = re.compile(_PCI)


def ends(line: bytes, count: int) -> bool:
    """True at the packet header, the last line of a record that has one; other records end by their length."""
    return _TLP.search(line) is not None


def read(lines: Sequence[bytes], first_line: int) -> Sequence[Row]:
    """Read one record; lines of other devices in between are passed over."""
    error = _ERROR.search(lines[0]) if lines else None
    if error is None:
        return []
    device = error["device"]
    values = _opening(error)
    bits: list[str] = []
    for line in lines[1:]:
        other = _DEVICE.search(line)
        if other is not None and other[0] != device:
            continue
        if _ERROR.search(line) is not None:
            break
        _take(line, values, bits)
    return [Row(table="aer_records", values=values | {"bits": bits}, line=first_line, text=_lines.text(lines[0]))]


def _opening(error: re.Match[bytes]) -> dict[str, Any]:
    words = {name: _lines.text(value) if value else None for name, value in error.groupdict().items()}
    return {
        "device": (words["device"] or "").lower(),
        "driver": words["driver"],
        "severity": _severity(words["severity"] or ""),
        "type": words["type"],
        "agent": words["agent"],
        "has_tlp_header": False,
    }


def _severity(words: str) -> str:
    """One name for ``Corrected``/``Correctable`` and ``Uncorrected``/``Uncorrectable (Fatal)`` of all kernels."""
    lowered = words.lower()
    if lowered.startswith("correct"):
        return "corrected"
    return "nonfatal" if "non" in lowered else "fatal"


def _take(line: bytes, values: dict[str, Any], bits: list[str]) -> None:
    status = _STATUS.search(line)
    if status is not None and "status" not in values:
        values["pci_id"], values["status"], values["mask"] = (_lines.text(word).lower() for word in status.groups())
        return
    bit = _BIT.search(line)
    if bit is not None:
        name = _lines.text(bit[1])
        bits.append(_NAMES_BEFORE_4_19.get(name, name))
        if bit[2]:
            values.setdefault("first_bit", bits[-1])
    if _TLP.search(line) is not None:
        values["has_tlp_header"] = True
