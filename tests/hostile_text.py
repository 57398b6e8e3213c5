"""Text that tries to steer a terminal or to be taken for markup, put into every text of a report."""

from __future__ import annotations

from typing import Any

import msgspec

from analyzer.model.analysis import Analysis

MARKUP = "[bold red]markup[/] <script>alert(1)</script>"
HOSTILE = f"\x1b[31mred\x1b]0;title\x07\x1b[2J \x9b2J \x9d0;c1\x9c {MARKUP} \u202ertl \x00\x08\r\x7f end"

STEERING = frozenset(
    [
        *map(chr, range(0x20)),
        *map(chr, range(0x7F, 0xA0)),
        *map(chr, range(0x202A, 0x202F)),
        *"\u2028\u2029\u200e\u200f",
    ]
) - {"\n"}
"""Characters that no output may contain."""

_FIXED = frozenset({"severity", "role", "status", "state", "verdict", "risk", "schema_version"})
"""Fields that hold one of a few words."""


def poisoned(analysis: Analysis) -> Analysis:
    """The report with hostile text behind every text in it."""
    return msgspec.convert(_poisoned(msgspec.to_builtins(analysis), ""), Analysis)


def _poisoned(value: Any, name: str) -> Any:
    if isinstance(value, dict):
        return {key: _poisoned(item, key) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_poisoned(item, name) for item in value]
    return f"{value} {HOSTILE}" if isinstance(value, str) and name not in _FIXED else value
