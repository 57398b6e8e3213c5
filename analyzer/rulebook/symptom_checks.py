"""Checks of one cause's symptoms, subject, logic and explanations against the declared names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Any

import polars as pl

from analyzer.rulebook import expressions
from analyzer.rulebook.columns import Columns, names
from analyzer.rulebook.draft import Entry
from analyzer.rulebook.duration import window
from analyzer.rulebook.schema import Cause, Consequences, Explains, Symptom
from analyzer.rulebook.scope import KINDS, Scope

Say = Callable[..., str]


def symptom_problems(entry: Entry[Cause], scope: Scope) -> Iterator[str]:
    """Problems of every symptom."""
    for name, symptom in entry.value.symptoms.items():
        found = _Symptom(entry, scope, name, symptom)
        yield from found.problems()


class _Symptom:
    """One symptom under check."""

    def __init__(self, entry: Entry[Cause], scope: Scope, name: str, symptom: Symptom) -> None:
        self.cause, self.scope, self.name, self.symptom = entry.value, scope, name, symptom
        self.entry = entry
        self.columns: Columns = scope.symptom(self.cause, name)

    def say(self, text: str, *path: str | int) -> str:
        return self.entry.problem(text, "symptoms", self.name, *path)

    def problems(self) -> Iterator[str]:
        symptom = self.symptom
        if sum(form is not None for form in (symptom.event, symptom.table, symptom.line)) != 1:
            yield self.say("give exactly one of event, table, line")
            return
        if not self.columns:
            kind, value = ("event", symptom.event) if symptom.event else ("table", symptom.table)
            yield self.say(f"unknown {kind} `{value}`", kind)
            return
        if symptom.line is None and (symptom.formats or symptom.fields or symptom.samples):
            yield self.say("formats, fields and samples belong to an inline line")
        yield from self._lookup()
        yield from where_problems(symptom.where, self.columns, self.scope.looked_up(symptom), self.say)
        yield from self._count()
        yield from self._lasts()
        yield from self._odd()
        yield from self._on()
        yield from window_problems(symptom.within, self.say)

    def _lookup(self) -> Iterator[str]:
        lookup = self.symptom.lookup
        if lookup is None:
            return
        if self.scope.catalogue(lookup.catalogue) is None:
            yield self.say(f"unknown or unreadable catalogue `{lookup.catalogue}`", "lookup", "catalogue")
        if lookup.key not in self.columns:
            yield self.say(f"unknown column `{lookup.key}`", "lookup", "key")

    def _count(self) -> Iterator[str]:
        count = self.symptom.count
        if count is None:
            return
        places: list[tuple[str, tuple[str | int, ...]]] = [(name, ("per", at)) for at, name in enumerate(count.per)]
        if count.of is not None:
            places.append((count.of, ("of",)))
        for name, path in places:
            if not names(self.columns, name):
                yield self.say(f"`{name}` is neither a column nor an entity kind of this symptom", "count", *path)
        yield from window_problems(count.within, self.say, "count", "within")

    def _lasts(self) -> Iterator[str]:
        lasts = self.symptom.lasts
        if lasts is None:
            return
        if lasts.ended_by not in self.cause.symptoms:
            yield self.say(f"unknown symptom `{lasts.ended_by}`", "lasts", "ended_by")
        yield from window_problems(lasts.min, self.say, "lasts", "min")

    def _odd(self) -> Iterator[str]:
        odd = self.symptom.odd
        if odd is None:
            return
        if odd.value not in self.columns:
            yield self.say(f"unknown column `{odd.value}`", "odd", "value")
        for place, name in enumerate(odd.among):
            if name not in self.columns:
                yield self.say(f"unknown column `{name}`", "odd", "among", place)

    def _on(self) -> Iterator[str]:
        for own, theirs in (self.symptom.on or {}).items():
            if own not in self.columns and own not in KINDS:
                yield self.say(f"`{own}` is neither a column nor an entity kind", "on", own)
            symptom, dot, column = theirs.partition(".")
            if not dot:
                known = theirs in KINDS or theirs in _subject_columns(self.cause, self.scope)
            elif symptom not in self.cause.symptoms:
                yield self.say(f"unknown symptom `{symptom}`", "on", own)
                continue
            else:
                known = column in KINDS or column in self.scope.symptom(self.cause, symptom)
            if not known:
                yield self.say(f"`{theirs}` is neither a column nor an entity kind", "on", own)


def subject_problems(entry: Entry[Cause], scope: Scope) -> Iterator[str]:
    """Problems of the subject: one kind, and each text names a column, a kind or a literal."""
    cause = entry.value
    if len(cause.subject) != 1:
        yield entry.problem("the subject has exactly one entity kind", "subject")
    for kind, named in cause.subject.items():
        for text in (named,) if isinstance(named, str) else named:
            if not _names_part(text, cause, scope):
                yield entry.problem(
                    f"`{text}` is no symptom, no column of a root symptom, and no entity kind", "subject", kind
                )


def logic_problems(entry: Entry[Cause]) -> Iterator[str]:
    """Names in ``logic``, ``recovers`` and confidence terms, a root, and symptoms that nothing uses."""
    cause, logic = entry.value, entry.value.logic
    for field in ("all", "any", "unless", "sequence"):
        for place, name in enumerate(getattr(logic, field)):
            if name not in cause.symptoms:
                yield entry.problem(f"unknown symptom `{name}`", "logic", field, place)
    if cause.recovers is not None and cause.recovers not in cause.symptoms:
        yield entry.problem(f"unknown symptom `{cause.recovers}`", "recovers")
    yield from _term_problems(entry)
    if all(symptom.role != "root" for symptom in cause.symptoms.values()):
        yield entry.problem("no root symptom", "symptoms")
    used = _used(cause)
    for name, symptom in cause.symptoms.items():
        if name not in used and symptom.role in ("root", "against"):
            yield entry.problem(f"`{name}` is used by nothing", "symptoms", name)


def explains_problems(entry: Entry[Cause], scope: Scope) -> Iterator[str]:
    """Problems of every consequence that the cause explains."""
    named = _subject_columns(entry.value, scope)
    for place, edge in enumerate(entry.value.explains):
        if edge.use is None:
            yield from _edge_problems(edge, entry, scope, named, place)
        elif edge.use not in scope.draft.consequences:
            yield entry.problem(f"unknown list of consequences `{edge.use}`", "explains", place, "use")
        elif edge != Explains(use=edge.use):
            yield entry.problem("a list of consequences brings everything itself", "explains", place)


def consequences_problems(entry: Entry[Consequences], scope: Scope) -> Iterator[str]:
    """Problems of every entry of a shared list of consequences."""
    for place, edge in enumerate(entry.value.explains):
        yield from _edge_problems(edge, entry, scope, frozenset(), place)


def where_problems(where: str | None, columns: Columns, extra: Mapping[str, pl.DataType], say: Say) -> Iterator[str]:
    """What is wrong with a ``where`` expression."""
    text = expressions.wrong(where, columns, extra) if where is not None else None
    if text:
        yield say(f"where: {text}", "where")


def window_problems(value: str | tuple[str, str] | None, say: Say, *path: str) -> Iterator[str]:
    """A duration or window that cannot be read, or that ends before it begins."""
    try:
        span = window(value)
    except ValueError as error:
        yield say(str(error), *(path or ("within",)))
        return
    if span and span[0] > span[1]:
        yield say("the window ends before it begins", *(path or ("within",)))


def _edge_problems(
    edge: Explains, entry: Entry[Any], scope: Scope, of_subject: AbstractSet[str], place: int
) -> Iterator[str]:
    """Problems of one consequence; ``of_subject`` are the columns of the symptoms that name the subject."""

    def say(text: str, *path: str | int) -> str:
        return entry.problem(text, "explains", place, *path)

    if sum(form is not None for form in (edge.cause, edge.event, edge.table)) != 1:
        yield say("give exactly one of cause, event, table")
        return
    yield from _edge_slug_problems(edge, scope, say)
    columns = scope.frame(edge.event, edge.table)
    if columns is None and not edge.cause:
        yield say(f"unknown {'event' if edge.event else 'table'} `{edge.event or edge.table}`")
    if columns:
        yield from where_problems(edge.where, columns, {}, say)
    for own, theirs in edge.on.items():
        if own not in KINDS and not (columns and own in columns):
            yield say(f"`{own}` is neither a column nor an entity kind", "on", own)
        if theirs not in KINDS and theirs not in of_subject:
            yield say(
                f"`{theirs}` is neither an entity kind nor a column of the symptoms that name the subject", "on", own
            )
    yield from window_problems(edge.within, say)


def _edge_slug_problems(edge: Explains, scope: Scope, say: Say) -> Iterator[str]:
    key, slug = ("cause", edge.cause) if edge.cause else ("as", edge.as_)
    if slug is None:
        yield say("`as` is missing: the consequence's slug")
    elif slug not in scope.draft.vocabulary:
        yield say(f"unknown slug `{slug}`", key)
    if edge.cause and (edge.where or edge.as_):
        yield say("where and as belong to an event or table")


def _subject_columns(cause: Cause, scope: Scope) -> frozenset[str]:
    return frozenset(name for columns in _anchors(cause, scope).values() for name in columns)


def _anchors(cause: Cause, scope: Scope) -> dict[str, Columns]:
    """Columns of the symptoms that name the subject: the root ones and those that the subject names."""
    found = scope.roots(cause)
    for named in cause.subject.values():
        for text in (named,) if isinstance(named, str) else named:
            symptom, dot, _ = text.partition(".")
            if dot and symptom in cause.symptoms:
                found[symptom] = scope.symptom(cause, symptom)
    return found


def _names_part(text: str, cause: Cause, scope: Scope) -> bool:
    if text.startswith("="):
        return len(text) > 1
    symptom, dot, column = text.partition(".")
    if dot:
        return symptom in cause.symptoms and (column in KINDS or column in scope.symptom(cause, symptom))
    return text in cause.symptoms or text in KINDS or any(text in columns for columns in scope.roots(cause).values())


def _term_problems(entry: Entry[Cause]) -> Iterator[str]:
    for place, term in enumerate(entry.value.confidence.terms):
        named = [name for name in (term.present, term.absent) if name is not None]
        if len(named) != 1:
            yield entry.problem("give exactly one of present, absent", "confidence", "terms", place)
        for name in named:
            if name not in entry.value.symptoms:
                yield entry.problem(f"unknown symptom `{name}`", "confidence", "terms", place)


def _used(cause: Cause) -> set[str]:
    logic = cause.logic
    used = {*logic.all, *logic.any, *logic.unless, *logic.sequence}
    if not (logic.all or logic.any or logic.sequence):
        used.update(name for name, symptom in cause.symptoms.items() if symptom.role == "root")
    for named in cause.subject.values():
        used.update(text.partition(".")[0] for text in ((named,) if isinstance(named, str) else named))
    for symptom in cause.symptoms.values():
        used.update(theirs.partition(".")[0] for theirs in (symptom.on or {}).values())
        if symptom.lasts:
            used.add(symptom.lasts.ended_by)
    for term in cause.confidence.terms:
        used.update(name for name in (term.present, term.absent) if name)
    return used | ({cause.recovers} if cause.recovers else set())
