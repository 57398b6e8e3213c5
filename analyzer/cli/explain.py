"""``fabtriage explain``: what a cause or an error code means, without any input."""

from __future__ import annotations

import argparse
import csv
import difflib
import re
import shutil
import textwrap
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from analyzer.cli.exits import Exit
from analyzer.cli.output import deliver
from analyzer.cli.rules import folders
from analyzer.errors import UsageError

if TYPE_CHECKING:
    from analyzer.rulebook.schema import Cause, Rulebook, Step, Symptom, Vocabulary

_MAX_WIDTH = 120
_SLUG = "slug"
"""Column of a catalogue that names the cause its code stands for."""
_REMEDY = "see fabtriage rules list"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("subject", nargs="+", metavar="CAUSE | CATALOGUE CODE", help="link-flapping, or xid 79")
    parser.add_argument("--rules", type=Path, metavar="DIR", help="rules of your own, besides the shipped ones")


def run(options: argparse.Namespace) -> int:
    """Print the page of a cause, or the entry of an error code and the causes that look at it."""
    from analyzer.rulebook.load import load

    rulebook = load(folders(options.rules))
    if len(options.subject) == 1:
        paragraphs = _cause(rulebook, options.subject[0])
    elif len(options.subject) == 2:
        paragraphs = _code(rulebook, *options.subject)
    else:
        raise UsageError("a cause, or a catalogue and a code", where=" ".join(options.subject), remedy=_REMEDY)
    width = min(shutil.get_terminal_size((_MAX_WIDTH, 24)).columns, _MAX_WIDTH)
    deliver("\n".join(_wrapped(paragraph, width) for paragraph in paragraphs), None)
    return Exit.CLEAR


def _wrapped(paragraph: str, width: int) -> str:
    """Wrap a line under its own indentation; commands (``$ …``) stay on one line to be copied."""
    indent = re.match(r" *(?:[0-9]+\. |- )?", paragraph)
    hanging = " " * (indent.end() if indent else 0)
    if not paragraph or paragraph.lstrip().startswith("$ "):
        return paragraph
    return textwrap.fill(paragraph, width, subsequent_indent=hanging, break_long_words=False, break_on_hyphens=False)


def _cause(rulebook: Rulebook, name: str) -> Iterator[str]:
    slug = _slug(rulebook, name)
    cause = rulebook.causes.get(slug)
    return _page(rulebook, cause) if cause else _entry(rulebook.vocabulary[slug])


def _slug(rulebook: Rulebook, name: str) -> str:
    """The slug that is meant: itself, or the one that lists it among its other names."""
    if name in rulebook.causes or name in rulebook.vocabulary:
        return name
    meant = next((entry.slug for entry in rulebook.vocabulary.values() if name in entry.also), None)
    if meant:
        return meant
    near = difflib.get_close_matches(name, {*rulebook.causes, *rulebook.vocabulary}, n=3)
    raise UsageError("no such cause", where=name, remedy=f"did you mean {' or '.join(near)}?" if near else _REMEDY)


def _entry(entry: Vocabulary) -> Iterator[str]:
    yield f"{entry.slug} ({entry.kind}, layer {entry.layer})"
    yield entry.title
    yield ""
    yield "No rule looks for this yet."


def _page(rulebook: Rulebook, cause: Cause) -> Iterator[str]:
    from analyzer.rulebook.shared import completed, spelt

    yield f"{cause.cause} ({cause.severity}, layer {cause.layer})"
    yield cause.title
    yield from _section("How it shows", (_symptom(symptom) for symptom in cause.symptoms.values()))
    yield from _section("What it explains", _explained(cause))
    yield from _steps("Fix", (completed(step, rulebook.actions) for step in cause.fix))
    yield from _steps("Verify", (completed(step, rulebook.actions) for step in cause.verify))
    yield from _section("Not proof of", cause.not_proof_of)
    yield from _section("Sources", (spelt(cite, rulebook.references) for cite in cause.sources))


def _section(title: str, lines: Iterable[str]) -> Iterator[str]:
    listed = list(dict.fromkeys(lines))
    if listed:
        yield ""
        yield title
        yield from (f"  - {line}" for line in listed)


def _symptom(symptom: Symptom) -> str:
    seen = symptom.event or symptom.table or " or ".join(symptom.line or ())
    condition = f" where {symptom.where}" if symptom.where else ""
    return f"{symptom.role}: {seen}{condition}"


def _explained(cause: Cause) -> Iterator[str]:
    for effect in cause.explains:
        name = effect.cause or effect.as_ or effect.event or effect.table
        if name:
            yield name


def _steps(title: str, steps: Iterable[Step]) -> Iterator[str]:
    yield ""
    yield title
    for number, step in enumerate(steps, 1):
        yield f"  {number}. {step.text}{'  [disruptive]' if step.risk == 'disruptive' else ''}"
        if step.command:
            yield f"       $ {step.command}"
        if step.expect:
            yield f"     expect: {step.expect}"


def _code(rulebook: Rulebook, catalogue: str, code: str) -> Iterator[str]:
    name = catalogue.lower()
    if name not in rulebook.catalogues:
        known = ", ".join(sorted(rulebook.catalogues)) or "none"
        raise UsageError("no such catalogue of codes", where=catalogue, remedy=f"known: {known}")
    rows = list(_rows(Path(rulebook.catalogues[name]), code))
    if not rows:
        raise UsageError("no such code in the catalogue", where=f"{catalogue} {code}", remedy="check the number")
    return _code_page(rulebook, name, code, rows)


def _rows(file: Path, code: str) -> Iterator[dict[str, str]]:
    """Rows whose first column is the code."""
    with file.open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream, restval=""):
            if next(iter(row.values())) == code:
                yield row


def _code_page(rulebook: Rulebook, name: str, code: str, rows: list[dict[str, str]]) -> Iterator[str]:
    yield f"{name} {code}"
    for row in rows:
        yield ""
        yield from (f"  {column}: {value}" for column, value in list(row.items())[1:] if value and column != _SLUG)
    named = (row[_SLUG] for row in rows if row.get(_SLUG))
    yield from _section("Causes (fabtriage explain CAUSE)", (*named, *_looking(rulebook, name, code)))


def _looking(rulebook: Rulebook, name: str, code: str) -> Iterator[str]:
    named = re.compile(rf"\b{re.escape(name)}\b[^A-Za-z]*(?:IN\b[^A-Za-z]*)?\b{re.escape(code)}\b", re.IGNORECASE)
    for slug, cause in sorted(rulebook.causes.items()):
        if any(symptom.where and named.search(symptom.where) for symptom in cause.symptoms.values()):
            yield slug
