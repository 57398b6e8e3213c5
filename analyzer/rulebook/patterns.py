"""The rulebook's line patterns as the scan takes them."""

from __future__ import annotations

import re

from analyzer.model.patterns import LinePattern
from analyzer.rulebook.schema import Rulebook

_GROUP = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?P<(?P<name>[A-Za-z_][A-Za-z0-9_]*)>", re.DOTALL)


def line_patterns(rulebook: Rulebook) -> list[LinePattern]:
    """All patterns of all events, in the order of the rulebook; ``index`` is the position."""
    untrusted = frozenset(rulebook.untrusted)
    found: list[LinePattern] = []
    for name, spec in rulebook.events.items():
        families = frozenset(spec.formats)
        for regex in spec.lines:
            found.append(LinePattern(len(found), name, regex, families, spec.bulk, name not in untrusted))
    return found


def group_names(regex: str) -> tuple[str, ...]:
    """Names of a pattern's named groups in the order of their number, which is that of ``Hit.captures``.

    Read from the text: compiling every pattern would cost a start tens of milliseconds.
    """
    return tuple(match["name"] for match in _GROUP.finditer(regex) if match["name"])


def ripgrep(rulebook: Rulebook) -> list[str]:
    """All patterns in ripgrep's syntax, one a line; the common subset needs no rewriting, repeats are left out."""
    return list(dict.fromkeys(pattern.regex for pattern in line_patterns(rulebook)))
