"""``ip link`` and ``ip addr``: network interfaces of a host with MTU, state, addresses and virtual functions."""

from __future__ import annotations

import re
from typing import Any, Final

from analyzer.model.formats import Dump, Sniff
from analyzer.model.tables import Row
from parsers import _fabric, _fabric_text
from parsers._fabric_text import Line

FORMAT: Final = _fabric.fabric_format("ip_link", "network interfaces of a host (ip link, ip addr)")
TABLES: Final = (_fabric.NETDEVS, _fabric.SRIOV_VFS)

_HEADER: Final = re.compile(r"\d{1,6}: ([^\s:@]{1,40})(?:@[^\s:]{1,40})?: <([A-Z0-9_,-]{0,200})> (.*)")
_VF: Final = re.compile(r"\s+vf (\d{1,4}) +(.*)")
_LINK: Final = re.compile(r"\s+link/(\S+)(?: (\S+))?.*")
_ADDRESS: Final = re.compile(r"\s+inet6? (\S+) .*")
_MTU: Final = re.compile(r"\bmtu (\d{1,9})\b")
_STATE: Final = re.compile(r"\bstate (\S+)")
_PCI: Final = re.compile(r"\bparentbus pci parentdev (\S+)")
_GUID: Final = re.compile(r"\b(NODE|PORT)_GUID ([0-9a-fA-F:]{23})\b")
_VF_STATE: Final = re.compile(r"\blink-state (\w+)")


def sniff(head: bytes, path: str) -> Sniff | None:
    """Recognise ``4: ib0: <BROADCAST,…> mtu 4092 …``."""
    for line in _fabric_text.head_lines(head):
        header = _HEADER.fullmatch(line.text)
        if header and _MTU.search(header[3]):
            return _fabric_text.claim(94, f"is the interface {header[1]!r}", head, line.number)
    return None


def parse(data: bytes, path: str) -> Dump:
    """Read ``netdevs``, each cited by its interface's first line, and ``sriov_vfs``."""
    unread = _fabric_text.Unread()
    rows: list[Row] = []
    device: dict[str, Any] = {}
    cited: Line | None = None
    for line in _fabric_text.lines(data):
        header, vf = _HEADER.fullmatch(line.text), _VF.fullmatch(line.text)
        if header:
            rows.extend(_rows(device, cited))
            device, cited = _device_values(header), line
        elif cited is None:
            unread.add_unless_noise(line)
        elif vf:
            rows.append(_fabric_text.row("sriov_vfs", line, _vf_values(device["device"], vf)))
        elif not _take_detail(device, line.text) and not line.text.startswith((" ", "\t")):
            unread.add_unless_noise(line)
    rows.extend(_rows(device, cited))
    return Dump(rows, unread.problems())


def _rows(device: dict[str, Any], cited: Line | None) -> list[Row]:
    return [_fabric_text.row("netdevs", cited, device)] if cited is not None else []


def _device_values(header: re.Match[str]) -> dict[str, Any]:
    flags = set(header[2].split(","))
    mtu, state, up = _MTU.search(header[3]), _STATE.search(header[3]), "UP" in flags
    return {
        "device": header[1],
        "mtu": int(mtu[1]) if mtu else None,
        "oper_state": state[1] if state else None,
        "up": up,
        "carrier": "NO-CARRIER" not in header[2] and "LOWER_UP" in flags if up else None,
        "ips": [],
    }


def _take_detail(device: dict[str, Any], text: str) -> bool:
    link, address, pci = _LINK.fullmatch(text), _ADDRESS.fullmatch(text), _PCI.search(text)
    if link:
        device["link_type"], device["address"] = link[1], link[2]
    if address:
        device["ips"].append(address[1])
    if pci:
        device["pci"] = pci[1].lower()
    return bool(link or address or pci)


def _vf_values(device: str, vf: re.Match[str]) -> dict[str, Any]:
    guids = {which: _fabric_text.guid(text.replace(":", "")) for which, text in _GUID.findall(vf[2])}
    state = _VF_STATE.search(vf[2])
    return {
        "device": device,
        "vf": int(vf[1]),
        "node_guid": guids.get("NODE"),
        "port_guid": guids.get("PORT"),
        "has_guid": _fabric_text.NO_GUID not in guids.values() if guids else None,
        "link_state": state[1] if state else None,
    }
