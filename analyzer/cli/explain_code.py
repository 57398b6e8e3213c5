"""Pages of ``fabtriage explain`` about error codes: the entry of a catalogue, who says what, and our verdict."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from analyzer.cli.explain_text import numbered, section
from analyzer.errors import UsageError
from analyzer.rulebook import codes
from analyzer.rulebook.codes import Details, Entry, Layout
from analyzer.rulebook.schema import Rulebook
from analyzer.rulebook.shared import completed, spelt

_LABEL_WIDTH = 28
_LISTED = 40
_SLUG = "slug"
"""Column of a catalogue that names the cause its code stands for."""


def page(rulebook: Rulebook, catalogue: str, code: str, words: Sequence[str]) -> Iterator[str]:
    """Paragraphs about one code, or about what the words behind it mean.

    Args:
        rulebook: The rules in force.
        catalogue: Name of the catalogue.
        code: Its code; a detail may follow behind a slash.
        words: Further words of the log line.

    Raises:
        UsageError: There is no such catalogue, code or detail.
    """
    name = catalogue.lower()
    if name not in rulebook.catalogues:
        known = ", ".join(sorted(rulebook.catalogues)) or "none"
        raise UsageError("no such catalogue of codes", where=catalogue, remedy=f"known: {known}")
    layout = codes.layouts().get(name, Layout(title=f"{name} {code}"))
    number, _, detail = code.partition("/")
    rows = codes.entries(rulebook.catalogues[name])
    found = codes.named(rows, code) or codes.named(rows, number)
    if not found:
        near = " or ".join(codes.nearest(rows, number)) or "none"
        raise UsageError("no such code in the catalogue", where=f"{catalogue} {code}", remedy=f"nearest: {near}")
    if codes.named(rows, code):
        detail = ""
    if detail or words:
        yield from _details(rulebook, layout, f"{catalogue} {number}", found[0], detail, words)
        return
    for row in found:
        yield from _entry(rulebook, name, layout, row)
    for part in _parts(layout, codes.key_of(found[0])):
        yield from _listed(rulebook, part, codes.key_of(found[0]))


def _parts(layout: Layout, code: str) -> list[Details]:
    return [part for part in layout.details if code.isdecimal() and int(code) in part.codes]


def _entry(rulebook: Rulebook, name: str, layout: Layout, row: Entry) -> Iterator[str]:
    yield layout.title.format_map(row)
    yield ""
    if layout.facts:
        yield f"  {_sentence(row['meaning'])}"
        yield from (_labelled(label, row[column]) for column, label in layout.facts.items() if row.get(column))
        yield from section("Who says what", _opinions(rulebook, layout, row), mark="")
        yield from _verdict(rulebook, row)
    else:
        yield from (f"  {column}: {value}" for column, value in list(row.items())[1:] if value and column != _SLUG)
    named = [row[_SLUG]] if row.get(_SLUG) else []
    looking = _looking(rulebook, name, codes.key_of(row))
    yield from section("Causes (fabtriage explain CAUSE)", (*named, *looking))
    if layout.facts:
        yield from section("Sources", [spelt(cite, rulebook.references) for cite in row["source"].split()])


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _labelled(label: str, value: str) -> str:
    return f"  {label + ':':{_LABEL_WIDTH}} {value}"


def _opinions(rulebook: Rulebook, layout: Layout, row: Entry) -> Iterator[str]:
    file = rulebook.catalogues.get(layout.actions)
    meanings = {codes.key_of(action): action["meaning"] for action in codes.entries(file)} if file else {}
    for column, label in layout.opinions.items():
        value = row.get(column, "")
        if value:
            meaning = f" ({meanings[value]})" if value in meanings else ""
            yield _labelled(label, value + meaning).lstrip()
    if layout.chosen and row.get(layout.chosen):
        yield _labelled("We follow", row[layout.chosen]).lstrip()


def _verdict(rulebook: Rulebook, row: Entry) -> Iterator[str]:
    """What we make of the code: the cause it stands for with fix and check, or why it has none."""
    slug = row[_SLUG]
    if slug in rulebook.vocabulary:
        named = f"{rulebook.vocabulary[slug].title}  ({slug})"
        yield from section("Our verdict", (named, *_kind(rulebook, slug)))
    else:
        yield from section("Our verdict", (f"none: {row['exception']}",))
    cause = rulebook.causes.get(slug)
    if cause:
        yield from section("Not proof of", cause.not_proof_of)
        yield from numbered("Fix", (completed(step, rulebook.actions) for step in cause.fix))
        yield from numbered("Verify", (completed(step, rulebook.actions) for step in cause.verify))


def _kind(rulebook: Rulebook, slug: str) -> Iterator[str]:
    benign = rulebook.benign.get(slug)
    if benign:
        yield f"Needs no action: {benign.why[:1].lower()}{benign.why[1:]}."
    elif slug not in rulebook.causes:
        yield "No rule looks for this yet."


def _looking(rulebook: Rulebook, name: str, code: str) -> Iterator[str]:
    named = re.compile(rf"\b{re.escape(name)}\b[^A-Za-z]*(?:IN\b[^A-Za-z]*)?\b{re.escape(code)}\b", re.IGNORECASE)
    for slug, cause in sorted(rulebook.causes.items()):
        if any(symptom.where and named.search(symptom.where) for symptom in cause.symptoms.values()):
            yield slug


def _listed(rulebook: Rulebook, part: Details, code: str) -> Iterator[str]:
    """The details that a code may have."""
    rows = _of_code(rulebook, part, code)
    lines = [f"{part.label.format_map(row)}: {row['meaning']}" for row in rows]
    more = [f"and {len(lines) - _LISTED} more"] if len(lines) > _LISTED else []
    yield from section("Details (ask with the words of the line)", (*lines[:_LISTED], *more))


def _of_code(rulebook: Rulebook, part: Details, code: str) -> list[Entry]:
    rows = codes.entries(rulebook.catalogues[part.catalogue])
    return [row for row in rows if row.get("xid", code) == code]


def _details(
    rulebook: Rulebook, layout: Layout, where: str, code: Entry, detail: str, texts: Sequence[str]
) -> Iterator[str]:
    parts = _parts(layout, codes.key_of(code))
    if not parts:
        raise UsageError("this code has no details", where=where, remedy=f"ask for {where} alone")
    part, rows = parts[0], _of_code(rulebook, parts[0], codes.key_of(code))
    words = codes.words_of(texts)
    if words is None:
        raise UsageError("no hexadecimal words", where=" ".join(texts), remedy="give them as the line does: 0x10000")
    found = codes.chosen_by_text(rows, detail) if detail else rows
    if words:
        found = codes.chosen_by_words(found, part, words)
    unknown = codes.unknown_bits(rows, words) if part.words == "bits" else []
    if not found and not unknown and not (words and part.words == "bits"):
        near = " or ".join(codes.nearest(rows, detail or texts[0])) or codes.key_of(rows[0])
        raise UsageError(
            "no such detail of the code", where=f"{where} {detail or ' '.join(texts)}", remedy=f"nearest: {near}"
        )
    yield layout.title.format_map(code)
    yield ""
    yield f"  {_sentence(code['meaning'])}"
    shown = codes.layouts()[part.catalogue]
    for row in found:
        yield ""
        yield from _entry(rulebook, part.catalogue, shown, row)
    if part.words == "bits" and not found and not unknown:
        yield from section("Bits", ["No bit is set in these words."])
    yield from section("Bits that the catalogue does not name", [f"word {word}, bit {bit}" for word, bit in unknown])
