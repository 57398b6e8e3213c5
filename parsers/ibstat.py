"""``ibstat``: the adapters of one host and their ports, as the host sees them.

Both layouts are read: the tab-indented blocks of the whole host (tabs may have become blanks) and the flat one of
``ibstat <ca> <port>``.
"""

from __future__ import annotations

import re
from typing import Any, Final

from analyzer.model.formats import Dump, Sniff
from analyzer.model.tables import Row
from parsers import _fabric, _fabric_text
from parsers._fabric_text import Line

FORMAT: Final = _fabric.fabric_format("ibstat", "InfiniBand adapters of a host (ibstat)")
TABLES: Final = (_fabric.IB_PORTS, _fabric.RDMA_DEVICES)

_HEADER: Final = re.compile(r"\s*(CA|Switch|Router|iWARP RNIC)(:?) '([^']*)'\s*")
_DENIED: Final = re.compile(r"(?:ibstat|ibpanic): .{0,200}(?:Permission denied|can't list|can't get)")
_PORT: Final = re.compile(r"\s*Port (\d+):\s*")
_ROLES: Final = {"Switch": "switch", "Router": "router"}
_LAYERS: Final = {"IB": "InfiniBand"}
_DEVICE_KEYS: Final = frozenset(
    {"CA type", "Number of ports", "Firmware version", "Hardware version", "Node GUID", "System image GUID"}
)
_PORT_KEYS: Final = frozenset({
    "State", "Physical state", "Rate", "Base lid", "LMC", "SM lid", "Capability mask", "Port GUID", "Link layer",
    "Effective speed",
})  # fmt: skip


def sniff(head: bytes, path: str) -> Sniff | None:
    """Recognise a header line ``CA 'name'`` followed by the keys of an adapter."""
    texts = [line.text for line in _fabric_text.head_lines(head)]
    for number, text in enumerate(texts, start=1):
        if _HEADER.fullmatch(text) and any(_is_key(after) for after in texts[number : number + 4]):
            return _fabric_text.claim(97, f"is {text.strip()!r}", head, number)
    failed = any(text.startswith(("ibstat:", "ibpanic:")) for text in texts)
    return Sniff(80, "file name, and an error of ibstat") if failed and "ibstat" in path.rsplit("/", 1)[-1] else None


def parse(data: bytes, path: str) -> Dump:
    """Read the host's ports into ``ib_ports`` and its adapters into ``rdma_devices``."""
    reader = _Reader()
    for line in _fabric_text.lines(data):
        reader.take(line)
    reader.end_device()
    return Dump(reader.rows, reader.unread.problems())


def _is_key(text: str) -> bool:
    pair = _fabric_text.key_value(text)
    return pair is not None and (pair[0] in _DEVICE_KEYS or pair[0] in _PORT_KEYS)


class _Reader:
    """Collects the keys of an adapter and of its current port until the next begins."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.unread = _fabric_text.Unread()
        self._kind = "CA"
        self._device: dict[str, str] = {}
        self._device_line: Line | None = None
        self._port: dict[str, str] = {}
        self._port_line: Line | None = None
        self._state_line: Line | None = None

    def take(self, line: Line) -> None:
        header = _HEADER.fullmatch(line.text)
        port = _PORT.fullmatch(line.text)
        if header:
            self.end_device()
            self._kind, self._device_line = header.group(1), line
            self._device["name"] = header.group(3)
        elif port and self._device_line:
            self._end_port()
            self._port_line = self._state_line = line
            self._port["port"] = port.group(1)
        else:
            self._take_key(line)

    def _take_key(self, line: Line) -> None:
        pair = _fabric_text.key_value(line.text)
        if pair is None or self._device_line is None or pair[0] not in _DEVICE_KEYS | _PORT_KEYS:
            self._take_other(line)
            return
        if pair[0] in _DEVICE_KEYS:
            self._device[pair[0]] = pair[1]
            self._device_line = line if pair[0] == "Node GUID" else self._device_line
            return
        self._port[pair[0]] = pair[1]
        self._port_line = self._port_line or line
        if pair[0] == "State" or self._state_line is None:
            self._state_line = line

    def _take_other(self, line: Line) -> None:
        if _DENIED.match(line.text):
            self.unread.add("the tool could not read the adapters", line)
        else:
            self.unread.add_unless_noise(line)

    def end_device(self) -> None:
        self._end_port()
        if self._device_line is not None:
            self.rows.append(_fabric_text.row("rdma_devices", self._device_line, _device_values(self._device)))
        self._device, self._device_line = {}, None

    def _end_port(self) -> None:
        if self._port_line is not None and self._state_line is not None:
            values = _port_values(self._kind, self._device, self._port)
            self.rows.append(_fabric_text.row("ib_ports", self._state_line, values))
            if "State" not in self._port:
                self.unread.add("port without a state", self._port_line)
        self._port, self._port_line, self._state_line = {}, None, None


def _device_values(device: dict[str, str]) -> dict[str, Any]:
    return {
        "device": device.get("name"),
        "ca_type": device.get("CA type") or None,
        "firmware": device.get("Firmware version") or None,
        "node_guid": _fabric_text.guid_id(device.get("Node GUID")),
        "system_guid": _fabric_text.guid(device.get("System image GUID")),
        "has_guid": _fabric_text.has_guid(device.get("Node GUID")),
        "ports": _fabric_text.whole(device.get("Number of ports")),
    }


def _port_values(kind: str, device: dict[str, str], port: dict[str, str]) -> dict[str, Any]:
    state = _fabric_text.state(port.get("State"))
    number = _fabric_text.whole(port.get("port"))
    layer = port.get("Link layer")
    return {
        "ca": device.get("name"),
        "port": number,
        "port_id": _fabric_text.port_id(device.get("name"), number),
        "guid": port.get("Port GUID"),
        "guid_id": _fabric_text.guid_id(port.get("Port GUID")),
        "node_guid": _fabric_text.guid(device.get("Node GUID")),
        "lid": _fabric_text.whole(port.get("Base lid")),
        "sm_lid": _fabric_text.whole(port.get("SM lid")),
        "state": state,
        "phys_state": _fabric_text.phys_state(port.get("Physical state")),
        "rate_gbps": None if state == "Down" else _fabric_text.number(port.get("Rate")),
        "link_layer": _LAYERS.get(layer, layer) if layer else None,
        "firmware": device.get("Firmware version") or None,
        "ca_type": device.get("CA type") or None,
        "role": _ROLES.get(kind, "vf" if _is_virtual(device, layer) else "hca"),
    }


def _is_virtual(device: dict[str, str], layer: str | None) -> bool:
    unprogrammed = _fabric_text.guid(device.get("Node GUID")) == _fabric_text.NO_GUID and layer != "Ethernet"
    return unprogrammed or _fabric_text.is_virtual_part(device.get("CA type"))
