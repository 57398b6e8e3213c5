"""Texts that no parser reads although it is plain what they are (``rules/unread.toml``)."""

from __future__ import annotations

import functools
import re

import msgspec

from analyzer.rules_folder import table

HEAD_BYTES = 4096


class UnreadText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How such a text begins, what it is, and what would be read instead."""

    regex: str
    title: str
    instead: str


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    text: tuple[UnreadText, ...]


def unread(head: bytes) -> str | None:
    """What a text of no known format is, and what would be read instead; None if that is unknown too."""
    sample = head[:HEAD_BYTES]
    for regex, kind in _compiled():
        if regex.search(sample):
            return f"{kind.title} is not read; what is: {kind.instead}"
    return None


@functools.cache
def _compiled() -> tuple[tuple[re.Pattern[bytes], UnreadText], ...]:
    return tuple((re.compile(kind.regex.encode()), kind) for kind in table("unread.toml", _File).text)
