"""Which format a member has: by its first bytes, then by its name, over all parsers."""

from __future__ import annotations

import functools
import importlib
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from importlib import resources
from typing import Any

import msgspec

import parsers
from analyzer.bundle.encoding import encoding_of, to_utf8
from analyzer.model.formats import Format, Sniff, SniffFunction
from analyzer.sources.unread import unread

HEAD_BYTES = 1 << 16
FIRST_BYTES = 1 << 13
SURE_SCORE = 80
BINARY_SHARE = 0.05
TEXT = Format(name="text", kind="lines", families=frozenset({"text"}), title="plain text of no known format")
UNKNOWN_TEXT = "text of no known format"
BINARY = "binary data that no parser claims"

_KIND_ORDER = {"table": 1, "lines": 0}
_TEXT_CONTROLS = b"\t\n\r\x0b\x0c\x1b\x08"
_CONTROLS = bytes(code for code in range(32) if code not in _TEXT_CONTROLS) + b"\x7f"


class Identified(msgspec.Struct, frozen=True):
    """What a member is.

    Attributes:
        format: Its format; ``TEXT`` for text that no parser claims, None for binary data that none claims.
        parser: Name of the parser module under ``parsers``, None without one.
        why: The reason, shown in coverage.
        families: Families of messages it may carry.
        score: 0 to 100, 0 if no parser claimed it.
    """

    format: Format | None
    parser: str | None
    why: str
    families: frozenset[str]
    score: int = 0


class _Candidate(msgspec.Struct, frozen=True):
    name: str
    format: Format
    sniff: SniffFunction


def identify(head: bytes, path: str, usual: str | None = None) -> Identified:
    """Identify a member.

    Args:
        head: Its first bytes, up to ``HEAD_BYTES``, all of them if there are fewer.
        path: Its path in the bundle.
        usual: Parser of what stood beside it; it is asked first, like the one whose usual file name it is.

    The head is judged in two steps, a short one first: most formats show in their first lines.

    Returns:
        The claim of the parser whose usual file name it is, if the content makes it sure; else the one with the
        highest score, among equals the dump before the log, then by the parser's name.
    """
    if not head:
        return Identified(TEXT, None, "empty file", TEXT.families)
    text = to_utf8(head).lstrip(b"\x00") or head
    found = _best(text[:FIRST_BYTES], path, usual)
    if (found is None or found[1].score < SURE_SCORE) and len(text) > FIRST_BYTES:
        found = _best(text, path, usual)
    if found is not None:
        candidate, sniff = found
        return Identified(candidate.format, candidate.name, sniff.why, candidate.format.families, sniff.score)
    if encoding_of(head) is None and is_binary(text):
        return Identified(None, None, BINARY, frozenset())
    return Identified(TEXT, None, unread(text) or UNKNOWN_TEXT, TEXT.families)


def is_binary(head: bytes) -> bool:
    """Judge by the share of control characters that do not occur in text; blocks of NUL (power loss) are left out."""
    rest = head.replace(b"\x00", b"")
    if len(rest) * 2 < len(head):
        return True
    return len(rest) - len(rest.translate(None, _CONTROLS)) > BINARY_SHARE * len(rest)


def parser(name: str) -> Any:
    """The parser module of that name (see ``analyzer.model.formats`` for what its kind defines)."""
    return importlib.import_module(f"{parsers.__name__}.{name}")


def _best(head: bytes, path: str, usual: str | None) -> tuple[_Candidate, Sniff] | None:
    for expected in _expected(path, usual):
        sniff = expected.sniff(head, path)
        if sniff is not None and sniff.score >= SURE_SCORE:
            return expected, sniff
    best: tuple[tuple[int, int], _Candidate, Sniff] | None = None
    for candidate in _candidates():
        sniff = candidate.sniff(head, path)
        if sniff is None or sniff.score <= 0:
            continue
        rank = (sniff.score, _KIND_ORDER[candidate.format.kind])
        if best is None or rank > best[0]:
            best = (rank, candidate, sniff)
    return None if best is None else best[1:]


def _expected(path: str, usual: str | None) -> Iterator[_Candidate]:
    """The parsers whose usual file name this is; they are asked first, and alone if the content agrees."""
    name = path.rsplit("/", 1)[-1].rsplit("!", 1)[-1].lower()
    named = [usual] if usual else [parser_name for pattern, parser_name in _hints() if pattern.match(name)]
    for parser_name in named:
        if (candidate := _parser_of(parser_name)) is not None:
            yield candidate


@functools.cache
def _hints() -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(pattern), name) for name, pattern in _hint_file()["file_names"].items())


def block_names() -> tuple[str, ...]:
    """Names of the parsers of records inside logs."""
    return tuple(_hint_file()["blocks"])


@functools.cache
def _hint_file() -> Mapping[str, Any]:
    return tomllib.loads(resources.files(__package__).joinpath("hints.toml").read_text("utf-8"))


@functools.cache
def _parser_of(name: str) -> _Candidate | None:
    if name not in parsers.names():
        return None
    module = parser(name)
    return _Candidate(name, module.FORMAT, module.sniff)


@functools.cache
def _candidates() -> tuple[_Candidate, ...]:
    """All parsers that read whole members; records inside logs (kind ``block``) are found by the scan."""
    found = []
    for name in parsers.names():
        module = parser(name)
        form: Format | None = getattr(module, "FORMAT", None)
        sniff: Callable[[bytes, str], Sniff | None] | None = getattr(module, "sniff", None)
        if form is not None and sniff is not None and form.kind in _KIND_ORDER:
            found.append(_Candidate(name, form, sniff))
    return tuple(found)
