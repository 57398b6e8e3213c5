"""Sentences about parts of which some have no known name."""

from __future__ import annotations

import re

PLACEHOLDER = re.compile(r"\{([a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)?)\}")
_ASIDE = re.compile(r" \(([^()]*<[a-z][a-z0-9_]*>[^()]*)\)")
_UNKNOWN = re.compile(r"<([a-z][a-z0-9_]*)>")
_UNKNOWN_PLACE = re.compile(r" (?:of|on|at|in) <node>")
_NOUN_AND_NAME = re.compile(r"\b(?P<noun>\w+) <(?P<name>[a-z][a-z0-9_]*)>")
_SPELLED = {"gpu": "GPU", "nic": "NIC", "guid": "GUID", "dimm": "DIMM", "xid": "Xid", "sxid": "SXid"}


def plain(name: str) -> str:
    """The column of a placeholder, without its symptom."""
    return name.rpartition(".")[2]


def spoken(text: str, values: dict[str, str]) -> str:
    """A template as a sentence; what has no value is left out or said by its kind ("a GPU").

    An aside in brackets keeps only what is known; an unknown node is left out with its preposition.

    Args:
        text: The template.
        values: Text of every placeholder of the template, empty where it is not known.
    """
    marked = PLACEHOLDER.sub(lambda match: match[0] if values[match[1]] else f"<{plain(match[1])}>", text)
    known = _UNKNOWN_PLACE.sub("", _ASIDE.sub(_aside, marked))
    named = _UNKNOWN.sub(lambda match: _some(match[1]), _NOUN_AND_NAME.sub(_noun, known))
    sentence = named if named[:1] == marked[:1] else named[:1].upper() + named[1:]
    return PLACEHOLDER.sub(lambda match: values[match[1]], sentence)


def _aside(match: re.Match[str]) -> str:
    """The pieces of an aside that hold a known name or none at all."""
    pieces = [piece for piece in match[1].split(", ") if "{" in piece or not _UNKNOWN.search(piece)]
    kept = ", ".join(" ".join(_UNKNOWN.sub("", piece).split()) for piece in pieces)
    return f" ({kept})" if kept else ""


def _noun(match: re.Match[str]) -> str:
    """``GPU <gpu>`` says its kind twice."""
    same = match["noun"].lower() == match["name"]
    return _some(match["name"]) if same else match[0]


def _some(name: str) -> str:
    words = _SPELLED.get(name, name.replace("_", " "))
    return f"{'an' if words[0] in 'aeioXS' else 'a'} {words}"
