"""``ethtool -a``: whether an interface obeys and sends global pause frames (IEEE 802.3x)."""

from __future__ import annotations

import re
from typing import Any, Final

from analyzer.model.formats import Dump, Sniff
from analyzer.model.tables import Row
from parsers import _fabric, _fabric_text
from parsers._fabric_text import Line

FORMAT: Final = _fabric.fabric_format("ethtool_pause", "global pause of a network interface (ethtool -a)")
TABLES: Final = (_fabric.QOS,)

_HEADER: Final = re.compile(r"\s*Pause parameters for (\S+?):\s*")
_SETTINGS: Final = {"RX": "global_pause_rx", "TX": "global_pause_tx"}
_OTHER: Final = frozenset({"Autonegotiate", "RX negotiated", "TX negotiated"})


def sniff(head: bytes, path: str) -> Sniff | None:
    """Recognise ``Pause parameters for …``."""
    for line in _fabric_text.head_lines(head):
        if _HEADER.fullmatch(line.text):
            return _fabric_text.claim(96, f"is {line.text.strip()!r}", head, line.number)
    return None


def parse(data: bytes, path: str) -> Dump:
    """Read one ``qos`` row per interface; its line is the one of the first setting that is on."""
    unread = _fabric_text.Unread()
    rows: list[Row] = []
    values: dict[str, Any] = {}
    cited: Line | None = None
    for line in _fabric_text.lines(data):
        header, pair = _HEADER.fullmatch(line.text), _fabric_text.key_value(line.text)
        if header:
            rows.extend(_rows(values, cited))
            values, cited = {"device": header[1]}, line
        elif cited is not None and pair and pair[0] in _SETTINGS:
            on = pair[1] == "on"
            cited = line if on and True not in values.values() else cited
            values[_SETTINGS[pair[0]]] = on
        elif cited is None or not pair or pair[0] not in _OTHER:
            unread.add_unless_noise(line)
    rows.extend(_rows(values, cited))
    return Dump(rows, unread.problems())


def _rows(values: dict[str, Any], cited: Line | None) -> list[Row]:
    return [_fabric_text.row("qos", cited, values)] if cited is not None else []
