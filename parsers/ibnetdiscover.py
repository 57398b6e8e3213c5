"""``ibnetdiscover``: the topology of a fabric, as records per node or as a list of ports (``-p``).

Only connected ports are listed with their link; state and capability are not printed.
"""

from __future__ import annotations

import re
from typing import Any, Final

from analyzer.model.formats import Dump, Sniff
from analyzer.model.tables import Row
from parsers import _fabric, _fabric_text, _ib_ends
from parsers._fabric_text import Line

FORMAT: Final = _fabric.fabric_format("ibnetdiscover", "InfiniBand topology (ibnetdiscover)")
TABLES: Final = (_fabric.IB_NODES, _fabric.IB_LINKS)

_NODE: Final = re.compile(r'(Switch|Ca|Rt)\s+(\d{1,4})\s+"[SHR]-([0-9a-fA-F]{1,16})"\s+#\s*"(.*)"([^"]*)')
_PORT: Final = re.compile(
    r"\[(\d{1,3})\](?:\[ext \d{1,4}\])?(?:\(([0-9a-fA-F]{1,16})\))?\s+"
    r'"([SHR])-([0-9a-fA-F]{1,16})"\[(\d{1,3})\](?:\[ext \d{1,4}\])?(?:\(([0-9a-fA-F]{1,16})\))?\s*'
    r'#([^"]*)"(.*)"([^"]*)'
)
_LIST: Final = re.compile(r"(CA|SW|RT)\s+(\d{1,5})\s+(\d{1,3})\s+(0x[0-9a-fA-F]{1,16})\s+(\d{1,3})x\s+(\S{1,8})(.*)")
_LIST_PEER: Final = re.compile(
    r"\s+-\s+(CA|SW|RT)\s+(\d{1,5})\s+(\d{1,3})\s+(0x[0-9a-fA-F]{1,16})\s+\(\s*'(.{0,80})' - '(.{0,80})'\s*\)\s*"
)
_LID: Final = re.compile(r"\blid (\d{1,5})\b")
_RATE: Final = re.compile(r"\b(\d{1,3})x([A-Z]+\d{0,2})\b")
_HEADS: Final = re.compile(r"\s*(?:#.*|(?:vendid|devid|sysimgguid|switchguid|caguid|rtguid|portguid)=.*|Chassis \d.*)?")
_KINDS: Final = {"Switch": "switch", "Ca": "ca", "Rt": "router", "S": "switch", "H": "ca", "R": "router",
                 "SW": "switch", "CA": "ca", "RT": "router"}  # fmt: skip
_GBPS: Final = {
    "SDR": 2.5, "DDR": 5.0, "QDR": 10.0, "FDR10": 10.0, "FDR": 14.0625, "EDR": 25.78125, "HDR": 53.125, "NDR": 106.25,
    "XDR": 212.5,
}  # fmt: skip


def sniff(head: bytes, path: str) -> Sniff | None:
    """Recognise the header of a node record or a line of the port list."""
    for line in _fabric_text.head_lines(head):
        if _NODE.fullmatch(line.text) or line.text.startswith("# Topology file: generated on"):
            return _fabric_text.claim(96, f"begins {line.text[:24]!r}", head, line.number)
        if _LIST.fullmatch(line.text):
            return _fabric_text.claim(90, "is a port of a topology", head, line.number)
    return None


def parse(data: bytes, path: str) -> Dump:
    """Read ``ib_nodes`` and ``ib_links``; a connected port counts as ``LinkUp``, its logical state is unknown."""
    unread = _fabric_text.Unread()
    rows: list[Row] = []
    node: dict[str, Any] | None = None
    for line in _fabric_text.lines(data):
        header, port, listed = _NODE.fullmatch(line.text), _PORT.fullmatch(line.text), _LIST.fullmatch(line.text)
        if header:
            node = _node_values(header)
            rows.append(_fabric_text.row("ib_nodes", line, node, node["host"]))
        elif port and node is not None:
            rows.append(_link_row(line, _record_end(port, node), node["node_desc"], node["kind"]))
        elif listed:
            rows.append(_listed_row(line, listed))
        elif not _HEADS.fullmatch(line.text):
            unread.add_unless_noise(line)
    return Dump(rows, unread.problems())


def _node_values(header: re.Match[str]) -> dict[str, Any]:
    kind, desc = _KINDS[header[1]], header[4].strip()
    name = _fabric_text.named(desc, kind)
    lid = _LID.search(header[5])
    return {
        "kind": kind,
        "node_guid": _fabric_text.guid_id(header[3]),
        "node_desc": desc,
        "host": name.host,
        "hca": name.hca,
        "switch": name.switch,
        "lid": _fabric_text.whole(lid[1]) if lid else None,
        "ports": int(header[2]),
    }


def _record_end(port: re.Match[str], node: dict[str, Any]) -> tuple[_ib_ends.LinkEnd, str]:
    own_lid, peer_lid, rate = _LID.search(port[7]), _LID.search(port[9]), _RATE.search(port[9])
    lid = int(own_lid[1]) if own_lid else node["lid"] or 0
    own_guid = port[2] or node["node_guid"]
    end = _ib_ends.LinkEnd(
        own_guid, None, lid, int(port[1]), _link_values(rate[1] if rate else None, rate[2] if rate else None),
        port[6] or port[4], int(peer_lid[1]) if peer_lid else None, int(port[5]), port[8].strip() or None,
    )  # fmt: skip
    return end, _KINDS[port[3]]


def _link_values(width: str | None, rate: str | None) -> dict[str, Any]:
    speed = _GBPS.get(rate or "")
    return {
        "state": None,
        "phys_state": "LinkUp",
        "width": int(width) if width and speed is not None else None,
        "speed_gbps": speed,
        "could_width": None,
        "could_speed_gbps": None,
    }


def _link_row(line: Line, found: tuple[_ib_ends.LinkEnd, str], desc: str, kind: str) -> Row:
    end, peer_kind = found
    values = _ib_ends.row_values(end, end.guid, desc, kind)
    name = _fabric_text.named(end.peer_desc, peer_kind)
    peer = {"peer_kind": peer_kind, "peer_host": name.host, "peer_hca": name.hca, "peer_switch": name.switch}
    return _fabric_text.row("ib_links", line, {**values, **peer, "listing": "full"}, values["host"])


def _listed_row(line: Line, listed: re.Match[str]) -> Row:
    kind, lid, port, guid = _KINDS[listed[1]], int(listed[2]), int(listed[3]), listed[4]
    peer = _LIST_PEER.fullmatch(listed[7])
    if peer is None:
        values = {**_link_values(None, None), "phys_state": None}
        desc = listed[7].strip().strip("'").strip() or None
        end = _ib_ends.LinkEnd(guid, None, lid, port, values, None, None, None, None)
        row = _ib_ends.row_values(end, guid, desc, kind)
        return _fabric_text.row("ib_links", line, {**row, "listing": "full"}, row["host"])
    end = _ib_ends.LinkEnd(
        guid, None, lid, port, _link_values(listed[5], listed[6]), peer[4], int(peer[2]), int(peer[3]),
        peer[6].strip() or None,
    )  # fmt: skip
    return _link_row(line, (end, _KINDS[peer[1]]), peer[5].strip(), kind)
