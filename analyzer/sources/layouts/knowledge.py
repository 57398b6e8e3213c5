"""The shapes of layouts (``rules/layouts.toml``), compiled."""

from __future__ import annotations

import functools
import re

import msgspec

from analyzer.rules_folder import table


class PrefixShape(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one launcher or collector puts in front of lines; groups ``host``, ``rank``, ``source``, ``file``."""

    name: str
    regex: str


class Trigger(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line pattern that makes a text worth being cut."""

    regex: str
    families: frozenset[str] = frozenset()


class Layouts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of ``rules/layouts.toml``; see the comments there."""

    commands: frozenset[str]
    other_commands: frozenset[str]
    wrappers: frozenset[str]
    printers: frozenset[str]
    prompts: tuple[str, ...]
    bare_prompts: tuple[str, ...]
    traces: tuple[str, ...]
    headings: tuple[str, ...]
    node_headings: tuple[str, ...]
    logs: str
    node_ruler: str
    prefix: tuple[PrefixShape, ...]
    trigger: tuple[Trigger, ...]


@functools.cache
def layouts() -> Layouts:
    """The shipped shapes."""
    return table("layouts.toml", Layouts)


@functools.cache
def compiled(kind: str) -> tuple[re.Pattern[str], ...]:
    """Expressions of one kind (``prompts``, ``headings`` ...), each for a whole line."""
    return tuple(re.compile(text) for text in getattr(layouts(), kind))


@functools.cache
def prefixes() -> tuple[tuple[str, re.Pattern[bytes]], ...]:
    """Name and expression of every prefix."""
    return tuple((shape.name, re.compile(shape.regex.encode())) for shape in layouts().prefix)
