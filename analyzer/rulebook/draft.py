"""Rule files read and typed, each entry with its place, all problems collected."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from typing import Any, Generic, NamedTuple, TypeVar

import msgspec

from analyzer.rulebook.columns import complete
from analyzer.rulebook.document import Document, DocumentError, Path, read
from analyzer.rulebook.files import RuleFile
from analyzer.rulebook.schema import (
    Action,
    Benign,
    Cause,
    Collect,
    Consequences,
    EventName,
    EventSpec,
    Explains,
    Name,
    Reference,
    Rulebook,
    Slug,
    Vocabulary,
)
from analyzer.rulebook.typed import MismatchError, convert

T = TypeVar("T")


class Entry(NamedTuple, Generic[T]):
    """A typed value, its file, and its place in the file's document."""

    value: T
    file: RuleFile
    document: Document
    prefix: Path = ()

    def problem(self, text: str, *path: str | int) -> str:
        """The text with ``file:line`` of the value at ``path`` before it."""
        return f"{self.file.path}:{self.document.line((*self.prefix, *path))}: {text}"


class Draft(msgspec.Struct):
    """Everything read so far: a later folder's entry replaces an earlier one of the same name."""

    causes: dict[str, Entry[Cause]] = {}
    events: dict[str, Entry[EventSpec]] = {}
    benign: dict[str, Entry[Benign]] = {}
    actions: dict[str, Entry[Action]] = {}
    consequences: dict[str, Entry[Consequences]] = {}
    references: dict[str, Entry[Reference]] = {}
    collect: dict[str, Entry[Collect]] = {}
    vocabulary: dict[str, Entry[Vocabulary]] = {}
    catalogues: dict[str, RuleFile] = {}
    problems: list[str] = []


_ENTRIES: dict[str, tuple[str, Any, Any]] = {
    "events": ("events", EventName, EventSpec),
    "benign": ("benign", Slug, Benign),
    "actions": ("actions", Name, Action),
    "consequences": ("consequences", Name, Consequences),
    "sources": ("references", Name, Reference),
    "collect": ("collect", Name, Collect),
}


def drafted(files: Iterable[RuleFile]) -> Draft:
    """Read and type all files; what is wrong is in ``problems``, what is right in the other fields."""
    draft = Draft()
    for file in files:
        if file.kind == "catalogue":
            draft.catalogues[file.stem] = file
        elif file.kind == "vocabulary":
            _vocabulary(draft, file)
        else:
            _document(draft, file)
    return draft


def assembled(draft: Draft, revision: str) -> Rulebook:
    """The rulebook of a draft without problems; inline patterns become events, named lists their entries."""
    events = {**draft.events, **inline_events(draft)}
    return Rulebook(
        revision=revision,
        causes={slug: _spelled_out(entry.value, draft) for slug, entry in draft.causes.items()},
        events={name: complete(entry.value) for name, entry in events.items()},
        benign=_values(draft.benign),
        actions=_values(draft.actions),
        references=_values(draft.references),
        vocabulary=_values(draft.vocabulary),
        collect=_values(draft.collect),
        catalogues={name: file.path for name, file in draft.catalogues.items()},
        untrusted=tuple(name for name, entry in events.items() if entry.file.folder > 0),
    )


def _spelled_out(cause: Cause, draft: Draft) -> Cause:
    """The cause with the entries of the lists it uses in the place of their names."""
    edges: list[Explains] = []
    for edge in cause.explains:
        edges.extend(draft.consequences[edge.use].value.explains if edge.use else (edge,))
    return msgspec.structs.replace(cause, explains=tuple(edges))


def inline_name(slug: str, symptom: str) -> str:
    """Name of the event made of an inline ``line`` symptom."""
    return f"{slug.replace('-', '_')}.{symptom}"


