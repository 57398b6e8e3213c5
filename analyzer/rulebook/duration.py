"""Durations as rules write them: ``90s``, ``-5s``, ``20min``, ``6h``, ``2d``."""

from __future__ import annotations

import functools
import re

_UNIT_S = {"ms": 0.001, "s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0}
_FORM = re.compile(r"([+-]?\d+(?:\.\d+)?)(ms|s|min|h|d)")


def seconds(text: str) -> float:
    """Read one duration into seconds.

    Raises:
        ValueError: The text is not a number with one of the units ms, s, min, h, d.
    """
    form = _FORM.fullmatch(text.strip())
    if form is None:
        raise ValueError(f"not a duration: {text!r} (write 90s, 20min, 6h, 2d)")
    return float(form[1]) * _UNIT_S[form[2]]


@functools.cache
def window(value: str | tuple[str, str] | None) -> tuple[float, float] | None:
    """Read a window into (earliest, latest) seconds; a single duration is symmetrical."""
    if value is None:
        return None
    if isinstance(value, str):
        width = abs(seconds(value))
        return -width, width
    return seconds(value[0]), seconds(value[1])
