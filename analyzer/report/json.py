"""The report as JSON (``schema_version`` 1)."""

from __future__ import annotations

import re

import msgspec

from analyzer.model.analysis import Analysis

_UNSAFE = re.compile("[\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
"""Characters that JSON lets stand in a text and that steer a terminal: C1 controls, marks of direction, separators."""


def render(analysis: Analysis, *, width: int, color: bool) -> str:
    """The whole report, indented by two blanks; width and colour do not apply."""
    del width, color
    return escaped(msgspec.json.format(msgspec.json.encode(analysis), indent=2).decode("utf-8"))


def escaped(document: str) -> str:
    r"""A JSON document in which every character that steers a terminal is written as ``\uXXXX``; it means the same."""
    return document if document.isascii() and "\x7f" not in document else _UNSAFE.sub(_escape, document)


def _escape(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"
