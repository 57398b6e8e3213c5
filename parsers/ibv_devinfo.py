"""``ibv_devinfo``: RDMA devices of a host as the verbs library sees them; ``-v`` adds width, speed and GIDs."""

from __future__ import annotations

import re
from typing import Any, Final

from analyzer.model.formats import Dump, Sniff
from analyzer.model.tables import Row
from parsers import _fabric, _fabric_text
from parsers._fabric_text import Line

FORMAT: Final = _fabric.fabric_format("ibv_devinfo", "RDMA devices of a host (ibv_devinfo)")
TABLES: Final = (_fabric.IB_PORTS, _fabric.RDMA_DEVICES)

_DEVICE: Final = re.compile(r"hca_id:\s*(\S+)\s*")
_PORT: Final = re.compile(r"\s+port:\s*(\d+)\s*")
_KEY: Final = re.compile(r"\s+([\w /]{1,40}):\s*(.*)")
_LANES: Final = re.compile(r"(\d{1,3})X")
_PORT_LINES: Final = frozenset({
    "state", "max_mtu", "active_mtu", "sm_lid", "port_lid", "port_lmc", "link_layer", "active_width", "active_speed",
    "phys_state", "max_msg_sz", "port_cap_flags", "port_cap_flags2", "max_vl_num", "bad_pkey_cntr", "qkey_viol_cntr",
    "sm_sl", "pkey_tbl_len", "gid_tbl_len", "subnet_timeout", "init_type_reply",
})  # fmt: skip


def sniff(head: bytes, path: str) -> Sniff | None:
    """Recognise ``hca_id:`` at the beginning of a line."""
    for line in _fabric_text.head_lines(head):
        if _DEVICE.fullmatch(line.text):
            return _fabric_text.claim(96, f"is {line.text.strip()!r}", head, line.number)
    return None


def parse(data: bytes, path: str) -> Dump:
    """Read devices into ``rdma_devices`` and their ports into ``ib_ports``."""
    reader = _Reader()
    for line in _fabric_text.lines(data):
        reader.take(line)
    reader.end_device()
    return Dump(reader.rows, reader.unread.problems())


class _Reader:
    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.unread = _fabric_text.Unread()
        self._device: dict[str, str] = {}
        self._device_line: Line | None = None
        self._port: dict[str, str] = {}
        self._state_line: Line | None = None

    def take(self, line: Line) -> None:
        device, port, key = _DEVICE.fullmatch(line.text), _PORT.fullmatch(line.text), _KEY.fullmatch(line.text)
        if device:
            self.end_device()
            self._device_line = line
            self._device["name"] = device[1]
        elif self._device_line is None:
            self.unread.add_unless_noise(line)
        elif port:
            self._end_port()
            self._port["port"] = port[1]
            self._state_line = line
        elif key:
            self._take_key(key[1].strip(), key[2].strip(), line)
        elif "GID[" not in line.text and not line.text.startswith(("\t", " ")):
            self.unread.add_unless_noise(line)

    def _take_key(self, key: str, value: str, line: Line) -> None:
        if self._state_line is None or key not in _PORT_LINES:
            self._device.setdefault(key, value)
            self._device_line = line if key == "node_guid" else self._device_line
            return
        self._port[key] = value
        if key == "state":
            self._state_line = line

    def end_device(self) -> None:
        self._end_port()
        if self._device_line is not None:
            self.rows.append(_fabric_text.row("rdma_devices", self._device_line, _device_values(self._device)))
        self._device, self._device_line = {}, None

    def _end_port(self) -> None:
        if self._state_line is not None:
            self.rows.append(_fabric_text.row("ib_ports", self._state_line, _port_values(self._device, self._port)))
        self._port, self._state_line = {}, None


def _device_values(device: dict[str, str]) -> dict[str, Any]:
    return {
        "device": device.get("name"),
        "ca_type": _ca_type(device),
        "firmware": device.get("fw_ver"),
        "board_id": device.get("board_id"),
        "node_guid": _fabric_text.guid_id(_joined(device.get("node_guid"))),
        "system_guid": _fabric_text.guid_id(_joined(device.get("sys_image_guid"))),
        "has_guid": _fabric_text.has_guid(_joined(device.get("node_guid"))),
        "transport": device.get("transport"),
        "ports": _fabric_text.whole(device.get("phys_port_cnt")),
    }


def _port_values(device: dict[str, str], port: dict[str, str]) -> dict[str, Any]:
    state = _fabric_text.state(port.get("state"))
    up = state != "Down"
    number = _fabric_text.whole(port.get("port"))
    lanes = _LANES.match(port.get("active_width", "")) if up else None
    speed = _fabric_text.number(port.get("active_speed")) if up else None
    mtu = _fabric_text.number(port.get("active_mtu"))
    return {
        "ca": device.get("name"),
        "port": number,
        "port_id": _fabric_text.port_id(device.get("name"), number),
        "node_guid": _fabric_text.guid(_joined(device.get("node_guid"))),
        "lid": _fabric_text.whole(port.get("port_lid")),
        "sm_lid": _fabric_text.whole(port.get("sm_lid")),
        "state": state,
        "phys_state": _fabric_text.phys_state(port.get("phys_state")),
        "rate_gbps": speed * int(lanes[1]) if speed is not None and lanes else None,
        "width": int(lanes[1]) if lanes else None,
        "speed_gbps": speed,
        "link_layer": port.get("link_layer") or None,
        "firmware": device.get("fw_ver"),
        "ca_type": _ca_type(device),
        "role": "vf" if _fabric_text.is_virtual_part(device.get("vendor_part_id")) else "hca",
        "mtu": int(mtu) if mtu is not None and 0 < mtu < 2**31 else None,
    }


def _ca_type(device: dict[str, str]) -> str | None:
    part = _fabric_text.whole(device.get("vendor_part_id"))
    return f"MT{part}" if part is not None else None


def _joined(guid: str | None) -> str | None:
    return guid.replace(":", "") if guid else None
