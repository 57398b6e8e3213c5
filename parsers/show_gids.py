"""``show_gids``: the GID tables of a host's ports; which index is RoCE v2 over which address."""

from __future__ import annotations

import ipaddress
import re
from typing import Any, Final

from analyzer.model.formats import Dump, Sniff
from analyzer.model.tables import Row
from parsers import _fabric, _fabric_text

FORMAT: Final = _fabric.fabric_format("show_gids", "GID tables of a host (show_gids)")
TABLES: Final = (_fabric.GIDS,)

_HEADER: Final = re.compile(r"\s*DEV\s+PORT\s+INDEX\s+GID\b.*")
_ENTRY: Final = re.compile(
    r"\s*(\S+)\s+(\d{1,3})\s+(\d{1,5})\s+([0-9a-fA-F:.]{2,45})"
    r"(?:\s+(\d{1,3}(?:\.\d{1,3}){3}))?\s+(?:RoCE )?([vV]\d(?:\.\d)?)(?:\s+(\S+))?\s*"
)
_RULER: Final = re.compile(r"[-\s]+")
_FOOTER: Final = re.compile(r"\s*n_gids_found=(\d+)\s*")
_LINK_LOCAL: Final = ipaddress.ip_network("fe80::/64")


def sniff(head: bytes, path: str) -> Sniff | None:
    """Recognise the column titles or the footer."""
    for line in _fabric_text.head_lines(head):
        if _HEADER.fullmatch(line.text) or _FOOTER.fullmatch(line.text):
            return _fabric_text.claim(96, f"is {line.text.split()[0]!r} …", head, line.number)
    return None


def parse(data: bytes, path: str) -> Dump:
    """Read one ``gids`` row per entry; fewer entries than the footer states is a problem."""
    unread = _fabric_text.Unread()
    rows: list[Row] = []
    for line in _fabric_text.lines(data):
        entry, footer = _ENTRY.fullmatch(line.text), _FOOTER.fullmatch(line.text)
        if entry:
            rows.append(_fabric_text.row("gids", line, _values(*entry.groups())))
        elif footer:
            if _fabric_text.whole(footer[1]) != len(rows):
                unread.add("entries are missing: the footer states another number", line)
        elif not _HEADER.fullmatch(line.text) and not _RULER.fullmatch(line.text):
            unread.add_unless_noise(line)
    return Dump(rows, unread.problems())


def _values(
    device: str, port: str, index: str, gid: str, ipv4: str | None, version: str, netdev: str | None
) -> dict[str, Any]:
    address = _address(gid)
    mapped = address.ipv4_mapped if address else None
    return {
        "device": device,
        "port": int(port),
        "port_id": _fabric_text.port_id(device, int(port)),
        "index": int(index),
        "gid": address.exploded if address else gid.lower(),
        "ipv4": ipv4 or (str(mapped) if mapped else None),
        "version": version.lower(),
        "link_local": address in _LINK_LOCAL if address else None,
        "netdev": netdev,
    }


def _address(gid: str) -> ipaddress.IPv6Address | None:
    try:
        return ipaddress.IPv6Address(gid)
    except ValueError:
        return None
