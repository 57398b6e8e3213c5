"""Event tables of OTDRs as text, CSV or JSON, of any vendor: columns are found by the meaning of their headers."""

from __future__ import annotations

import re

from analyzer.model.formats import Dump, Format, Problem, Sniff
from analyzer.model.tables import MAX_TEXT
from parsers import _otdr, _otdr_json
from parsers import _otdr_layout as layouts
from parsers import _otdr_words as words
from parsers._otdr_report import Report

FORMAT = Format("otdr-text", "table", frozenset({"otdr"}), "OTDR event table (text, CSV or JSON)")
TABLES = (_otdr.TRACES, _otdr.EVENTS)

_OTDR_WORDS = re.compile(rb"otdr|\bnm\b|wavelength|reflect|fib(?:er|re)|orl\b", re.IGNORECASE)
_CANDIDATE = re.compile(rb"loss|splice|d(?:\xc3\xa4|ae|\xe4)mpfung|refl", re.IGNORECASE)
_SNIFF_LINES = 400
_SENTENCE = re.compile(
    r"\b(?:location|distance|position) ?[:=]? ?(?P<position>\d{1,7}(?:[.,]\d{1,6})?) ?(?P<unit>km|m|ft)\b[^\n]{0,80}?"
    r"\bloss ?[:=]? ?(?P<loss>-?\d{1,3}(?:[.,]\d{1,4})?) ?dB\b",
    re.IGNORECASE,
)


def sniff(head: bytes, path: str) -> Sniff | None:
    """Judge by a header with a position and a loss or reflectance, and by the words of the trade."""
    if b"\0" in head[:4096] or not _CANDIDATE.search(head):
        return None
    if _otdr_json.looks_like(head):
        return Sniff(80, "JSON with positions and losses of events")
    for number, line in enumerate(head.split(b"\n", _SNIFF_LINES)[:_SNIFF_LINES], 1):
        layout = layouts.header(_text(line)) if _CANDIDATE.search(line) else None
        if layout is not None:
            terms = len({match.lower() for match in _OTDR_WORDS.findall(head[:8192])})
            return Sniff(min(100, 55 + 12 * terms), f"line {number} is the header of an OTDR event table")
        if _CANDIDATE.search(line) and _SENTENCE.search(_text(line)):
            return Sniff(60, f"line {number} states the position and loss of an event")
    return None


def parse(data: bytes, path: str) -> Dump:
    """Read all event tables of one report.

    Rows of both tables carry the line: an event its own, a trace that of its first event.
    """
    if _otdr_json.looks_like(data):
        return _otdr_json.parse(data, path)
    report, problems = Report(path), list[Problem]()
    layout: layouts.Layout | None = None
    for number, raw in enumerate(data.split(b"\n"), 1):
        line = _text(raw)
        if not line.strip():
            continue
        found = layouts.header(line)
        if found is not None:
            layout = found
            report.begin_table()
        elif layout is not None and (adjusted := layouts.units(line, layout)) is not None:
            layout = adjusted
        elif layout is not None and _event(report, layout, line, number):
            continue
        elif (sentence := _SENTENCE.search(line)) is not None:
            _told(report, sentence, line, number)
        else:
            _about(report, line)
    rows = report.rows()
    if not rows:
        problems.append(Problem("no event table found"))
    return Dump(rows, problems)


def _text(raw: bytes) -> str:
    text = raw[: layouts.MAX_LINE].rstrip(b"\r")
    try:
        return text.decode("utf-8-sig")
    except UnicodeDecodeError:
        return text.decode("cp1252", "replace")


def _event(report: Report, layout: layouts.Layout, line: str, number: int) -> bool:
    """Take a table row; False if the line is none."""
    found = layouts.row(line, layout)
    taken = False
    for index, view in enumerate(layout.views):
        said = {field: found[column] for field, column in view.columns.items() if found[column]}
        _split_type(said)
        kind = words.kind(said.get("kind", ""))
        if kind is not None and kind.is_section:
            report.section(said.get("slope", ""))
            taken = True
            continue
        position_m = _position(said, layout, view)
        if position_m is None or not _is_row(said):
            continue
        if view.wavelength_nm is not None and "loss" not in said and "reflectance" not in said:
            continue
        wavelength_nm = view.wavelength_nm or _own_wavelength(said) or _side_by_side(report, layout, index)
        report.event(said, position_m, wavelength_nm, number, line[:MAX_TEXT])
        taken = True
    return taken


def _told(report: Report, sentence: re.Match[str], line: str, number: int) -> None:
    """Take an event that a line of prose states: ``Event Location: 41.5 m, Loss: 0.5 dB``."""
    position_m = words.length_m(sentence["position"] + sentence["unit"], None)
    if position_m is not None:
        named = words.wavelengths(line)
        report.event({"loss": sentence["loss"]}, position_m, named[0] if named else None, number, line[:MAX_TEXT])


def _split_type(said: dict[str, str]) -> None:
    """``1 Reflective`` in a type column is a number and a type, ``-55.1`` is a reflectance."""
    if "reflectance" not in said and words.number(said.get("kind", "")):
        said["reflectance"] = said.pop("kind")
    match = re.fullmatch(r"(\d{1,4})[ .:]+(\D.*)", said.get("kind", ""))
    if match and "number" not in said:
        said["number"], said["kind"] = match[1], match[2]


def _position(said: dict[str, str], layout: layouts.Layout, view: layouts.View) -> float | None:
    cell = said.get("position", "")
    found = words.number(cell)
    if found is None or (found.unit and found.unit not in words.METRES):
        return None
    head = layout.heads[view.columns["position"]]
    return words.length_m(cell, head.unit_m if head else None)


def _is_row(said: dict[str, str]) -> bool:
    """A row's number is a number or a type word, and its type is not the label of a total."""
    number, kind = said.get("number", ""), said.get("kind", "")
    if number and words.number(number) is None and words.kind(number) is None:
        return False
    return not kind or words.kind(kind) is not None or bool(number)


def _own_wavelength(said: dict[str, str]) -> int | None:
    found = words.number(said.get("wavelength", ""))
    return _otdr.nominal_nm(found.value) if found else None


def _side_by_side(report: Report, layout: layouts.Layout, index: int) -> int | None:
    """Wavelength of the n-th group of columns when an earlier line names one per group."""
    named = report.wavelengths
    return named[index] if len(layout.views) > 1 and index < len(named) else None


def _about(report: Report, line: str) -> None:
    """Take labels and values of a line that is no table row."""
    separator = next((mark for mark in layouts.SEPARATORS if mark in line), None)
    found = layouts.cells(line, separator)[:100]
    if found[0].lower() == "trace summary" and len(found) >= 3:
        report.say("cable", found[1])
        report.say("fibre", found[2])
        return
    report.measure_at(words.wavelengths(line))
    if separator is None and len(found) > 1 and found[1].startswith(":"):
        found = [f"{found[0]} {found[1]}", *found[2:]]
    for index, cell in enumerate(found):
        _labelled(report, cell, found[index + 1] if index + 1 < len(found) else "")


def _labelled(report: Report, cell: str, following: str) -> None:
    """A label with its value in the same cell (``Pulse 5 ns``, ``Job: 7``) or in the following one."""
    name, colon, rest = cell.partition(":")
    own = words.labelled(cell) or ((name, rest.strip()) if colon and rest.strip() else None)
    for pair in (own, (name, following)):
        meaning = words.label(pair[0]) if pair else None
        if pair and meaning and pair[1]:
            if not words.wavelengths(pair[1]):  # the whole line has been searched for them
                report.say(meaning[0], pair[1], meaning[1])
            return
