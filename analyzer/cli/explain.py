"""``fabtriage explain``: what a cause or an error code means, without any input."""

from __future__ import annotations

import argparse
import difflib
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from analyzer.cli.exits import Exit
from analyzer.cli.explain_text import numbered, section, wrapped
from analyzer.cli.output import deliver
from analyzer.cli.rules import folders
from analyzer.errors import UsageError

if TYPE_CHECKING:
    from analyzer.rulebook.schema import Cause, Rulebook, Symptom, Vocabulary

_CODE = re.compile(r"(?P<catalogue>s?xid)?[ _-]?(?P<code>\d{1,6}(?:/\w+)?)", re.IGNORECASE)
_MAX_WIDTH = 120
_REMEDY = "see fabtriage rules list"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "subject",
        nargs="+",
        metavar="CAUSE | CATALOGUE CODE [WORD…]",
        help="link-flapping, xid 79, sxid 20034, xid 149/4, xid 74 0x0 0x0 0x10000",
    )
    parser.add_argument("--rules", type=Path, metavar="DIR", help="rules of your own, besides the shipped ones")


def run(options: argparse.Namespace) -> int:
    """Print the page of a cause, or the entry of an error code and the causes that look at it."""
    from analyzer.cli.explain_code import page
    from analyzer.rulebook.load import load

    rulebook = load(folders(options.rules))
    if len(options.subject) == 1:
        paragraphs = _cause(rulebook, options.subject[0])
    elif options.subject[0].lower() in rulebook.catalogues or len(options.subject) == 2:
        paragraphs = page(rulebook, options.subject[0], options.subject[1], options.subject[2:])
    else:
        raise UsageError("a cause, or a catalogue and a code", where=" ".join(options.subject), remedy=_REMEDY)
    width = min(shutil.get_terminal_size((_MAX_WIDTH, 24)).columns, _MAX_WIDTH)
    deliver("\n".join(wrapped(paragraph, width) for paragraph in paragraphs), None)
    return Exit.CLEAR


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
    code = _CODE.fullmatch(name)
    if code:
        remedy = f"did you mean explain {code['catalogue'] or 'xid'} {code['code']}?"
        raise UsageError("no such cause", where=name, remedy=remedy)
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
    yield from section("How it shows", (_symptom(symptom) for symptom in cause.symptoms.values()))
    yield from section("What it explains", _explained(cause))
    yield from numbered("Fix", (completed(step, rulebook.actions) for step in cause.fix))
    yield from numbered("Verify", (completed(step, rulebook.actions) for step in cause.verify))
    yield from section("Not proof of", cause.not_proof_of)
    yield from section("Sources", (spelt(cite, rulebook.references) for cite in cause.sources))


def _symptom(symptom: Symptom) -> str:
    seen = symptom.event or symptom.table or " or ".join(symptom.line or ())
    condition = f" where {symptom.where}" if symptom.where else ""
    return f"{symptom.role}: {seen}{condition}"


def _explained(cause: Cause) -> Iterator[str]:
    for effect in cause.explains:
        name = effect.cause or effect.as_ or effect.event or effect.table
        if name:
            yield name
