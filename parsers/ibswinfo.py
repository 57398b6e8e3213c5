"""``ibswinfo``: inventory, power supplies, fans and temperatures of an unmanaged switch, read in-band."""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple

from analyzer.model.formats import Dump, Sniff
from analyzer.model.tables import Row
from parsers import _fabric, _fabric_text
from parsers._fabric_text import Line

FORMAT: Final = _fabric.fabric_format("ibswinfo", "power supplies, fans and temperatures of a switch (ibswinfo)")
TABLES: Final = (_fabric.SWITCH_PARTS,)

_RULE: Final = re.compile(r"={10,}|-{10,}")
_PAIR: Final = re.compile(r"( {0,20})([A-Za-z][\w#./() :-]{0,30}?) {1,30}\| ?(.*)")
_SUPPLY: Final = re.compile(r"(PSU\d) (status)")
_IDENTITY: Final = frozenset(
    {"part number", "serial number", "product name", "revision", "ports", "PSID", "GUID", "firmware version"}
)


class _Reading(NamedTuple):
    line: Line
    part: str
    name: str
    value: str


def sniff(head: bytes, path: str) -> Sniff | None:
    """Recognise the ruled table with a switch's identity and a power supply."""
    pairs = [_PAIR.fullmatch(line.text) for line in _fabric_text.head_lines(head, 80)]
    names = {pair[2] for pair in pairs if pair}
    if names & _IDENTITY and any(_SUPPLY.fullmatch(name) for name in names):
        return Sniff(95, "a ruled table of a switch's parts")
    return None


def parse(data: bytes, path: str) -> Dump:
    """Read one ``switch_parts`` row per reading; several switches may follow each other."""
    unread = _fabric_text.Unread()
    rows: list[Row] = []
    desc: str | None = None
    readings: list[_Reading] = []
    part = "switch"
    for line in _fabric_text.lines(data):
        pair, text = _PAIR.fullmatch(line.text), line.text.strip()
        if pair:
            part, name = _part_of(part, pair[1], pair[2])
            readings.append(_Reading(line, part, name, pair[3].strip()))
        elif _RULE.fullmatch(text):
            part = "switch"
        elif text and readings:
            rows.extend(_rows(desc, readings))
            desc, readings = text, []
        elif text and desc is None:
            desc = text
        else:
            unread.add_unless_noise(line)
    rows.extend(_rows(desc, readings))
    return Dump(rows, unread.problems())


def _part_of(part: str, indent: str, name: str) -> tuple[str, str]:
    supply = _SUPPLY.fullmatch(name)
    if supply:
        return supply[1], supply[2]
    if indent:
        return part, name
    return ("fan" if name.startswith("fan") else "switch"), name


def _rows(desc: str | None, readings: list[_Reading]) -> list[Row]:
    guid = next((reading.value for reading in readings if reading.name == "GUID"), None)
    switch: dict[str, Any] = {
        "switch_desc": desc,
        "switch": _fabric_text.named(desc, "switch").switch,
        "switch_guid": _fabric_text.guid_id(guid),
    }
    return [
        _fabric_text.row("switch_parts", reading.line, {**switch, **_values(reading)})
        for reading in readings
        if reading.name != "GUID"
    ]


def _values(reading: _Reading) -> dict[str, Any]:
    is_state = reading.name.endswith("status") or reading.name == "DC power"
    measured = reading.name not in _IDENTITY and not is_state
    return {
        "part": reading.part,
        "reading": reading.name,
        "value": reading.value,
        "number": _fabric_text.number(reading.value) if measured else None,
        "ok": reading.value == "OK" if is_state and reading.value else None,
    }