def inline_events(draft: Draft) -> dict[str, Entry[EventSpec]]:
    """Events of all inline patterns; their samples include the evidence lines of the cause's positive examples."""
    found: dict[str, Entry[EventSpec]] = {}
    for slug, entry in draft.causes.items():
        for name, symptom in entry.value.symptoms.items():
            if symptom.line is None:
                continue
            spec = EventSpec(
                title=entry.value.title, lines=symptom.line, formats=symptom.formats, fields=symptom.fields,
                samples=(*symptom.samples, *evidence_lines(entry.value)),
            )  # fmt: skip
            found[inline_name(slug, name)] = Entry(spec, entry.file, entry.document, ("symptoms", name))
    return found


def evidence_lines(cause: Cause) -> tuple[str, ...]:
    """Texts of the lines that positive examples cite, in order."""
    found: list[str] = []
    for example in cause.examples:
        if example.kind == "positive":
            found.extend(text for place in example.evidence if (text := _cited(example.files, place)))
    return tuple(found)


def _cited(files: dict[str, str], place: str) -> str:
    path, _, number = place.rpartition(":")
    lines = files.get(path, "").split("\n")
    return lines[int(number) - 1] if number.isdecimal() and 0 < int(number) <= len(lines) else ""


def _values(entries: dict[str, Entry[T]]) -> dict[str, T]:
    return {name: entry.value for name, entry in entries.items()}


def _document(draft: Draft, file: RuleFile) -> None:
    try:
        document = read(file.data)
    except DocumentError as error:
        draft.problems.append(f"{file.path}:{error.line}: {error.text}")
        return
    if file.kind == "cause":
        cause = _typed(draft, Entry(document.value, file, document), Cause)
        if cause is not None:
            _keep(draft, "causes", cause.value.cause, cause)
        return
    if not isinstance(document.value, dict):
        draft.problems.append(f"{file.path}:{document.line(())}: a mapping of names is expected")
        return
    _entries(draft, file, document)


def _entries(draft: Draft, file: RuleFile, document: Document) -> None:
    field, key_type, value_type = _ENTRIES[file.kind]
    for name, value in document.value.items():
        place = Entry(value, file, document, (name,))
        try:
            convert(name, key_type)
        except MismatchError as error:
            draft.problems.append(place.problem(f"name `{name}`: {error.text}"))
            continue
        typed = _typed(draft, place, value_type)
        if typed is not None:
            _keep(draft, field, name, typed)


def _typed(draft: Draft, entry: Entry[Any], kind: type[T]) -> Entry[T] | None:
    try:
        return Entry(convert(entry.value, kind), entry.file, entry.document, entry.prefix)
    except MismatchError as error:
        draft.problems.append(entry.problem(error.text, *error.path))
        return None


def _keep(draft: Draft, field: str, name: str, entry: Entry[Any]) -> None:
    """Add an entry; within one folder a name may be given once."""
    entries = getattr(draft, field)
    earlier = entries.get(name)
    if earlier is not None and earlier.file.folder == entry.file.folder:
        draft.problems.append(entry.problem(f"`{name}` is already given in {earlier.problem('').rstrip(': ')}"))
        return
    entries[name] = entry


def _vocabulary(draft: Draft, file: RuleFile) -> None:
    try:
        values = tomllib.loads(file.data.decode())
        entries = convert(values, dict[str, tuple[Vocabulary, ...]]).get("cause", ())
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, MismatchError) as error:
        text = error.text if isinstance(error, MismatchError) else str(error)
        line = int(text.partition("at line ")[2].partition(",")[0] or 1) if "at line " in text else 1
        draft.problems.append(f"{file.path}:{line}: {text}")
        return
    lines = _slug_lines(file.data)
    for number, entry in enumerate(entries):
        line = lines[number] if number < len(lines) else 1
        _keep(draft, "vocabulary", entry.slug, Entry(entry, file, Document(None, {(): line})))


def _slug_lines(data: bytes) -> list[int]:
    return [number for number, line in enumerate(data.split(b"\n"), 1) if line.strip() == b"[[cause]]"]
