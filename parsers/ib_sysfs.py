"""Counters under ``/sys/class/infiniband``: pasted as ``path:value`` lines, or copied as a tree of one-number files."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any, Final

from analyzer.model.formats import Dump, Sniff
from analyzer.model.tables import Row
from parsers import _fabric, _fabric_text, _ib_counters
from parsers._fabric_text import Line

FORMAT: Final = _fabric.fabric_format("ib_sysfs", "InfiniBand counters of a host (sysfs)")
TABLES: Final = (_fabric.IB_COUNTERS, _fabric.NIC_COUNTERS)

_PATH: Final = re.compile(r"(?:.*/)?infiniband/([\w.-]+)/ports/(\d{1,3})/(hw_counters|counters)/(\w{1,64})")
_TREE: Final = re.compile(
    r"(?:.*/)?(?:sys-class-)?infiniband[\w.-]*/([\w.-]+)/ports/(\d{1,3})/(hw_counters|counters)/(\w{1,64})"
)
_LINE: Final = re.compile(r"(\S{1,300})(?::\s*|\s*=\s*|\s+)(\d{1,20})\s*")
_SPELLED: Final = {
    "symbol_error": "SymbolErrorCounter", "link_error_recovery": "LinkErrorRecoveryCounter",
    "link_downed": "LinkDownedCounter", "port_rcv_errors": "PortRcvErrors",
    "port_rcv_remote_physical_errors": "PortRcvRemotePhysicalErrors",
    "port_rcv_switch_relay_errors": "PortRcvSwitchRelayErrors", "port_xmit_discards": "PortXmitDiscards",
    "port_xmit_constraint_errors": "PortXmitConstraintErrors", "port_rcv_constraint_errors": "PortRcvConstraintErrors",
    "local_link_integrity_errors": "LocalLinkIntegrityErrors",
    "excessive_buffer_overrun_errors": "ExcessiveBufferOverrunErrors", "VL15_dropped": "VL15Dropped",
    "port_xmit_wait": "PortXmitWait", "port_xmit_data": "PortXmitData", "port_rcv_data": "PortRcvData",
    "port_xmit_packets": "PortXmitPkts", "port_rcv_packets": "PortRcvPkts",
}  # fmt: skip
_64_BIT: Final = frozenset({"PortXmitData", "PortRcvData", "PortXmitPkts", "PortRcvPkts"})


def sniff(head: bytes, path: str) -> Sniff | None:
    """Recognise lines with a counter's path, or a file at such a path that holds one number."""
    if _TREE.fullmatch(path) and head.strip().isdigit():
        return Sniff(90, "a number in a file of a sysfs counter's path")
    for line in _fabric_text.head_lines(head, 50):
        found = _LINE.fullmatch(line.text)
        if found and _PATH.fullmatch(found[1]):
            return _fabric_text.claim(95, "is the path of a counter with its value", head, line.number)
    return None


def parse(data: bytes, path: str) -> Dump:
    """Read port counters into ``ib_counters``, the adapter's own (``hw_counters``) into ``nic_counters``."""
    unread = _fabric_text.Unread()
    rows: list[Row] = []
    readings: Counter[str] = Counter()
    lines = _fabric_text.lines(data)
    tree = _TREE.fullmatch(path)
    if tree and data.strip().isdigit():
        first = next(line for line in lines if line.text.strip())
        return Dump([_row(first, tree, first.text.strip(), 0)])
    for line in lines:
        found = _LINE.fullmatch(line.text)
        counter = _PATH.fullmatch(found[1]) if found else None
        if found and counter:
            rows.append(_row(line, counter, found[2], readings[counter[0]]))
            readings[counter[0]] += 1
        else:
            unread.add_unless_noise(line)
    return Dump(rows, unread.problems())


def _row(line: Line, place: re.Match[str], text: str, sample: int) -> Row:
    device, port, kind, name = place[1], int(place[2]), place[3], place[4]
    value = _fabric_text.whole(text) or 0
    if kind == "hw_counters":
        values = {"device": device, "port": port, "counter": name, "value": value, "sample": sample}
        return _fabric_text.row("nic_counters", line, values)
    spelled = _SPELLED.get(name, name)
    columns: dict[str, Any] = {"hca": device, "port": port, "port_id": _fabric_text.port_id(device, port)}
    return _ib_counters.counter_row(line, columns, spelled, value, wide=spelled in _64_BIT)
