"""``ibstatus``: ports of one host from sysfs, as a shell script prints them."""

from __future__ import annotations

import re
from typing import Any, Final

from analyzer.model.formats import Dump, Sniff
from analyzer.model.tables import Row
from parsers import _fabric, _fabric_text
from parsers._fabric_text import Line

FORMAT: Final = _fabric.fabric_format("ibstatus", "InfiniBand ports of a host (ibstatus)")
TABLES: Final = (_fabric.IB_PORTS,)

_HEADER: Final = re.compile(r"\s*Infiniband device '([^']*)' port (\d+) status:\s*")
_KEYS: Final = frozenset({"default gid", "base lid", "sm lid", "state", "phys state", "rate", "link_layer"})
_LANES: Final = re.compile(r"\((\d{1,3})X")
_LAYERS: Final = {"IB": "InfiniBand"}


def sniff(head: bytes, path: str) -> Sniff | None:
    """Recognise ``Infiniband device 'x' port 1 status:``."""
    for line in _fabric_text.head_lines(head):
        if _HEADER.fullmatch(line.text):
            return _fabric_text.claim(97, f"is {line.text.strip()!r}", head, line.number)
    return None


def parse(data: bytes, path: str) -> Dump:
    """Read one ``ib_ports`` row per port."""
    unread = _fabric_text.Unread()
    rows: list[Row] = []
    port: dict[str, str] = {}
    cited: Line | None = None
    for line in _fabric_text.lines(data):
        header, pair = _HEADER.fullmatch(line.text), _fabric_text.key_value(line.text)
        if header:
            rows.extend(_rows(port, cited))
            port, cited = {"ca": header[1], "port": header[2]}, line
        elif cited is not None and pair and pair[0] in _KEYS:
            port[pair[0]] = pair[1]
            cited = line if pair[0] == "state" else cited
        elif line.text.strip().startswith("Fatal error:"):
            unread.add("the tool could not read the devices", line)
        else:
            unread.add_unless_noise(line)
    rows.extend(_rows(port, cited))
    return Dump(rows, unread.problems())


def _rows(port: dict[str, str], cited: Line | None) -> list[Row]:
    return [_fabric_text.row("ib_ports", cited, _values(port))] if cited is not None else []


def _values(port: dict[str, str]) -> dict[str, Any]:
    state = _fabric_text.state(_known(port.get("state")))
    rate_gbps = None if state == "Down" else _fabric_text.number(_known(port.get("rate")))
    lanes = _LANES.search(port.get("rate", "")) if rate_gbps is not None else None
    number = _fabric_text.whole(port.get("port"))
    layer = _known(port.get("link_layer"))
    guid = _interface_id(port.get("default gid", ""))
    return {
        "ca": port.get("ca"),
        "port": number,
        "port_id": _fabric_text.port_id(port.get("ca"), number),
        "guid": guid if layer != "Ethernet" else None,
        "guid_id": _fabric_text.guid_id(guid) if layer != "Ethernet" else None,
        "lid": _fabric_text.whole(port.get("base lid")),
        "sm_lid": _fabric_text.whole(port.get("sm lid")),
        "state": state,
        "phys_state": _fabric_text.phys_state(_known(port.get("phys state"))),
        "rate_gbps": rate_gbps,
        "width": int(lanes[1]) if lanes else None,
        "speed_gbps": rate_gbps / int(lanes[1]) if rate_gbps is not None and lanes and int(lanes[1]) else None,
        "link_layer": _LAYERS.get(layer, layer) if layer else None,
        "role": "hca",
    }


def _known(value: str | None) -> str | None:
    return None if value in (None, "", "unknown") else value


def _interface_id(gid: str) -> str | None:
    groups = gid.split(":")
    return "0x" + "".join(groups[4:]) if len(groups) == 8 and all(len(group) == 4 for group in groups) else None
