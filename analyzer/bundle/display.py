"""Makes text from a stranger safe to show: no terminal sequences, no control or direction characters."""

from __future__ import annotations

import re

# ECMA-48 sequences: CSI (colour, cursor), strings (OSC, DCS, APC, PM, SOS) and two-character escapes.
_ANSI = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?"
    r"|\x1b[ -/]*[0-~]?"
)
_CONTROL = (*range(0x20), *range(0x7F, 0xA0))
_DIRECTION = (0x200B, 0x200E, 0x200F, 0x2028, 0x2029, *range(0x202A, 0x202F), *range(0x2066, 0x206A), 0xFEFF)
_REMOVED: dict[int, str | None] = {**dict.fromkeys((*_CONTROL, *_DIRECTION)), 0x09: " "}


def clean(text: str) -> str:
    """Remove ANSI sequences, control characters and invisible direction marks; a tab becomes a space.

    Args:
        text: One line of text.

    Returns:
        Text that a terminal prints as it stands; lone surrogates become replacement characters.
    """
    if text.isascii() and text.isprintable():
        return text
    plain = _ANSI.sub("", text).translate(_REMOVED)
    return plain.encode("utf-8", "replace").decode("utf-8")
