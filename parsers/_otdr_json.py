"""OTDR event tables exported as JSON: objects with a position and a loss, whatever encloses them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from analyzer.model.formats import Dump, Problem
from analyzer.model.tables import MAX_TEXT
from parsers import _otdr
from parsers import _otdr_words as words
from parsers._otdr_report import Report

_MAX_DEPTH = 20
_POSITION = re.compile(rb'"(?:event[_ ]?)?(?:location|distance|position|dist|pos|loc)[_ ]?(?:km|m|ft)?"', re.IGNORECASE)
_LOSS = re.compile(rb'"(?:splice|event|insertion)?[_ ]?(?:loss|reflectance)[_ ]?(?:dB)?"', re.IGNORECASE)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")

Said = dict[str, tuple[str, words.Head]]


def looks_like(head: bytes) -> bool:
    """True for JSON text that names positions and losses."""
    start = head[:64].removeprefix(b"\xef\xbb\xbf").lstrip()[:1]
    return start in (b"{", b"[") and bool(_POSITION.search(head)) and bool(_LOSS.search(head))


def parse(data: bytes, path: str) -> Dump:
    """Read every object that holds a position and a loss or reflectance; what encloses it names the fibre."""
    try:
        root = json.loads(data.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError) as error:
        return Dump((), (Problem(f"broken JSON: {str(error)[:80]}"),))
    report, lines = Report(path), _Lines(data)
    for said, about in _events(root, {}, 0):
        _add(report, said, about, lines)
    rows = report.rows()
    return Dump(rows, () if rows else (Problem("no event with a position and a loss found"),))


class _Lines:
    """Line numbers of objects that are visited in the order of the text, by the key that each of them has."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0
        self.line = 1

    def next(self, key: str) -> tuple[int, str]:
        """Line of the next occurrence of a key, and that line's text."""
        found = self.data.find(b'"' + key.encode("utf-8", "replace") + b'"', self.at)
        if found >= 0:
            self.line += self.data.count(b"\n", self.at, found)
            self.at = found + 1
        start = self.data.rfind(b"\n", 0, self.at) + 1
        stop = self.data.find(b"\n", self.at)
        line = self.data[start : stop if stop >= 0 else len(self.data)]
        return self.line, line[:MAX_TEXT].decode("utf-8", "replace").strip()


def _events(node: Any, about: Mapping[str, str], depth: int) -> Iterator[tuple[Said, Mapping[str, str]]]:
    """Event objects with the scalars of all objects around them, in the order of the text."""
    if depth > _MAX_DEPTH:
        return
    if isinstance(node, list):
        for child in node:
            yield from _events(child, about, depth + 1)
    elif isinstance(node, dict):
        scalars = {key: _cell(value) for key, value in node.items() if _plain(value)}
        keys = {head.field: (key, head) for key in scalars if (head := words.head(_spaced(key)))}
        if "position" in keys and ("loss" in keys or "reflectance" in keys):
            said: Said = {field: (scalars[key], head) for field, (key, head) in keys.items()}
            yield said | {"key": keys["position"]}, about
            return
        inner = {**about, **scalars}
        for child in node.values():
            yield from _events(child, inner, depth + 1)


def _plain(value: Any) -> bool:
    return isinstance(value, str | int | float) and not isinstance(value, bool)


def _cell(value: Any) -> str:
    return format(value, ".12g") if isinstance(value, float) else str(value)[:200]


def _spaced(key: str) -> str:
    """``lossDb`` as ``loss Db``."""
    return _CAMEL.sub(" ", key[:80])


def _add(report: Report, said: Said, about: Mapping[str, str], lines: _Lines) -> None:
    report.about = {}
    for key, value in about.items():
        meaning = words.label(_spaced(key))
        if meaning is not None and value:
            report.say(meaning[0], value, meaning[1])
    line, text = lines.next(said["key"][0])
    cell, head = said["position"]
    position_m = words.length_m(cell, head.unit_m)
    if position_m is None:
        return
    named = words.number(said["wavelength"][0]) if "wavelength" in said else None
    wavelength_nm = _otdr.nominal_nm(named.value) if named else None
    report.event({field: value for field, (value, _) in said.items()}, position_m, wavelength_nm, line, text)
