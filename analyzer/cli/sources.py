"""``fabtriage sources``: what each input is taken for, without reading it to its end."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from analyzer.cli.exits import Exit
from analyzer.cli.limits import add_limits, limits_of
from analyzer.cli.output import columns, deliver
from analyzer.memory import few_collections

if TYPE_CHECKING:
    from analyzer.bundle import Member, Refused

_HEAD = ("FILE", "FORMAT", "WHY")


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "paths", nargs="+", metavar="PATH", help="file, folder or archive; - is a log on standard input"
    )
    add_limits(parser)


def run(options: argparse.Namespace) -> int:
    """List every member of the inputs with its format and the reason; 3 if one could not be opened or was cut."""
    from analyzer.bundle import open_bundle

    with few_collections(), open_bundle(options.paths, limits_of(options)) as bundle:
        rows = [_row(member) for member in bundle.members()]
    deliver(columns([_HEAD, *rows]), None)
    return Exit.INCOMPLETE if any(form in {"partial", "unreadable"} for _, form, _ in rows) else Exit.CLEAR


def _row(member: Member | Refused) -> tuple[str, str, str]:
    from analyzer.bundle import Refused
    from analyzer.bundle.display import clean
    from analyzer.bundle.encoding import to_utf8
    from analyzer.sources.identify import HEAD_BYTES, identify
    from analyzer.sources.layouts.choose import early_layout

    if isinstance(member, Refused):
        return clean(member.path), member.status, clean(member.reason)
    try:
        with member.open() as stream:
            head = stream.peek(HEAD_BYTES)
            cut = stream.cut
    except (EOFError, OSError) as error:
        return clean(member.path), "unreadable", clean(str(error))
    if cut is not None:
        return clean(member.path), "partial" if head else "unreadable", clean(str(cut))
    identified = identify(head, member.path)
    text = to_utf8(head)
    cutter = early_layout(text, member.path, identified) if identified.format else None
    layout = cutter(text) if cutter else None
    if layout is not None:
        return clean(member.path), layout.name, clean(layout.why)
    return clean(member.path), identified.format.name if identified.format else "unrecognised", clean(identified.why)
