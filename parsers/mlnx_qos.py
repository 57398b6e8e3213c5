"""``mlnx_qos -i``: priority flow control (PFC) and trust of an interface."""

from __future__ import annotations

import re
from typing import Any, Final

from analyzer.model.formats import Dump, Sniff
from analyzer.model.tables import Row
from parsers import _fabric, _fabric_text, ethtool
from parsers._fabric_text import Line

FORMAT: Final = _fabric.fabric_format("mlnx_qos", "flow control of a network interface (mlnx_qos)")
TABLES: Final = (_fabric.QOS,)

_TRUST: Final = re.compile(r"Priority trust state:\s*(\w+)\s*")
_DCBX: Final = re.compile(r"DCBX mode:(.+)")
_LEGEND: Final = re.compile(r"\s*priority((?:\s+\d){1,16})\s*")
_ENABLED: Final = re.compile(r"\s*enabled((?:\s+[01]){1,16})\s*")
_COMMAND: Final = re.compile(r".{0,120}\bmlnx_qos\b.*?\s-i\s+(\S+)")
_KNOWN: Final = re.compile(
    r"PFC configuration:|default priority:|dscp2prio mapping:|Receive buffer size|Cable len|buffer_size|tc: \d"
    r"|priority:|prio:|buffer\s|Buffers commands|ratelimit|max_buffer_size"
)


def sniff(head: bytes, path: str) -> Sniff | None:
    """Recognise the trust state or the PFC section."""
    for line in _fabric_text.head_lines(head):
        if _TRUST.fullmatch(line.text) or line.text.startswith("PFC configuration:"):
            return _fabric_text.claim(96, f"is {line.text.strip()!r}", head, line.number)
    return None


def parse(data: bytes, path: str) -> Dump:
    """Read one ``qos`` row per priority, cited by the line ``enabled``."""
    unread = _fabric_text.Unread()
    rows: list[Row] = []
    whole: dict[str, Any] = {"device": ethtool.device_of(path)}
    priorities: list[int] = []
    for line in _fabric_text.lines(data):
        legend, enabled = _LEGEND.fullmatch(line.text), _ENABLED.fullmatch(line.text)
        if command := _COMMAND.match(line.text):
            whole = {"device": command[1]}
        elif dcbx := _DCBX.fullmatch(line.text):
            whole["dcbx"] = dcbx[1].strip()
        elif trust := _TRUST.fullmatch(line.text):
            whole["trust"] = trust[1].lower()
        elif legend:
            priorities = [int(digit) for digit in legend[1].split()]
        elif enabled and priorities:
            rows.extend(_rows(line, priorities, [flag == "1" for flag in enabled[1].split()], whole))
        elif not _KNOWN.match(line.text.strip()):
            unread.add_unless_noise(line)
    return Dump(rows, unread.problems())


def _rows(line: Line, priorities: list[int], flags: list[bool], whole: dict[str, Any]) -> list[Row]:
    return [
        _fabric_text.row("qos", line, {**whole, "priority": priority, "pfc_enabled": flag, "pfc_any": any(flags)})
        for priority, flag in zip(priorities, flags, strict=False)
    ]
