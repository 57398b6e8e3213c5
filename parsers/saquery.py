"""``saquery``: records of the subnet administration; ``SMIR`` (all subnet managers) and ``NR`` (all nodes) are read."""

from __future__ import annotations

import re
from typing import Any, Final

from analyzer.model.formats import Dump, Sniff
from analyzer.model.tables import Row
from parsers import _fabric, _fabric_text, _sm_answers
from parsers._fabric_text import Line

FORMAT: Final = _fabric.fabric_format("saquery", "records of the subnet administration (saquery)")
TABLES: Final = (_fabric.SM_INFO, _fabric.IB_NODES)

_RECORD: Final = re.compile(r"(\w{1,40})Record dump:\s*")
_FIELD: Final = re.compile(r"\s*([A-Za-z_][\w ]{0,40}?)\.{2,}(.*)")
_READ: Final = frozenset({"SMInfo", "Node"})
_STATES: Final = {"0": "NOTACTIVE", "1": "DISCOVERING", "2": "STANDBY", "3": "MASTER"}
_KINDS: Final = {"Channel Adapter": "ca", "Switch": "switch", "Router": "router"}


def sniff(head: bytes, path: str) -> Sniff | None:
    """Recognise ``…Record dump:`` or the tool's error."""
    lines = _fabric_text.head_lines(head, 20)
    for line in lines:
        if _RECORD.fullmatch(line.text):
            return _fabric_text.claim(97, f"is {line.text.strip()!r}", head, line.number)
    if not any(_sm_answers.failure(line.text) for line in lines[:5]):
        return None
    only = all(_fabric_text.is_noise(line.text) or not line.text.strip() for line in lines)
    named = "saquery" in path.rsplit("/", 1)[-1]
    return Sniff(80 if named else 40, "only an error of a query to the subnet administration") if only else None


def parse(data: bytes, path: str) -> Dump:
    """Read SMInfo records and failures into ``sm_info``, node records into ``ib_nodes``."""
    unread = _fabric_text.Unread()
    rows: list[Row] = []
    record: tuple[str, dict[str, str], Line] | None = None
    for line in _fabric_text.lines(data):
        header, field = _RECORD.fullmatch(line.text), _FIELD.fullmatch(line.text)
        if header:
            rows.extend(_rows(record))
            record = (header[1], {}, line)
        elif field and record is not None:
            record[1].setdefault(field[1].strip(), field[2].strip())
            record = (record[0], record[1], _cited(record, field[1], line))
        elif answer := _sm_answers.failure_row("saquery", line):
            rows.append(answer)
        elif record is None or (record[0] in _READ and line.text.strip() not in {"RID", "SMInfo dump:"}):
            unread.add_unless_noise(line)
    rows.extend(_rows(record))
    return Dump(rows, unread.problems())


def _cited(record: tuple[str, dict[str, str], Line], key: str, line: Line) -> Line:
    return line if record[0] == "SMInfo" and key.strip() == "SMState" else record[2]


def _rows(record: tuple[str, dict[str, str], Line] | None) -> list[Row]:
    if record is None:
        return []
    name, fields, line = record
    if name == "SMInfo":
        return [_fabric_text.row("sm_info", line, _manager(fields))]
    if name == "Node":
        values = _node(fields)
        return [_fabric_text.row("ib_nodes", line, values, values["host"])]
    return []


def _manager(fields: dict[str, str]) -> dict[str, Any]:
    return {
        "tool": "saquery",
        "ok": True,
        "lid": _fabric_text.whole(fields.get("LID")),
        "guid": fields.get("GUID"),
        "guid_id": _fabric_text.guid_id(fields.get("GUID")),
        "activity": _fabric_text.whole(fields.get("ActCount")),
        "priority": _fabric_text.whole(fields.get("Priority")),
        "state": _STATES.get(fields.get("SMState", "")),
    }


def _node(fields: dict[str, str]) -> dict[str, Any]:
    kind = _KINDS.get(fields.get("node_type", ""))
    desc = fields.get("NodeDescription")
    name = _fabric_text.named(desc, kind)
    return {
        "kind": kind,
        "node_guid": _fabric_text.guid(fields.get("node_guid")),
        "node_desc": desc,
        "host": name.host,
        "hca": name.hca,
        "switch": name.switch,
        "lid": _fabric_text.whole(fields.get("lid")),
        "ports": _fabric_text.whole(fields.get("num_ports")),
    }
