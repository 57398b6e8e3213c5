"""The report as JSON (``schema_version`` 1)."""

from __future__ import annotations

import msgspec

from analyzer.model.analysis import Analysis


def render(analysis: Analysis, *, width: int, color: bool) -> str:
    """The whole report, indented by two blanks; width and colour do not apply."""
    del width, color
    return msgspec.json.format(msgspec.json.encode(analysis), indent=2).decode("utf-8")
