"""Checks of line patterns: the subset that all engines read alike, and the samples."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

import regex as regex_module

from analyzer.rulebook.patterns import group_names

hyperscan: Any
try:
    import hyperscan
except ImportError:  # no wheel for this platform; the two other engines still check
    hyperscan = None

_TOKEN = re.compile(
    r"(?P<escape>\\.)|(?P<set>\[\^?\]?(?:\\.|[^\]\\])*\])|(?P<open>\((?:\?(?:P?[<=!>]+|.))?)"
    r"|(?P<repeat>(?:[*+?]|\{[^}]*\})[+?]?)|(?P<brace>[{])",
    re.DOTALL,
)
_OPENINGS = re.compile(r"\((?:\?(?:P<[A-Za-z_][A-Za-z0-9_]*>|:|i:|i\)))")
_COUNT = re.compile(r"\{\d+(?:,\d*)?\}")
_ESCAPES = frozenset("dDwWsSbBAntrfx")
_MEANINGS = {
    "(?=": "look-ahead", "(?!": "look-ahead", "(?<=": "look-behind", "(?<!": "look-behind",
    "(?P=": "a back-reference", "(?>": "an atomic group", "(?#": "a comment", "(?(": "a condition",
}  # fmt: skip
MAX_LENGTH = 1_000
LIMIT_S = 1.0
"""Time one pattern may take for one sample: rules of a stranger are data, and must not hang the check."""


def subset_problems(pattern: str) -> Iterator[str]:
    """What is outside the subset common to Hyperscan, Rust regex, ``re`` and ``regex``."""
    if not pattern.isascii():
        yield "only ASCII; write other bytes as \\xNN"
    if len(pattern) > MAX_LENGTH:
        yield f"longer than {MAX_LENGTH} characters"
    for token in _TOKEN.finditer(pattern):
        yield from _CHECKS[str(token.lastgroup)](token)


def _escape_problems(token: re.Match[str]) -> Iterator[str]:
    if token[0][1].isalnum() and token[0][1] not in _ESCAPES:
        yield f"{token[0]} is a back-reference or is read differently by other engines"
    elif token[0][1] in "<>":
        yield f"{token[0]} means a word boundary elsewhere; leave out the backslash"


def _set_problems(token: re.Match[str]) -> Iterator[str]:
    inner = re.sub(r"\\.", "", token[0][1:-1].removeprefix("^"))
    if "[" in inner or any(pair in inner for pair in ("&&", "--", "~~", "||")):
        yield f"{token[0]} is read differently by other engines; escape [ and doubled signs inside a set"


def _group_problems(token: re.Match[str]) -> Iterator[str]:
    if token[0] == "(":
        yield "a group without a name; write (?P<name>...) or (?:...)"
    elif not _OPENINGS.match(token.string, token.start()):
        yield f"{_MEANINGS.get(token[0], 'the group')} {token[0]} is outside the common subset"


def _repeat_problems(token: re.Match[str]) -> Iterator[str]:
    mode = token[0][-1] if len(token[0]) > 1 and token[0][-1] in "+?" else ""
    if mode == "+":
        yield f"{token[0]} is possessive"
    if token[0].startswith("{") and not _COUNT.fullmatch(token[0].removesuffix(mode)):
        yield f"{token[0]} is read differently by other engines; write \\{{ or {{0,n}}"


def _brace_problems(_token: re.Match[str]) -> Iterator[str]:
    yield "a bare {; write \\{"


_CHECKS = {
    "escape": _escape_problems,
    "set": _set_problems,
    "open": _group_problems,
    "repeat": _repeat_problems,
    "brace": _brace_problems,
}


def engine_problems(pattern: str) -> Iterator[str]:
    """Engines that do not take the pattern, and a match of the empty string."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            compiled = re.compile(pattern.encode())
            regex_module.compile(pattern.encode())
    except (re.error, regex_module.error, FutureWarning, DeprecationWarning) as error:
        yield f"does not compile: {error}"
        return
    if compiled.search(b""):
        yield "matches an empty line"
        return
    text = _hyperscan_error(pattern)
    if text:
        yield f"does not compile in Hyperscan: {text}"


def sample_problems(lines: Sequence[str], samples: Sequence[str], near_misses: Sequence[str]) -> Iterator[str]:
    """Samples that no pattern matches, patterns that match no sample or take too long, near misses that match."""
    patterns = [line for line in lines if _compiles(line)]
    try:
        matched = {(line, text): _matches(line, text) for line in patterns for text in (*samples, *near_misses)}
    except TimeoutError:
        yield f"a pattern needs more than {LIMIT_S:g} s for one sample"
        return
    for sample in samples:
        if patterns and not any(matched[line, sample] for line in patterns):
            yield f"sample is not matched: {sample[:80]!r}"
    for line in patterns:
        if not any(matched[line, sample] for sample in samples):
            yield f"no sample for {line[:80]!r}"
        for miss in near_misses:
            if matched[line, miss]:
                yield f"near miss is matched: {miss[:80]!r}"


def _matches(pattern: str, text: str) -> bool:
    return regex_module.search(pattern.encode(), text.encode(), timeout=LIMIT_S) is not None


def group_problems(lines: Sequence[str], fields: Sequence[str], reserved: Sequence[str]) -> Iterator[str]:
    """Declared fields that no pattern captures, and groups named like a column that every frame has."""
    groups = {name for line in lines for name in group_names(line)}
    for name in fields:
        if name not in groups:
            yield f"field `{name}` is captured by no pattern"
    for name in sorted(groups):
        if name in reserved:
            yield f"group `{name}` has the name of a column that every event has"
        elif not re.fullmatch(r"[a-z][a-z0-9_]*", name):
            yield f"group `{name}` is not in lower case"


def _compiles(pattern: str) -> bool:
    try:
        regex_module.compile(pattern.encode())
    except regex_module.error:
        return False
    return True


def _hyperscan_error(pattern: str) -> str:
    if hyperscan is None:
        return ""
    database = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
    try:
        database.compile(expressions=[pattern.encode()], ids=[0], elements=1, flags=0)
    except hyperscan.HyperscanError as error:
        return str(error)
    return ""
