"""``iblinkinfo``: every port of a fabric with its link state; default layout, ``--line``, ``-p`` and ``--diff``."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any, Final, NamedTuple

from analyzer.model.formats import Dump, Sniff
from analyzer.model.tables import Row
from parsers import _fabric, _fabric_text, _ib_ends, _sm_answers
from parsers._fabric_text import Line

FORMAT: Final = _fabric.fabric_format("iblinkinfo", "InfiniBand links of a fabric (iblinkinfo)")
TABLES: Final = (_fabric.IB_LINKS, _fabric.SM_INFO)

_SECTION: Final = re.compile(r"(CA|Switch|Router): (?:(0x[0-9a-fA-F]{1,16}) )?(.*?):?\s*")
_KINDS: Final = {"CA": "ca", "Switch": "switch", "Router": "router"}
_DIFF: Final = re.compile(r"([<>]) ?(?=.)")


class _Node(NamedTuple):
    kind: str
    guid: str | None
    desc: str


class _Found(NamedTuple):
    line: Line
    values: dict[str, Any]


def sniff(head: bytes, path: str) -> Sniff | None:
    """Recognise link ends that stand on lines of their own."""
    for line in _fabric_text.head_lines(head):
        if line.text.startswith("Errors for "):
            return None
        if _ib_ends.is_link_end(line.text) and "Link info:" not in line.text:
            return _fabric_text.claim(96, "is a link end", head, line.number)
    failed = any(_sm_answers.failure(line.text) for line in _fabric_text.head_lines(head, 5))
    return (
        Sniff(80, "file name, and an error of a query to the subnet manager")
        if failed and "iblinkinfo" in path.rsplit("/", 1)[-1]
        else None
    )


def parse(data: bytes, path: str) -> Dump:
    """Read one ``ib_links`` row per printed link end; peers' GUIDs are filled in where the dump itself names them."""
    unread = _fabric_text.Unread()
    found: list[_Found] = []
    rows: list[Row] = []
    node: _Node | None = None
    for line in _fabric_text.lines(data):
        diff, text = _undiff(line.text)
        if _ib_ends.is_link_end(text):
            end = _ib_ends.read(text)
            if end is None:
                unread.add("damaged link line", line)
            else:
                found.append(_Found(line, _values(end, node, diff)))
        elif section := _SECTION.fullmatch(text):
            node = _Node(_KINDS[section[1]], section[2], section[3].strip())
        elif answer := _sm_answers.failure_row("iblinkinfo", line):
            rows.append(answer)
        else:
            unread.add_unless_noise(line)
    _complete(found)
    links = [_fabric_text.row("ib_links", one.line, one.values, one.values["host"]) for one in found]
    return Dump([*links, *rows], unread.problems())


def _undiff(text: str) -> tuple[str | None, str]:
    mark = _DIFF.match(text)
    return (mark[1], text[mark.end() :]) if mark else (None, text)


def _values(end: _ib_ends.LinkEnd, node: _Node | None, diff: str | None) -> dict[str, Any]:
    if end.desc is not None:
        values = _ib_ends.row_values(end, end.guid, end.desc, None)
    elif node is None:
        values = _ib_ends.row_values(end, end.guid, None, "ca" if end.guid else None)
    else:
        values = _ib_ends.row_values(end, end.guid or node.guid, node.desc, node.kind)
    return {**values, "listing": "full", "diff": diff}


def _complete(found: list[_Found]) -> None:
    """Fill in what other lines of the same dump state: peers' GUIDs, and kinds.

    Only a switch has several ports under one GUID; a single one that ends at a switch is an adapter's.
    """
    ports: dict[str, set[int]] = defaultdict(set)
    kinds: dict[str, set[str]] = defaultdict(set)
    guids: dict[tuple[Any, ...], set[str]] = defaultdict(set)
    for _, values in found:
        guid = values["guid_id"]
        if guid is not None:
            ports[guid].add(values["port"])
            guids[_end_key(values, "")].add(guid)
    for _, values in found:
        if values["kind"] is None and values["guid_id"] in ports:
            several = len(ports[values["guid_id"]]) > 1
            if several or values["peer_kind"] == "switch":
                _set_kind(values, "", "switch" if several else "ca")
        if values["kind"] and values["node_desc"]:
            kinds[values["node_desc"]].add(values["kind"])
    for _, values in found:
        known = kinds.get(values["peer_desc"], set())
        if len(known) == 1:
            _set_kind(values, "peer_", next(iter(known)))
        candidates = guids.get(_end_key(values, "peer_"), set())
        if values["peer_guid"] is None and len(candidates) == 1:
            values["peer_guid"] = next(iter(candidates))
        _name_link(values)


def _name_link(values: dict[str, Any]) -> None:
    peer = _fabric_text.fabric_port_id(values["peer_desc"], values["peer_guid"], values["peer_port"])
    values["peer_port_id"] = peer
    values["link_id"] = _fabric_text.link_id(values["port_id"], peer)


def _end_key(values: dict[str, Any], prefix: str) -> tuple[Any, ...]:
    desc = values["node_desc"] if not prefix else values["peer_desc"]
    return desc, values[prefix + "lid"], values[prefix + "port"], values["diff"]


def _set_kind(values: dict[str, Any], prefix: str, kind: str) -> None:
    name = _fabric_text.named(values["peer_desc" if prefix else "node_desc"], kind)
    values[prefix + "kind"] = kind
    values[prefix + "host"], values[prefix + "hca"], values[prefix + "switch"] = name
