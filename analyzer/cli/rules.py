"""``fabtriage rules``: the knowledge that answers rest on."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analyzer.cli.exits import Exit
from analyzer.cli.output import columns, deliver
from analyzer.errors import RuleError

if TYPE_CHECKING:
    from analyzer.rulebook.schema import Rulebook

_KINDS = ("cause", "events", "benign", "actions", "sources", "collect")


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    actions = parser.add_subparsers(metavar="ACTION", required=True)
    listing = actions.add_parser("list", help="list the causes, or every line pattern")
    listing.add_argument("--patterns", action="store_true", help="line patterns for rg --no-unicode -f, one a line")
    listing.set_defaults(action=_list)
    checking = actions.add_parser("check", help="report every mistake in the rules with file and line")
    checking.set_defaults(action=_check)
    for action in (listing, checking):
        action.add_argument("--rules", type=Path, metavar="DIR", help="rules of your own, besides the shipped ones")
    schema = actions.add_parser("schema", help="JSON Schema of a rule file, for editors")
    schema.add_argument("kind", nargs="?", choices=_KINDS, default="cause", help="kind of file (default: cause)")
    schema.set_defaults(action=_schema)


def run(options: argparse.Namespace) -> int:
    """Carry out the chosen action."""
    status: int = options.action(options)
    return status


def folders(own: Path | None) -> list[Path]:
    """The shipped rule folder and, after it, the user's."""
    from analyzer.rules_folder import rules_dir

    return [rules_dir()] if own is None else [rules_dir(), rules_dir(own)]


def _list(options: argparse.Namespace) -> int:
    from analyzer.rulebook.load import load

    rulebook = load(folders(options.rules))
    deliver(_patterns(rulebook) if options.patterns else _causes(rulebook), None)
    return Exit.CLEAR


def _causes(rulebook: Rulebook) -> str:
    ordered = sorted(rulebook.causes.values(), key=lambda cause: cause.cause)
    return columns((cause.cause, cause.severity, cause.layer, cause.title) for cause in ordered)


def _patterns(rulebook: Rulebook) -> str:
    from analyzer.rulebook.patterns import ripgrep

    return "".join(f"{line}\n" for line in ripgrep(rulebook))


def _check(options: argparse.Namespace) -> int:
    from analyzer.rulebook.load import load

    try:
        rulebook = load(folders(options.rules), check=True)
    except RuleError as error:
        deliver("\n".join(error.problems), None)
        return Exit.FOUND
    counts = (
        f"{len(rulebook.causes)} causes, {len(rulebook.events)} events, {len(rulebook.benign)} benign signatures, "
        f"{len(rulebook.actions)} actions, {len(rulebook.references)} references"
    )
    deliver(f"no problems: {counts}", None)
    return Exit.CLEAR


def _schema(options: argparse.Namespace) -> int:
    import json

    import msgspec

    schema = msgspec.json.schema(_file_type(options.kind))
    deliver(json.dumps({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}, indent=2), None)
    return Exit.CLEAR


def _file_type(kind: str) -> Any:
    from analyzer.rulebook import schema

    types: dict[str, Any] = {
        "cause": schema.Cause,
        "events": dict[schema.EventName, schema.EventSpec],
        "benign": dict[schema.Slug, schema.Benign],
        "actions": dict[schema.Name, schema.Action],
        "sources": dict[schema.Name, schema.Reference],
        "collect": dict[schema.Name, schema.Collect],
    }
    return types[kind]
