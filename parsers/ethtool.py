"""``ethtool -S``: counters of a network interface; a file may hold several readings and several interfaces."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from analyzer.model.formats import Dump, Sniff
from analyzer.model.tables import Row
from parsers import _fabric, _fabric_text

FORMAT: Final = _fabric.fabric_format("ethtool", "counters of a network interface (ethtool -S)")
TABLES: Final = (_fabric.NIC_COUNTERS,)

_HEADER: Final = re.compile(r"\s*NIC statistics(?: for (\S+))?:\s*")
_COUNTER: Final = re.compile(r"\s*([A-Za-z\[][\w\[\]. :/-]{0,80}?)\s*:\s*(-?\d{1,20})\s*")
_COMMAND: Final = re.compile(r".{0,120}\bethtool\s+(?:-S|--statistics)\s+(\S+)")
_IN_NAME: Final = re.compile(r"(?:^|[-_.])((?:en[opsxP]?|eth|ib|bond|rdma|mlx5_)\d[A-Za-z0-9_]{0,20})(?=[-.]|$)")


def sniff(head: bytes, path: str) -> Sniff | None:
    """Recognise ``NIC statistics:``."""
    for line in _fabric_text.head_lines(head):
        if _HEADER.fullmatch(line.text):
            return _fabric_text.claim(95, f"is {line.text.strip()!r}", head, line.number)
    return None


def parse(data: bytes, path: str) -> Dump:
    """Read one ``nic_counters`` row per counter and reading."""
    unread = _fabric_text.Unread()
    rows: list[Row] = []
    readings: Counter[str | None] = Counter()
    device = device_of(path)
    inside = False
    for line in _fabric_text.lines(data):
        header, command = _HEADER.fullmatch(line.text), _COMMAND.match(line.text)
        counter = _COUNTER.fullmatch(line.text) if inside else None
        if header:
            device = header[1] or device
            readings[device] += 1
            inside = True
        elif command:
            device, inside = command[1], False
        elif counter:
            value = _signed(counter[2])
            values = {"device": device, "counter": counter[1], "value": value, "sample": readings[device] - 1}
            rows.append(_fabric_text.row("nic_counters", line, values))
        else:
            unread.add_unless_noise(line)
    return Dump(rows, unread.problems())


def device_of(path: str) -> str | None:
    """Interface that a file name mentions, e.g. ``ens5np0`` of ``ethtool-S-ens5np0.txt``."""
    found = _IN_NAME.search(path.rsplit("/", 1)[-1])
    return found[1] if found else None


def _signed(text: str) -> int:
    size = _fabric_text.whole(text.lstrip("-")) or 0
    return -size if text.startswith("-") else size
