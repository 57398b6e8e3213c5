"""A link end as ``iblinkinfo`` and ``ibqueryerrors -r`` print it: ``… lid port[ext] ==(link)==> … "peer" (hints)``.

Columns are found by their marks, not by position: the field widths differ between releases.
"""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple

from parsers import _fabric_text

_HEAD: Final = re.compile(r'(?:(?P<guid>0x[0-9a-fA-F]{1,16})\s+)?(?:"(?P<desc>.*)"\s+)?(?P<lid>\d+)\s+(?P<port>\d+)')
_WIDTH: Final = re.compile(r"(?<![\w.])(\d{1,3})X\b")
_SPEED: Final = re.compile(r"(?<![\w.])(\d{1,5}(?:\.\d{1,6})?)\s*Gbps")
_STATES: Final = re.compile(r"([A-Za-z_?]+)\s*/\s*([A-Za-z_?]+)")
_PEER: Final = re.compile(r"(?:(?P<guid>0x[0-9a-fA-F]{1,16})\s+)?(?P<lid>\d+)\s+(?P<port>\d+)")
_COULD_WIDTH: Final = re.compile(r"Could be (\d{1,3})X")
_COULD_SPEED: Final = re.compile(r"Could be (\d{1,5}(?:\.\d{1,6})?)\s*Gbps")


class LinkEnd(NamedTuple):
    """One printed link end; a field is None where the layout does not print it or it means nothing."""

    guid: str | None
    desc: str | None
    lid: int
    port: int
    values: dict[str, Any]
    peer_guid: str | None
    peer_lid: int | None
    peer_port: int | None
    peer_desc: str | None


def is_link_end(text: str) -> bool:
    """True for a line that holds the two marks of a link end."""
    start = text.find("==(")
    return start >= 0 and text.find("==>", start) > start


def read(text: str) -> LinkEnd | None:
    """Read one line; None when it has the marks but not the parts (cut or damaged)."""
    head, _, rest = text.partition("==(")
    link, arrow, tail = rest.partition("==>")
    own = _HEAD.fullmatch(head.split("[", 1)[0].split("Link info:")[-1].strip()) if "[" in head else None
    states = _STATES.search(link)
    if not arrow or own is None or states is None:
        return None
    lid, port = _fabric_text.whole(own["lid"]), _fabric_text.whole(own["port"])
    if lid is None or port is None:
        return None
    peer_guid, peer_lid, peer_port, peer_desc, hints = _tail(tail)
    values = _link_values(link, states[1], states[2], hints)
    desc = own["desc"].strip() if own["desc"] is not None else None
    return LinkEnd(own["guid"], desc, lid, port, values, peer_guid, peer_lid, peer_port, peer_desc)


def _link_values(link: str, state: str, phys_state: str, hints: str) -> dict[str, Any]:
    width, speed = _WIDTH.search(link), _SPEED.search(link)
    could_width, could_speed = _COULD_WIDTH.search(hints), _COULD_SPEED.search(hints)
    return {
        "state": _fabric_text.state(state),
        "phys_state": _fabric_text.phys_state(phys_state),
        "width": int(width[1]) if width else None,
        "speed_gbps": float(speed[1]) if speed else None,
        "could_width": int(could_width[1]) if could_width else None,
        "could_speed_gbps": float(could_speed[1]) if could_speed else None,
    }


def _tail(tail: str) -> tuple[str | None, int | None, int | None, str | None, str]:
    first, last = tail.find('"'), tail.rfind('"')
    if first < 0 or last <= first:
        return None, None, None, None, ""
    numbers = _PEER.match(tail[:first].strip())
    desc = tail[first + 1 : last].strip()
    if numbers is None or not desc:
        return None, None, None, None, tail[last:]
    return numbers["guid"], _fabric_text.whole(numbers["lid"]), _fabric_text.whole(numbers["port"]), desc, tail[last:]


def row_values(end: LinkEnd, guid: str | None, desc: str | None, kind: str | None) -> dict[str, Any]:
    """Values of an ``ib_links`` row for an end whose node has this GUID, description and kind."""
    kind = kind or _fabric_text.kind_of(desc)
    peer_kind = _fabric_text.kind_of(end.peer_desc)
    own, peer = _fabric_text.named(desc, kind), _fabric_text.named(end.peer_desc, peer_kind)
    own_id = _fabric_text.fabric_port_id(desc, guid, end.port)
    peer_id = _fabric_text.fabric_port_id(end.peer_desc, end.peer_guid, end.peer_port)
    return {
        "guid": guid,
        "guid_id": _fabric_text.guid_id(guid),
        "lid": end.lid,
        "port": end.port,
        "port_id": own_id,
        "node_desc": desc,
        "kind": kind,
        "host": own.host,
        "hca": own.hca,
        "switch": own.switch,
        **end.values,
        "peer_guid": _fabric_text.guid_id(end.peer_guid),
        "peer_lid": end.peer_lid,
        "peer_port": end.peer_port,
        "peer_port_id": peer_id,
        "peer_desc": end.peer_desc,
        "peer_kind": peer_kind,
        "peer_host": peer.host,
        "peer_hca": peer.hca,
        "peer_switch": peer.switch,
        "peer_known": peer_id is not None,
        "link_id": _fabric_text.link_id(own_id, peer_id),
    }
