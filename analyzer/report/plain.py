"""A report whose texts a terminal prints as they stand."""

from __future__ import annotations

from typing import Any

import msgspec

from analyzer.bundle.display import clean
from analyzer.model.analysis import Analysis


def plain(analysis: Analysis) -> Analysis:
    """Clean every text of a report, whoever wrote it: a log, a packer of archives, the author of a saved report."""
    return msgspec.convert(_cleaned(msgspec.to_builtins(analysis)), Analysis)


def _cleaned(value: Any) -> Any:
    if isinstance(value, str):
        return "\n".join(map(clean, value.split("\n"))) if "\n" in value else clean(value)
    if isinstance(value, dict):
        return {clean(key): _cleaned(item) for key, item in value.items()}
    return [_cleaned(item) for item in value] if isinstance(value, list | tuple) else value
