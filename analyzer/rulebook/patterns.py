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
    """All patterns for ``rg --no-unicode -f``, one a line, repeats left out.

    Groups lose their names: ripgrep joins the lines of a file into one expression, where a name may stand once.
    """
    return list(dict.fromkeys(_GROUP.sub(_unnamed, pattern.regex) for pattern in line_patterns(rulebook)))


def _unnamed(token: re.Match[str]) -> str:
    return "(?:" if token["name"] else token[0]
