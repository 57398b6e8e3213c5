"""Strict YAML: one document, plain scalars with few implicit types, and the line of every node.

Read from parse events rather than composed nodes because only events still show anchors.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import yaml

MAX_DEPTH = 24
MAX_BYTES = 4_000_000
Path = tuple[str | int, ...]

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_WORDS: dict[str, bool | None] = {"null": None, "true": True, "false": False}
_INT = re.compile(r"-?(?:0|[1-9][0-9]*)")
_FLOAT = re.compile(r"-?(?:0|[1-9][0-9]*)\.[0-9]+(?:[eE][-+]?[0-9]+)?")


class DocumentError(Exception):
    """The text is not a document of the strict subset.

    Attributes:
        line: Line concerned, from 1.
        text: What is wrong there.
    """

    def __init__(self, line: int, text: str) -> None:
        super().__init__(f"{line}: {text}")
        self.line = line
        self.text = text


class Document(NamedTuple):
    """A document's plain value, and the line (from 1) of every key and item by its path."""

    value: Any
    lines: dict[Path, int]

    def line(self, path: Path) -> int:
        """Line of the node at ``path``, or of its nearest ancestor that exists."""
        while path not in self.lines and path:
            path = path[:-1]
        return self.lines.get(path, 1)


def read(data: bytes) -> Document:
    """Read one strict YAML document.

    Raises:
        DocumentError: Not UTF-8, not YAML, more than one document, a duplicate key, a key that is no scalar, an
            empty value, an anchor, alias or explicit tag, or nesting deeper than ``MAX_DEPTH``.
    """
    if len(data) > MAX_BYTES:
        raise DocumentError(1, f"larger than {MAX_BYTES:,} bytes")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DocumentError(data.count(b"\n", 0, error.start) + 1, "not UTF-8") from error
    try:
        return _Builder(iter(yaml.parse(text, Loader=_LOADER))).document()
    except yaml.reader.ReaderError as error:
        raise DocumentError(text.count("\n", 0, error.position) + 1, f"not YAML: {error.reason}") from error
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise DocumentError(mark.line + 1 if mark else 1, f"not YAML: {error.problem or error.context}") from error


def scalar(text: str) -> str | int | float | bool | None:
    """Value of a plain scalar: ``null``, ``true``, ``false``, a decimal int or float, otherwise the text itself."""
    if text in _WORDS:
        return _WORDS[text]
    if _INT.fullmatch(text) and len(text) <= 19:
        return int(text)
    return float(text) if _FLOAT.fullmatch(text) else text


class _Builder:
    """Builds the value from parse events, noting lines."""

    def __init__(self, events: Iterator[Any]) -> None:
        self.events = events
        self.lines: dict[Path, int] = {}

    def document(self) -> Document:
        value: Any = None
        found = False
        for event in self.events:
            if isinstance(event, yaml.DocumentStartEvent):
                if found:
                    raise DocumentError(_line(event), "a second document; write one per file")
                found = True
                start = next(self.events)
                self.lines[()] = _line(start)
                value = self.node(start, ())
        if not found:
            raise DocumentError(1, "empty file")
        return Document(value, self.lines)

    def node(self, event: Any, path: Path) -> Any:
        _refuse_decoration(event)
        if len(path) > MAX_DEPTH:
            raise DocumentError(_line(event), f"nested deeper than {MAX_DEPTH} levels")
        if isinstance(event, yaml.MappingStartEvent):
            return self.mapping(path)
        if isinstance(event, yaml.SequenceStartEvent):
            return self.sequence(path)
        return self.value(event, path)

    def value(self, event: Any, path: Path) -> Any:
        if not event.implicit[0]:
            return event.value
        if event.value == "":
            name = path[-1] if path else "document"
            raise DocumentError(_line(event), f"`{name}` is empty; write null or leave it out")
        return scalar(event.value)

    def mapping(self, path: Path) -> dict[str, Any]:
        found: dict[str, Any] = {}
        while not isinstance(event := next(self.events), yaml.MappingEndEvent):
            _refuse_decoration(event)
            if not isinstance(event, yaml.ScalarEvent):
                raise DocumentError(_line(event), "a key must be plain text")
            key = event.value
            if key in found:
                raise DocumentError(_line(event), f"duplicate key `{key}`; first on line {self.lines[(*path, key)]}")
            self.lines[(*path, key)] = _line(event)
            found[key] = self.node(next(self.events), (*path, key))
        return found

    def sequence(self, path: Path) -> list[Any]:
        found: list[Any] = []
        while not isinstance(event := next(self.events), yaml.SequenceEndEvent):
            place = (*path, len(found))
            self.lines[place] = _line(event)
            found.append(self.node(event, place))
        return found


def _line(event: Any) -> int:
    return int(event.start_mark.line) + 1


def _refuse_decoration(event: Any) -> None:
    if isinstance(event, yaml.AliasEvent):
        raise DocumentError(_line(event), f"alias *{event.anchor}; write the value out")
    if event.anchor is not None:
        raise DocumentError(_line(event), f"anchor &{event.anchor}; write the value out where it is used")
    if event.tag is not None:
        raise DocumentError(_line(event), f"tag {event.tag}; quote the text instead")
