"""Cable schedules: which link, panel and fibres connect which switch port with which host port.

Every site names the columns its own way; they are found by the words of their headers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from analyzer.model.formats import Dump, Format, Problem, Sniff
from analyzer.model.tables import MAX_TEXT, Column, Row, TableSpec
from parsers._otdr_layout import SEPARATORS, cells
from parsers._otdr_words import length_m

FORMAT = Format("cable-schedule", "table", frozenset({"otdr", "fabric"}), "cable schedule (CSV)")
TABLES = (
    TableSpec(
        name="cable_schedule",
        doc="One link of the cable schedule.",
        columns=(
            Column("link", "str", "link or circuit id", "link"),
            Column("switch", "str", "switch name", "switch"),
            Column("switch_port", "str", "port number on the switch, as written"),
            Column("port", "str", "switch port as switch/port", "port"),
            Column("cable", "str", "trunk or cable id", "cable"),
            Column("cable_type", "str", "type of the fibre, as written"),
            Column("fibres", "str", "fibres of the trunk, as written"),
            Column("first_fibre", "int", "lowest fibre number"),
            Column("last_fibre", "int", "highest fibre number"),
            Column("panel_a", "str", "panel position at the A end"),
            Column("panel_b", "str", "panel position at the B end"),
            Column("hca_node", "str", "host at the far end", "node"),
            Column("hca_device", "str", "adapter or port of that host"),
            Column("hca_port", "str", "host port as node:device", "port"),
            Column("design_length_m", "float", "planned length"),
            Column("connector", "str", "connector and polish, as written"),
            Column("is_apc", "bool", "the connector is angle-polished; null if not stated"),
            Column("optic", "str", "optic type, as written"),
        ),
    ),
)

_WORDS = {
    "link": ("link", "link id", "link no", "circuit", "circuit id", "connection", "connection id", "run id"),
    "switch": ("switch", "switch name", "leaf", "leaf switch", "device a", "from device", "source device",
               "local switch"),
    "switch_port": ("port", "switch port", "leaf port", "port a", "from port", "source port", "port no", "port number"),
    "cable": ("trunk", "trunk id", "cable", "cable id", "trunk cable", "cable no", "cable number"),
    "cable_type": ("cable type", "fiber type", "fibre type", "media", "fibre class", "fiber class"),
    "fibres": ("fibers", "fibres", "fiber", "fibre", "strands", "cores", "fiber range", "fibre range", "fiber numbers",
               "fibre numbers"),
    "panel_a": ("panel a", "a panel", "a end", "a side", "end a", "from panel", "location a", "patch panel a",
                "near panel", "pp a"),
    "panel_b": ("panel b", "b panel", "b end", "b side", "end b", "to panel", "location b", "patch panel b",
                "far panel", "pp b", "z end"),
    "hca": ("hca", "host", "node", "server", "host port", "node port", "hca port", "device b", "to device", "nic",
            "destination", "remote device"),
    "device": ("device", "hca device", "host device", "nic device", "adapter", "to port", "port b", "destination port"),
    "length": ("length", "design length", "planned length", "cable length", "len"),
    "connector": ("connector", "connectors", "connector type", "polish"),
    "optic": ("optic", "optics", "transceiver", "module", "transceiver type", "optic type"),
}  # fmt: skip
_MEANING = {word: field for field, words in _WORDS.items() for word in words}
_UNITS = {"m": 1.0, "ft": 0.3048, "km": 1000.0}
_HEADER_LINES = 40
_NUMBERS = re.compile(r"\d{1,5}")
_DEVICE = re.compile(r"(?P<node>[A-Za-z0-9][\w.-]{0,80}?)[:/ ](?P<device>[A-Za-z]\w{0,30}|\d{1,3})")


def sniff(head: bytes, path: str) -> Sniff | None:
    """Judge by a header with a link or trunk and at least four columns that only schedules have together."""
    if b"\0" in head[:4096]:
        return None
    for number, raw in enumerate(head.split(b"\n", _HEADER_LINES)[:_HEADER_LINES], 1):
        found = _header(_text(raw))
        if found is not None:
            return Sniff(90, f"line {number} is the header of a cable schedule")
    return None


def parse(data: bytes, path: str) -> Dump:
    """Read all rows below the header; rows with neither link nor cable are counted as problems."""
    rows: list[Row] = []
    problems: list[Problem] = []
    header: tuple[str, Sequence[tuple[str | None, float]]] | None = None
    for number, raw in enumerate(data.split(b"\n"), 1):
        line = _text(raw)
        if header is None:
            header = _header(line)
        elif line.strip():
            values = _values(line, header)
            if values.get("link") or values.get("cable"):
                rows.append(Row("cable_schedule", values, line=number, text=line[:MAX_TEXT]))
            else:
                problems.append(Problem("row without link and cable", number))
    if header is None:
        problems.append(Problem("no header of a cable schedule found"))
    return Dump(rows, problems)


def _text(raw: bytes) -> str:
    return raw[:20_000].decode("utf-8-sig", "replace").rstrip("\r")


def _header(line: str) -> tuple[str, Sequence[tuple[str | None, float]]] | None:
    """Separator, and per column its meaning and the unit of lengths."""
    for separator in SEPARATORS:
        if separator not in line or len(line) > 5_000:
            continue
        columns = [_column(cell) for cell in cells(line, separator)]
        fields = {field for field, _ in columns if field}
        ends = fields & {"switch", "panel_a", "panel_b", "hca"}
        if fields & {"link", "cable"} and len(ends) >= 2 and len(fields) >= 4:
            return separator, columns
    return None


def _column(cell: str) -> tuple[str | None, float]:
    found = [word for word in re.split(r"[\W_]+", cell.lower()[:80]) if word]
    unit = next((_UNITS[word] for word in found if word in _UNITS), 1.0)
    return _MEANING.get(" ".join(word for word in found if word not in _UNITS)), unit


def _values(line: str, header: tuple[str, Sequence[tuple[str | None, float]]]) -> dict[str, Any]:
    separator, columns = header
    said: dict[str, str] = {}
    unit = 1.0
    for (field, scale), cell in zip(columns, cells(line, separator), strict=False):
        if field and cell and field not in said:
            said[field] = cell
            unit = scale if field == "length" else unit
    numbers = [int(digits) for digits in _NUMBERS.findall(said.get("fibres", ""))]
    node, device = _host(said)
    connector = said.get("connector")
    return {
        **{name: said.get(name) for name in ("link", "switch", "switch_port", "cable", "cable_type", "fibres")},
        **{name: said.get(name) for name in ("panel_a", "panel_b", "connector", "optic")},
        "port": f"{said['switch']}/{said['switch_port']}" if "switch" in said and "switch_port" in said else None,
        "first_fibre": min(numbers, default=None),
        "last_fibre": max(numbers, default=None),
        "hca_node": node,
        "hca_device": device,
        "hca_port": f"{node}:{device}" if node and device else None,
        "design_length_m": length_m(said.get("length", ""), unit),
        "is_apc": None if connector is None else ("APC" in connector.upper() or None),
    }


def _host(said: dict[str, str]) -> tuple[str | None, str | None]:
    """Node and device of the far end: in one cell (``gpu026:mlx5_0``) or in two."""
    text = said.get("hca", "")
    match = _DEVICE.fullmatch(text)
    if match and "device" not in said:
        return match["node"], match["device"]
    return text or None, said.get("device")
