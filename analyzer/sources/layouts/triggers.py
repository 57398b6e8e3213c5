"""Line patterns that send a text to be cut into parts; the scan finds them in passing."""

from __future__ import annotations

from analyzer.model.patterns import LinePattern
from analyzer.sources.layouts.knowledge import layouts

MARK_EVENT = "layout.mark"


def line_patterns(first_index: int) -> tuple[LinePattern, ...]:
    """The patterns as the scan takes them, numbered from ``first_index``."""
    names = "(?:" + "|".join(sorted(name.replace(".", r"\.") for name in layouts().commands)) + ")"
    return tuple(
        LinePattern(index, MARK_EVENT, trigger.regex.replace("{commands}", names), trigger.families)
        for index, trigger in enumerate(layouts().trigger, start=first_index)
    )
