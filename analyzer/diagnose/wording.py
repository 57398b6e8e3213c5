"""Texts of a rule with the captured names put in."""

from __future__ import annotations

import re

from analyzer.diagnose.candidates import Candidate
from analyzer.diagnose.groups import UNATTRIBUTED
from analyzer.facts.store import Store

_PLACEHOLDER = re.compile(r"\{([a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)?)\}")
_UNKNOWN = re.compile(r"<([a-z][a-z0-9_]*)>")
_FEW = 4


def filled(text: str, candidate: Candidate, store: Store) -> str:
    """Replace ``{name}`` and ``{symptom.name}`` by what was captured; an unknown name becomes ``<name>``."""
    return _PLACEHOLDER.sub(lambda match: _value(match[1], candidate, store), text)


def told(text: str, candidate: Candidate, store: Store) -> str:
    """The same as a sentence for people: what is not known is said in words."""
    return _UNKNOWN.sub(lambda match: f"an unnamed {match[1].replace('_', ' ')}", filled(text, candidate, store))


def _value(name: str, candidate: Candidate, store: Store) -> str:
    symptom, dot, column = name.partition(".")
    if dot:
        groups = candidate.groups.get(symptom, [])
        return _listed([_column(group.values.get(column)) for group in groups]) or f"<{column}>"
    if name == candidate.kind and candidate.parts:
        return _listed([store.inventory.spellings(name, part)[0] for part in candidate.parts])
    for group in (*candidate.roots(), *candidate.of_role("confirms")):
        value = _column(group.values.get(name))
        if value:
            return value
    related = sorted(candidate.key(name) - {UNATTRIBUTED})
    return _listed([store.inventory.spellings(name, part)[0] for part in related]) or f"<{name}>"


def _column(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, list):
        return _listed([str(item) for item in value])
    return str(value)


def _listed(names: list[str]) -> str:
    """A few names; the rest as a number."""
    distinct = [name for name in dict.fromkeys(names) if name]
    more = len(distinct) - _FEW
    return ", ".join(distinct[:_FEW]) + (f" and {more} more" if more > 0 else "")
