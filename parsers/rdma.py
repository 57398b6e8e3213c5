"""``rdma link`` and ``rdma statistic`` (iproute2): RDMA ports of a host and their counters, one line per port."""

from __future__ import annotations

import re
from typing import Any, Final

from analyzer.model.formats import Dump, Sniff
from analyzer.model.tables import Row
from parsers import _fabric, _fabric_text
from parsers._fabric_text import Line

FORMAT: Final = _fabric.fabric_format("rdma", "RDMA links of a host (rdma link, rdma statistic)")
TABLES: Final = (_fabric.IB_PORTS, _fabric.NIC_COUNTERS)

_LINK: Final = re.compile(r"(?:link |\d{1,5}/\d{1,3}: )([A-Za-z][\w.-]{0,40})/(\d{1,3}):? (.*)")
_MAX_WORDS: Final = 2_000


def sniff(head: bytes, path: str) -> Sniff | None:
    """Recognise ``link mlx5_0/1 …`` with a state or counters."""
    for line in _fabric_text.head_lines(head):
        found = _LINK.fullmatch(line.text.strip())
        if found and (" physical_state " in line.text or _is_statistic(found[3])):
            return _fabric_text.claim(95, f"begins {line.text.strip()[:20]!r}", head, line.number)
    return None


def parse(data: bytes, path: str) -> Dump:
    """Read ``ib_ports`` from link lines and ``nic_counters`` from statistic lines."""
    unread = _fabric_text.Unread()
    rows: list[Row] = []
    for line in _fabric_text.lines(data):
        found = _LINK.fullmatch(line.text.strip())
        if found is None:
            unread.add_unless_noise(line)
            continue
        words = found[3].split()[:_MAX_WORDS]
        pairs = dict(zip(words[::2], words[1::2], strict=False))
        if "state" in pairs:
            rows.append(_port_row(line, found[1], int(found[2]), pairs))
        else:
            rows.extend(_counter_rows(line, found[1], int(found[2]), pairs, unread))
    return Dump(rows, unread.problems())


def _is_statistic(text: str) -> bool:
    words = text.split()[:20]
    return len(words) >= 2 and all(word.isdigit() for word in words[1::2])


def _port_row(line: Line, device: str, port: int, pairs: dict[str, str]) -> Row:
    values: dict[str, Any] = {
        "ca": device,
        "port": port,
        "port_id": _fabric_text.port_id(device, port),
        "lid": _fabric_text.whole(pairs.get("lid")),
        "sm_lid": _fabric_text.whole(pairs.get("sm_lid")),
        "state": _fabric_text.state(pairs.get("state")),
        "phys_state": _fabric_text.phys_state(pairs.get("physical_state")),
        "link_layer": "InfiniBand" if "sm_lid" in pairs else "Ethernet" if "netdev" in pairs else None,
        "role": "hca",
        "netdev": pairs.get("netdev"),
    }
    return _fabric_text.row("ib_ports", line, values)


def _counter_rows(line: Line, device: str, port: int, pairs: dict[str, str], unread: _fabric_text.Unread) -> list[Row]:
    rows: list[Row] = []
    for counter, text in pairs.items():
        value = _fabric_text.whole(text)
        if value is None:
            unread.add("damaged statistic line", line)
            return rows
        values = {"device": device, "port": port, "counter": counter, "value": value, "sample": 0}
        rows.append(_fabric_text.row("nic_counters", line, values))
    return rows
