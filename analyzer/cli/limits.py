"""The option that moves the caps on what is read of a bundle."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from analyzer.model.limits import Limits


def add_limits(parser: argparse.ArgumentParser) -> None:
    """Declare ``--limit``, which may be given several times."""
    parser.add_argument(
        "--limit",
        action="append",
        default=[],
        metavar="NAME=N",
        help="cap on what is read: total_bytes, members, ratio, nesting, nested_zip_bytes; may be given several times",
    )


def limits_of(options: argparse.Namespace) -> Limits:
    """The limits that are in force.

    Raises:
        UsageError: A name or number is wrong.
    """
    from analyzer.model.limits import Limits

    return Limits(**dict(map(_choice, options.limit)))


def _choice(text: str) -> tuple[str, int]:
    from analyzer.errors import UsageError
    from analyzer.model.limits import CHOSEN_BY_USERS

    name, _, number = text.partition("=")
    if name not in CHOSEN_BY_USERS:
        remedy = f"one of {', '.join(CHOSEN_BY_USERS)}"
        raise UsageError("no such limit", where=f"--limit {text}", remedy=remedy)
    digits = number.replace("_", "")
    if not digits.isdecimal() or not digits.isascii() or not 0 < len(digits) <= 18 or int(digits) == 0:
        raise UsageError("a limit is a number above zero", where=f"--limit {text}", remedy=f"--limit {name}=1000")
    return name, int(digits)
