"""What a reader must know of the clocks behind a report: which were corrected, which are unknown or assumed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from analyzer.model.analysis import Input, Window
from analyzer.report.wording import many

CLOCKS_SHOWN = 6


def window_told(window: Window) -> str:
    """The incident window in one line, empty where no time is known."""
    if window.from_ and window.to:
        span = f"{window.from_} to {window.to}"
    elif window.from_ or window.to:
        span = f"from {window.from_}" if window.from_ else f"until {window.to}"
    else:
        return ""
    return f"{span}: {window.why}"


def clocks_told(inputs: Sequence[Input]) -> list[str]:
    """One line for each machine whose clock was corrected and each log without times, one for all assumed zones."""
    lines = [*dict.fromkeys(_corrected(inputs)), *_untimed(inputs)]
    more = len(lines) - CLOCKS_SHOWN
    told = [*lines[:CLOCKS_SHOWN], *([f"and {more} more"] if more > 0 else [])]
    assumed = sum("UTC assumed" in str(item.clock.get("why", "")) for item in inputs)
    if assumed:
        told.append(f"{many(assumed, 'log')} without a stated zone taken for UTC; --timezone states it")
    return told


def _corrected(inputs: Sequence[Input]) -> Iterator[str]:
    for item in inputs:
        if item.clock.get("skew_s"):
            yield f"{item.nodes[0] if item.nodes else item.file}: {item.clock['skew_why']}"


def _untimed(inputs: Sequence[Input]) -> Iterator[str]:
    for item in inputs:
        if item.clock.get("kind") and item.clock.get("uncertainty_s", 0.0) is None:
            yield f"{item.file}: {item.clock.get('why')}"
