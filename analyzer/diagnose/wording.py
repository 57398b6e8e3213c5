"""Texts of a rule with the captured names put in."""

from __future__ import annotations

from analyzer.diagnose.candidates import Candidate
from analyzer.diagnose.groups import UNATTRIBUTED
from analyzer.diagnose.sentence import PLACEHOLDER, plain, spoken
from analyzer.facts.store import Store

_FEW = 4


def filled(text: str, candidate: Candidate, store: Store) -> str:
    """Replace ``{name}`` and ``{symptom.name}`` by what was captured; an unknown name becomes ``<name>``."""
    return PLACEHOLDER.sub(lambda match: _value(match[1], candidate, store) or f"<{plain(match[1])}>", text)


def told(text: str, candidate: Candidate, store: Store) -> str:
    """The same as a sentence for people: what is not known is left out or said in words."""
    return spoken(text, {name: _value(name, candidate, store) for name in PLACEHOLDER.findall(text)})


def _value(name: str, candidate: Candidate, store: Store) -> str:
    """What a placeholder stands for; empty where nothing tells."""
    symptom, dot, column = name.partition(".")
    if dot:
        return _listed([_column(group.values.get(column)) for group in candidate.groups.get(symptom, [])])
    if name == candidate.kind and candidate.parts:
        return _spelled(name, candidate.parts, store)
    for group in (*candidate.roots(), *candidate.of_role("confirms")):
        value = _column(group.values.get(name))
        if value and value != UNATTRIBUTED:
            return value
    return _spelled(name, sorted(candidate.key(name)), store)


def _spelled(kind: str, parts: list[str], store: Store) -> str:
    return _listed([store.inventory.spellings(kind, part)[0] for part in parts if part != UNATTRIBUTED])


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
