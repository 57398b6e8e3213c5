"""``ibhosts``, ``ibswitches``, ``ibnodes``: one line per node of a fabric."""

from __future__ import annotations

import re
from typing import Final

from analyzer.model.formats import Dump, Sniff
from analyzer.model.tables import Row
from parsers import _fabric, _fabric_text

FORMAT: Final = _fabric.fabric_format("ibhosts", "nodes of an InfiniBand fabric (ibhosts, ibswitches)")
TABLES: Final = (_fabric.IB_NODES,)

_NODE: Final = re.compile(r'(Ca|Switch|Router)\s*: (0x[0-9a-fA-F]{1,16}) ports (\d{1,4}) "(.*)"([^"]*)')
_LID: Final = re.compile(r"\blid (\d{1,5})\b")


def sniff(head: bytes, path: str) -> Sniff | None:
    """Recognise a node line."""
    for line in _fabric_text.head_lines(head):
        if _NODE.fullmatch(line.text):
            return _fabric_text.claim(95, "is a node of a fabric", head, line.number)
    return None


def parse(data: bytes, path: str) -> Dump:
    """Read one ``ib_nodes`` row per node."""
    unread = _fabric_text.Unread()
    rows: list[Row] = []
    for line in _fabric_text.lines(data):
        node = _NODE.fullmatch(line.text)
        if node is None:
            unread.add_unless_noise(line)
            continue
        kind, desc, lid = node[1].lower(), node[4].strip(), _LID.search(node[5])
        name = _fabric_text.named(desc, kind)
        values = {
            "kind": kind,
            "node_guid": _fabric_text.guid_id(node[2]),
            "node_desc": desc,
            "host": name.host,
            "hca": name.hca,
            "switch": name.switch,
            "lid": _fabric_text.whole(lid[1]) if lid else None,
            "ports": int(node[3]),
        }
        rows.append(_fabric_text.row("ib_nodes", line, values, name.host))
    return Dump(rows, unread.problems())
