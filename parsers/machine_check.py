"""Machine check of a processor: the kernel's own lines, mcelog's record, rasdaemon's line; status bits taken apart."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from analyzer.model.formats import Format
from analyzer.model.tables import Column, Row, TableSpec
from parsers import _lines

FORMAT: Final = Format(
    name="machine_check",
    kind="block",
    families=frozenset({"kernel", "text"}),
    title="machine check of a processor (kernel, mcelog, rasdaemon)",
)
ANCHOR: Final = (
    r"Machine Check(?: Exception)?: {1,4}[0-9a-f]{1,4} Bank \d{1,3}: {1,4}[0-9a-f]{1,16}|"
    r"Hardware event\. This is not a software error|mce_record: {1,20}\d{4}-"
)
MAX_LINES: Final = 30

TABLES: Final = (
    TableSpec(
        name="machine_checks",
        doc="One machine check of a processor.",
        snapshot=False,
        columns=(
            Column("reporter", "str", "kernel, mcelog or rasdaemon"),
            Column("cpu", "int", "processor, as the kernel numbers them", "cpu"),
            Column("socket", "int", "socket"),
            Column("bank", "int", "machine check bank"),
            Column("status", "str", "status register, 16 hexadecimal digits"),
            Column("address", "str", "address, hexadecimal, if one is given"),
            Column("corrected", "bool", "true when bit 61 (UC) of the status is clear"),
            Column("overflow", "bool", "bit 62: another error was lost"),
            Column("context_corrupt", "bool", "bit 57 (PCC): the processor cannot go on"),
            Column("error_code", "int", "bits 15 to 0: the architectural error code"),
            Column("processor", "str", "vendor and model as printed, e.g. 0:50657"),
            Column("microcode", "str", "revision of the microcode"),
            Column("stated_s", "int", "time that the record states, seconds since 1970"),
            Column("text_of_error", "str", "what mcelog or rasdaemon makes of the code"),
        ),
    ),
)

_KERNEL: Final = re.compile(
    rb"(?:CPU (?P<cpu>\d{1,5}): )?Machine Check(?: Exception)?: {1,4}[0-9a-f]{1,4} Bank (?P<bank>\d{1,3}): {1,4}"
    rb"(?P<status>[0-9a-f]{1,16})"
)
_FIELDS: Final = (
    re.compile(rb"\bADDR (?P<address>(?:0x)?[0-9a-f]{1,16})\b"),
    re.compile(rb"\bPROCESSOR (?P<processor>[0-9a-f]{1,4}:[0-9a-f]{1,8})\b"),
    re.compile(rb"\bTIME (?P<stated_s>\d{9,11})\b"),
    re.compile(rb"\bSOCKET(?:ID)? (?P<socket>\d{1,4})\b"),
    re.compile(rb"\bmicrocode (?P<microcode>[0-9a-f]{1,16})\b"),
    re.compile(rb"\bCPU (?P<cpu>\d{1,5}) BANK (?P<bank>\d{1,3})\b"),
    re.compile(rb"\bSTATUS (?P<status>(?:0x)?[0-9a-f]{1,16}) MCGSTATUS"),
    re.compile(rb"\b(?:MCA: |mcelog: MCA: )(?P<text_of_error>[^\n]{1,120})"),
    re.compile(rb"\bCPUID Vendor (?P<processor>\w{1,20} Family \d{1,4} Model \d{1,4})"),
)
_RASDAEMON: Final = (
    re.compile(rb"\bbank= ?(?P<bank>\d{1,3})\b"),
    re.compile(rb"\bstatus= ?(?:0x)?(?P<status>[0-9a-f]{1,16})\b"),
    re.compile(rb"\bcpu= ?(?P<cpu>\d{1,5})\b"),
    re.compile(rb"\bsocketid= ?(?P<socket>\d{1,4})\b"),
    re.compile(rb"\baddr= ?(?:0x)?(?P<address>[0-9a-f]{1,16})\b"),
    re.compile(rb"\bmca= ?(?P<text_of_error>[^,\n]{1,120})"),
)
_OTHER: Final = re.compile(ANCHOR.encode())
_MCELOG: Final = b"This is not a software error"
_NUMBERS: Final = frozenset({"cpu", "bank", "socket", "stated_s"})
_OVERFLOW: Final = 62
_UNCORRECTED: Final = 61
_CONTEXT_CORRUPT: Final = 57
_ERROR_CODE: Final = 0xFFFF


def ends(line: bytes, count: int) -> bool:
    """True at the last line of a record: the processor for the kernel, its model for mcelog."""
    return b"PROCESSOR " in line or b"CPUID Vendor " in line


def read(lines: Sequence[bytes], first_line: int) -> Sequence[Row]:
    """Read one record; a record without a status tells nothing and is left out."""
    if not lines or _OTHER.search(lines[0]) is None:
        return []
    values: dict[str, Any] = {"reporter": _reporter(lines[0])}
    forms = _RASDAEMON if values["reporter"] == "rasdaemon" else (_KERNEL, *_FIELDS)
    for line in lines[:1] if values["reporter"] == "rasdaemon" else lines:
        if line is not lines[0] and _OTHER.search(line):
            break
        for form in forms:
            if found := form.search(line):
                _note(values, found.groupdict())
    if "status" not in values:
        return []
    values |= _flags(int(values["status"], 16))
    return [Row(table="machine_checks", values=values, line=first_line, text=_lines.text(lines[0]))]


def _reporter(line: bytes) -> str:
    if b"mce_record:" in line:
        return "rasdaemon"
    return "mcelog" if _MCELOG in line else "kernel"


def _note(values: dict[str, Any], found: dict[str, bytes | None]) -> None:
    for name, value in found.items():
        if value is None:
            continue
        text = _lines.text(value).strip()
        if name in _NUMBERS:
            values.setdefault(name, int(text))
        elif name in ("status", "address"):
            values.setdefault(name, text.removeprefix("0x").rjust(16, "0"))
        else:
            values.setdefault(name, text)


def _flags(status: int) -> dict[str, Any]:
    """Architectural bits of the status register (IA32_MCi_STATUS, MCA_STATUS)."""
    return {
        "corrected": not status >> _UNCORRECTED & 1,
        "overflow": bool(status >> _OVERFLOW & 1),
        "context_corrupt": bool(status >> _CONTEXT_CORRUPT & 1),
        "error_code": status & _ERROR_CODE,
    }
