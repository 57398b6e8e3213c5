"""``mlxlink``: link diagnosis of a port by its firmware, as text sections or ``--json``.

A bit error ratio printed as ``15E-255`` (or ``1.5E-254``) is the tool's zero.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import pairwise, zip_longest
from typing import Any, Final, NamedTuple

from analyzer.model.formats import Dump, Sniff
from analyzer.model.tables import Row
from parsers import _fabric, _fabric_text, _mlxlink_values
from parsers._fabric_text import Line

FORMAT: Final = _fabric.fabric_format("mlxlink", "link diagnosis of a port (mlxlink)")
TABLES: Final = (_fabric.LINK_DIAG, _fabric.LINK_LANES, _fabric.LINK_FACTS)

_FIRST: Final = "Operational Info"
_SECTIONS: Final = re.compile(r".{1,60} (?:Info|Information)(?: .{0,20})?|Histogram of FEC Errors.{0,20}")
_DASHES: Final = re.compile(r"-{4,}\s*")
_PAIR: Final = re.compile(r"(\S.{0,60}?)\s*: ?(.*)")
_DEVICE: Final = re.compile(r"(?:-d|--device)[ =]+(\S+)|(?<![A-Za-z0-9])(mlx5_\w{1,20}?)(?![A-Za-z0-9])")
_PORT: Final = re.compile(r"(?:-p|--port)[ =]+(\S+)")
_JSON_KEY: Final = re.compile(r'\s*"((?:[^"\\]|\\.){1,80})"\s*:')
_COMMAND: Final = re.compile(r".{0,120}\b(?:mlxlink|mstlink)\s+-")


class Fact(NamedTuple):
    """One ``key: value`` of a section."""

    section: str
    key: str
    value: str
    line: Line


def sniff(head: bytes, path: str) -> Sniff | None:
    """Recognise the section titles, or the JSON object that holds them."""
    if head.lstrip()[:1] == b"{":
        known = b'"Operational Info"' in head and b'"output"' in head
        return Sniff(97, 'an object with "Operational Info"') if known else None
    for line, after in pairwise(_fabric_text.head_lines(head)):
        if line.text.strip() == _FIRST and _DASHES.fullmatch(after.text):
            return _fabric_text.claim(97, f'is "{_FIRST}"', head, line.number)
    return None


def parse(data: bytes, path: str) -> Dump:
    """Read one ``link_diag`` row per port with its lanes and, for citation, every key in ``link_facts``."""
    unread = _fabric_text.Unread()
    lines = _fabric_text.lines(data)
    as_json = data.lstrip()[:1] == b"{"
    named = _DEVICE.search(path.rsplit("/", 1)[-1])
    device = (named[2] or named[1]) if named else None
    rows: list[Row] = []
    for port in _json_ports(data, lines, unread) if as_json else _text_ports(lines, unread):
        rows.extend(_rows(port.facts, port.device or device, port.port))
    return Dump(rows, unread.problems())


class _Port(NamedTuple):
    facts: list[Fact]
    device: str | None = None
    port: int | None = None


def _text_ports(lines: list[Line], unread: _fabric_text.Unread) -> Iterator[_Port]:
    section = ""
    current = _Port([])
    for line, after in zip_longest(lines, lines[1:]):
        text = line.text.strip()
        pair = _PAIR.fullmatch(text) if section else None
        if _COMMAND.match(text):
            yield current
            current, section = _Port([], *_commanded(text)), ""
        elif after is not None and _DASHES.fullmatch(after.text) and _SECTIONS.fullmatch(text):
            if text == _FIRST and current.facts:
                yield current
                current = _Port([])
            section = text
        elif pair:
            current.facts.append(Fact(section, pair[1].strip(), pair[2].strip(), line))
        elif not _DASHES.fullmatch(line.text):
            unread.add_unless_noise(line)
    yield current


def _commanded(text: str) -> tuple[str | None, int | None]:
    device, port = _DEVICE.search(text), _PORT.search(text)
    return (device[1] or device[2]) if device else None, _fabric_text.whole(port[1]) if port else None


def _json_ports(data: bytes, lines: list[Line], unread: _fabric_text.Unread) -> Iterator[_Port]:
    try:
        document = json.loads(data.decode("utf-8", "replace"))
        sections = document["result"]["output"]
        items = [(section, pairs) for section, pairs in sections.items() if isinstance(pairs, dict)]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        unread.add("no result in the JSON object", lines[0] if lines else Line(0, ""))
        return
    places = _json_places(lines)
    facts = []
    for section, pairs in items:
        for key, value in pairs.items():
            text = _json_text(value)
            if text is not None:
                facts.append(Fact(section, key, text, places.get((section, key), lines[0])))
    yield _Port(facts)


def _json_text(value: Any) -> str | None:
    if isinstance(value, dict):
        value = value.get("values")
    if isinstance(value, list):
        return ",".join(str(part) for part in value)
    return str(value) if isinstance(value, str | int | float) else None


def _json_places(lines: list[Line]) -> dict[tuple[str, str], Line]:
    places: dict[tuple[str, str], Line] = {}
    section = ""
    for line in lines:
        for key in _JSON_KEY.findall(line.text[:10_000]):
            if _SECTIONS.fullmatch(key):
                section = key
            else:
                places.setdefault((section, key), line)
    return places


def _rows(facts: list[Fact], device: str | None, port: int | None) -> Iterator[Row]:
    if not facts:
        return
    place: dict[str, Any] = {"device": device, "port_id": _fabric_text.port_id(device, port or 1)}
    by_key = {fact.key: fact for fact in reversed(facts)}
    cited = by_key.get("Status Opcode") or by_key.get("State") or facts[0]
    values = {key: fact.value for key, fact in by_key.items()}
    diag = _mlxlink_values.diagnosis(values)
    yield _fabric_text.row("link_diag", cited.line, {**place, **diag})
    lane_line = next((by_key[key].line for key in _mlxlink_values.LANE_KEYS if key in by_key), cited.line)
    for lane in _mlxlink_values.lanes(values, diag.get("width")):
        yield _fabric_text.row("link_lanes", lane_line, {**place, **lane})
    for fact in facts:
        number = _mlxlink_values.figure(fact.value)
        values_of = {"section": fact.section, "key": fact.key, "value": fact.value, "number": number}
        yield _fabric_text.row("link_facts", fact.line, {**place, **values_of})
