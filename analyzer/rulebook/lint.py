"""Checks beyond types, over every entry of a draft."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TypeVar

from analyzer.model.tables import PLACE
from analyzer.rulebook.columns import Columns
from analyzer.rulebook.draft import Draft, Entry, inline_events
from analyzer.rulebook.example_checks import example_problems
from analyzer.rulebook.pattern_checks import engine_problems, group_problems, sample_problems, subset_problems
from analyzer.rulebook.schema import Benign, Cause, Cite, EventSpec, Step
from analyzer.rulebook.scope import KINDS, Scope
from analyzer.rulebook.symptom_checks import (
    consequences_problems,
    explains_problems,
    logic_problems,
    subject_problems,
    symptom_problems,
    where_problems,
)

T = TypeVar("T")
_RESERVED = tuple(column.name for column in PLACE)


def lint(draft: Draft, folders: Collection[int]) -> list[str]:
    """All problems of the entries of the folders given by index, as ``file:line: text`` in order of file and line."""
    scope = Scope(draft)
    found: list[str] = []
    for entry in _of(draft.causes, folders):
        found += _cause_problems(entry, scope)
    for event in _of(draft.events | inline_events(draft), folders):
        found += _event_problems(event, scope)
    for slug, benign in draft.benign.items():
        if benign.file.folder in folders:
            found += _benign_problems(slug, benign, scope)
    found += _shared_problems(draft, folders, scope)
    return sorted(dict.fromkeys(found), key=_place)


def _of(entries: dict[str, Entry[T]], folders: Collection[int]) -> Iterator[Entry[T]]:
    return (entry for entry in entries.values() if entry.file.folder in folders)


def _place(problem: str) -> tuple[str, int, str]:
    head, _, text = problem.partition(": ")
    path, _, line = head.rpartition(":")
    return path, int(line) if line.isdecimal() else 0, text


def _cause_problems(entry: Entry[Cause], scope: Scope) -> Iterator[str]:
    yield from _identity_problems(entry, scope)
    yield from symptom_problems(entry, scope)
    yield from subject_problems(entry, scope)
    yield from logic_problems(entry)
    yield from explains_problems(entry, scope)
    yield from _placeholder_problems(entry.value.say, entry, scope, entry.value, "say")
    for field in ("fix", "verify"):
        for place, step in enumerate(getattr(entry.value, field)):
            yield from _step_problems(step, entry, scope, field, place)
    yield from _source_problems(entry.value.sources, entry, scope)
    if not any(_primary(cite, scope) for cite in entry.value.sources):
        yield entry.problem("no primary source", "sources")
    yield from example_problems(entry, scope)


def _identity_problems(entry: Entry[Cause], scope: Scope) -> Iterator[str]:
    cause = entry.value
    if entry.file.relative.rpartition("/")[2] != f"{cause.cause}.yaml":
        yield entry.problem(f"the file of this cause is named {cause.cause}.yaml", "cause")
    known = scope.draft.vocabulary.get(cause.cause)
    if known is None:
        yield entry.problem(f"slug `{cause.cause}` is not in causes.toml", "cause")
        return
    if known.value.layer != cause.layer:
        yield entry.problem(f"layer is `{known.value.layer}` in causes.toml", "layer")
    if known.value.kind == "benign":
        yield entry.problem("this slug is benign in causes.toml; describe it in benign.yaml", "cause")


def _step_problems(step: Step, entry: Entry[Cause], scope: Scope, field: str, place: int) -> Iterator[str]:
    if (step.use is None) == (step.text is None):
        yield entry.problem("give exactly one of use, text", field, place)
    if step.use is not None:
        if step.use not in scope.draft.actions:
            yield entry.problem(f"unknown action `{step.use}`", field, place, "use")
        if step.command is not None or step.expect is not None:
            yield entry.problem("an action brings its own command and expectation", field, place)
    for key in ("text", "command", "expect"):
        yield from _placeholder_problems(getattr(step, key), entry, scope, entry.value, field, place, key)


def _placeholder_problems(
    text: str | None, entry: Entry[T], scope: Scope, cause: Cause | None, *path: str | int
) -> Iterator[str]:
    for name in scope.unknown_placeholders(text or "", cause):
        yield entry.problem(f"nothing fills the placeholder {{{name}}}", *path)


def _source_problems(sources: tuple[Cite | str, ...], entry: Entry[T], scope: Scope) -> Iterator[str]:
    for place, cite in enumerate(sources):
        name = cite if isinstance(cite, str) else cite.id
        if name not in scope.draft.references:
            yield entry.problem(f"unknown source `{name}`", "sources", place)


def _primary(cite: Cite | str, scope: Scope) -> bool:
    reference = scope.draft.references.get(cite if isinstance(cite, str) else cite.id)
    return reference is not None and reference.value.primary


def _event_problems(entry: Entry[EventSpec], scope: Scope) -> Iterator[str]:
    spec = entry.value
    key = "line" if entry.prefix[0] == "symptoms" else "lines"
    for place, line in enumerate(spec.lines):
        for text in (*subset_problems(line), *engine_problems(line)):
            yield entry.problem(text, key, place)
    for text in group_problems(spec.lines, tuple(spec.fields), _RESERVED):
        yield entry.problem(text, "fields")
    for place, family in enumerate(spec.formats):
        if family not in scope.families:
            yield entry.problem(f"no format carries the family `{family}`", "formats", place)
    samples = () if key == "line" else spec.samples
    matched = sample_problems(spec.lines, spec.samples, spec.near_misses)
    for text in matched:
        if samples or not text.startswith("sample is not matched"):
            yield entry.problem(text, "samples" if samples else key)


def _benign_problems(slug: str, entry: Entry[Benign], scope: Scope) -> Iterator[str]:
    benign = entry.value
    known = scope.draft.vocabulary.get(slug)
    if known is None or known.value.kind != "benign":
        yield entry.problem(f"`{slug}` is not a benign slug of causes.toml")
    yield from _source_problems(benign.sources, entry, scope)
    columns: Columns | None = scope.frame(benign.event, benign.table)
    if (benign.event is None) == (benign.table is None):
        yield entry.problem("give exactly one of event, table")
    elif columns is None:
        yield entry.problem(f"unknown {'event' if benign.event else 'table'} `{benign.event or benign.table}`")
    else:
        yield from where_problems(benign.where, columns, {}, entry.problem)
    event = scope.draft.events.get(benign.event or "")
    if event is not None:
        for text in sample_problems(event.value.lines, benign.samples, ()):
            if text.startswith("sample is not matched"):
                yield entry.problem(text, "samples")


def _shared_problems(draft: Draft, folders: Collection[int], scope: Scope) -> Iterator[str]:
    for action in _of(draft.actions, folders):
        for key in ("text", "command", "expect"):
            yield from _placeholder_problems(getattr(action.value, key), action, scope, None, key)
    for listed in _of(draft.consequences, folders):
        yield from consequences_problems(listed, scope)
    known = scope.families | KINDS
    for name, entry in draft.collect.items():
        if entry.file.folder in folders and name not in known and scope.table(name) is None:
            yield entry.problem(f"`{name}` is no family of messages and no table")
