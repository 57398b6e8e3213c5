"""``perfquery``: all counters of a port, 32-bit and narrower or extended (``-x``), and the error details (``-E``)."""

from __future__ import annotations

import re
from typing import Any, Final

from analyzer.model.formats import Dump, Sniff
from analyzer.model.tables import Row
from parsers import _fabric, _fabric_text, _ib_counters

FORMAT: Final = _fabric.fabric_format("perfquery", "InfiniBand port counters (perfquery)")
TABLES: Final = (_fabric.IB_COUNTERS,)

_HEADER: Final = re.compile(r"# (Port\w*(?: extended)?) counters: Lid (\d+) port (\d+)(.*)")
_CAP_MASK_2: Final = re.compile(r"CapMask2: (0x[0-9a-fA-F]{1,16})")
_COUNTER: Final = re.compile(r"(\w{1,64}):\.+(0x[0-9a-fA-F]{1,16}|\d{1,20})\s*")
_SELECTORS: Final = frozenset({"PortSelect", "CounterSelect", "CounterSelect2"})
_ALWAYS_WIDE: Final = re.compile(r"Port(?:Unicast|Multicast)?(?:Xmit|Rcv)(?:Data|Pkts)")
_WIDE_ERRORS: Final = 0x2


def sniff(head: bytes, path: str) -> Sniff | None:
    """Recognise the header ``# Port counters: Lid 7 port 1``, or the tool's error."""
    for line in _fabric_text.head_lines(head):
        if line.text.startswith("perfquery: iberror"):
            return _fabric_text.claim(90, "is an error of perfquery", head, line.number)
        if _HEADER.match(line.text):
            return _fabric_text.claim(98, f"is {line.text[:40]!r}", head, line.number)
    return None


def parse(data: bytes, path: str) -> Dump:
    """Read one ``ib_counters`` row per counter; sums over all ports (port 255) are left out."""
    unread = _fabric_text.Unread()
    rows: list[Row] = []
    place: dict[str, Any] | None = None
    extended = wide_errors = False
    for line in _fabric_text.lines(data):
        header, counter = _HEADER.match(line.text), _COUNTER.fullmatch(line.text)
        if header:
            extended = "extended" in header[1]
            wide_errors = extended and _has_wide_errors(header[4])
            port = _fabric_text.whole(header[3]) or 0
            place = _ib_counters.port_columns(None, None, None, port, _fabric_text.whole(header[2]))
        elif counter and place is not None:
            if counter[1] not in _SELECTORS and place["port"] != _ib_counters.ALL_PORTS:
                value = _fabric_text.whole(counter[2]) or 0
                wide = extended and (wide_errors or _ALWAYS_WIDE.fullmatch(counter[1]) is not None)
                rows.append(_ib_counters.counter_row(line, place, counter[1], value, wide=wide))
        elif line.text.startswith("perfquery: iberror"):
            unread.add("the tool could not read the counters", line)
        else:
            unread.add_unless_noise(line)
    return Dump(rows, unread.problems())


def _has_wide_errors(rest: str) -> bool:
    mask = _CAP_MASK_2.search(rest)
    return mask is not None and int(mask[1], 16) & _WIDE_ERRORS != 0
