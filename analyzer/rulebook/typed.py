"""Plain values to typed records, with the path of the first value that does not fit."""

from __future__ import annotations

import re
from typing import Any, TypeVar

import msgspec

from analyzer.rulebook.document import Path

T = TypeVar("T")
_FORM = re.compile(r"(?P<text>.*?)(?: - at `(?P<key>key` in `)?\$(?P<path>[^`]*)`)?", re.DOTALL)
_TOKEN = re.compile(r"\.(?P<name>[^.\[]+)|\[(?P<index>\d+)\]|(?P<any>\[\.\.\.\])")
_UNKNOWN = re.compile(r"Object contains unknown field `(.*)`", re.DOTALL)


class MismatchError(Exception):
    """A value that does not fit its type.

    Attributes:
        path: Where it is below the converted value.
        text: What is wrong.
    """

    def __init__(self, path: Path, text: str) -> None:
        super().__init__(text)
        self.path = path
        self.text = text


def convert(value: Any, kind: type[T]) -> T:
    """Convert a plain value strictly into a record.

    Raises:
        MismatchError: The first value that does not fit, with its full path.
    """
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise _located(value, kind, str(error)) from error


def _located(value: Any, kind: Any, message: str) -> MismatchError:
    form = _FORM.fullmatch(message)
    if form is None:
        return MismatchError((), message)
    path: Path = ()
    for token in _TOKEN.finditer(form["path"] or ""):
        path = (*path, _step(value, kind, path, token))
    if form["key"]:
        path = (*path, _wrong_key(value, kind, path))
    unknown = _UNKNOWN.fullmatch(form["text"])
    if unknown:
        return MismatchError((*path, unknown[1]), f"unknown key `{unknown[1]}`")
    name = ".".join(str(part) for part in path)
    return MismatchError(path, _plain(form["text"]) + (f" at `{name}`" if name else ""))


def _step(value: Any, kind: Any, path: Path, token: re.Match[str]) -> str | int:
    if token["name"]:
        return token["name"]
    if token["index"]:
        return int(token["index"])
    return _wrong_key(value, kind, path)


def _wrong_key(value: Any, kind: Any, path: Path) -> str | int:
    """The library does not say which key of a mapping is wrong: keep one at a time until the error is back."""
    keys = list(_at(value, path))
    for key in keys:
        try:
            msgspec.convert(_keep(value, path, key), kind)
        except msgspec.ValidationError:
            return str(key)
    return str(keys[0]) if keys else ""


def _at(value: Any, path: Path) -> Any:
    for step in path:
        value = value[step]
    return value


def _keep(value: Any, path: Path, key: str) -> Any:
    """A copy of ``value`` whose mapping at ``path`` holds only ``key``; earlier mappings keep their one step too."""
    if not path:
        return {key: value[key]}
    copy: Any = list(value) if isinstance(value, list) else dict(value)
    copy[path[0]] = _keep(value[path[0]], path[1:], key)
    return copy


_WORDS = {
    "Object missing required field": "missing key",
    "`object`": "a mapping",
    "`array`": "a list",
    "`str`": "text",
    "`int`": "a whole number",
    "`float`": "a number",
    "`bool`": "true or false",
}


def _plain(text: str) -> str:
    for word, plain in _WORDS.items():
        text = text.replace(word, plain)
    return text[:1].lower() + text[1:]
