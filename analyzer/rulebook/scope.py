"""What names mean inside the rules under check: frames and their columns, catalogues, placeholders."""

from __future__ import annotations

import re
from typing import get_args

import polars as pl

from analyzer.rulebook import columns, expressions, tables
from analyzer.rulebook.columns import Columns
from analyzer.rulebook.draft import Draft, inline_events, inline_name
from analyzer.rulebook.schema import Cause, EntityKind, Symptom

KINDS: frozenset[str] = frozenset(get_args(EntityKind))
_PLACEHOLDER = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)?)\}")


class Scope:
    """Names that the rules may use.

    Attributes:
        draft: The entries themselves.
        families: Message families of all formats.
    """

    def __init__(self, draft: Draft) -> None:
        self.draft = draft
        self.families = tables.families()
        self._events = draft.events | inline_events(draft)
        self._tables = tables.declared()
        self._catalogues: dict[str, dict[str, pl.DataType] | None] = {}

    def event(self, name: str) -> Columns | None:
        """Columns of an event; None if there is no such event."""
        entry = self._events.get(name)
        return columns.of_event(columns.complete(entry.value)) if entry else None

    def table(self, name: str) -> Columns | None:
        """Columns of a table; None if no parser and no derived table declares it."""
        spec = self._tables.get(name)
        return columns.of_table(spec) if spec else None

    def frame(self, event: str | None, table: str | None) -> Columns | None:
        """Columns of the event or table, whichever is named."""
        if event:
            return self.event(event)
        return self.table(table) if table else None

    def symptom(self, cause: Cause, name: str) -> Columns:
        """Columns of one symptom's frame; none if the frame is unknown."""
        symptom = cause.symptoms.get(name)
        if symptom is None:
            return {}
        event = inline_name(cause.cause, name) if symptom.line else symptom.event
        return self.frame(event, symptom.table) or {}

    def roots(self, cause: Cause) -> dict[str, Columns]:
        """Columns per root symptom."""
        return {name: self.symptom(cause, name) for name, symptom in cause.symptoms.items() if symptom.role == "root"}

    def catalogue(self, name: str) -> dict[str, pl.DataType] | None:
        """Columns that a look-up in a catalogue adds; None if there is no such file or it is no CSV."""
        if name not in self._catalogues:
            file = self.draft.catalogues.get(name)
            try:
                self._catalogues[name] = dict(expressions.catalogue(name, file.path).schema) if file else None
            except pl.exceptions.PolarsError:
                self._catalogues[name] = None
        return self._catalogues[name]

    def looked_up(self, symptom: Symptom) -> dict[str, pl.DataType]:
        """Columns that a symptom's look-up adds."""
        lookup = symptom.lookup
        if lookup is None:
            return {}
        near = {f"{lookup.catalogue}_nearest": pl.String()} if lookup.nearest is not None else {}
        return (self.catalogue(lookup.catalogue) or {}) | near

    def unknown_placeholders(self, text: str, cause: Cause | None) -> list[str]:
        """Placeholders of a text that nothing can fill; without a cause only entity kinds can."""
        return [name for name in _PLACEHOLDER.findall(text) if not self._fills(name, cause)]

    def _fills(self, name: str, cause: Cause | None) -> bool:
        symptom, dot, column = name.partition(".")
        if cause is None or (not dot and name in KINDS):
            return name in KINDS
        if dot:
            return columns.names(self.symptom(cause, symptom), column) or column in self.looked_up_names(cause, symptom)
        visible = (key for key, value in cause.symptoms.items() if value.role in ("root", "confirms"))
        return any(name in self.symptom(cause, key) or name in self.looked_up_names(cause, key) for key in visible)

    def looked_up_names(self, cause: Cause, name: str) -> frozenset[str]:
        """Names of the columns that a symptom's look-up adds."""
        symptom = cause.symptoms.get(name)
        return frozenset(self.looked_up(symptom)) if symptom else frozenset()
