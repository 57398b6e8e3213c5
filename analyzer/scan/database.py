"""Compiled search databases, kept in the user's cache between runs."""

from __future__ import annotations

import contextlib
import hashlib
import importlib.metadata
import os
import platform
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import msgspec

from analyzer import user_cache
from analyzer.scan.blocks import Block
from analyzer.scan.fallback import AhoCorasickMatcher
from analyzer.scan.plan import EngineName, Plan, make_plan

MAX_KEPT = 24
"""Databases kept; each set of rules and each combination of families makes one."""

_CODE = ("database.py", "expression.py", "literal_frequencies.tsv", "literals.py", "matcher.py", "plan.py", "syntax.py")
"""Files that a plan depends on besides its patterns."""


class Matcher(Protocol):
    """Finds every expression of a plan in a block."""

    def events(self, block: Block) -> list[int]:
        """End offset and expression of every hit, packed as described at ``plan.NUMBER_BITS``."""


class Search(msgspec.Struct, frozen=True):
    """A plan and the matcher for it; no matcher when no expression is searched for."""

    plan: Plan
    matcher: Matcher | None

    @classmethod
    def empty(cls) -> Search:
        """A search for nothing."""
        return cls(Plan((), (), (), (), ()), None)


class _Entry(msgspec.Struct, frozen=True):
    plan: Plan
    database: bytes


def choose_engine(wanted: str) -> EngineName:
    """The engine to use; ``auto`` is Hyperscan where it is installed.

    Raises:
        ImportError: Hyperscan was asked for and is not installed.
    """
    if wanted == "ahocorasick":
        return "ahocorasick"
    try:
        importlib.import_module("hyperscan")
    except ImportError:
        if wanted == "hyperscan":
            raise
        return "ahocorasick"
    return "hyperscan"


def open_search(patterns: Sequence[tuple[int, str]], engine: EngineName) -> Search:
    """Load the database of these patterns from the cache, or compile it and keep it there.

    Args:
        patterns: Number and expression of each pattern.
        engine: Engine that will search.
    """
    path = _path(patterns, engine)
    search = _load(path, engine) if path else None
    if search is None:
        search, entry = _compile(patterns, engine)
        if path:
            _store(path, msgspec.msgpack.encode(entry))
    return search


def _compile(patterns: Sequence[tuple[int, str]], engine: EngineName) -> tuple[Search, _Entry]:
    plan = make_plan(patterns, engine)
    if engine == "ahocorasick":
        return _aho_corasick(plan), _Entry(plan, b"")
    from analyzer.scan import matcher

    plan, compiled = matcher.compile_plan(plan)
    return Search(plan, compiled), _Entry(plan, compiled.dump() if compiled else b"")


def _aho_corasick(plan: Plan) -> Search:
    return Search(plan, AhoCorasickMatcher(plan) if plan.expressions else None)


def _load(path: Path, engine: EngineName) -> Search | None:
    """The stored search; None when there is none or it is damaged."""
    try:
        content = path.read_bytes()
    except OSError:
        return None
    checksum, body = content[:32], content[32:]
    if hashlib.sha256(body).digest() != checksum:
        return None
    try:
        entry = msgspec.msgpack.decode(body, type=_Entry)
    except msgspec.MsgspecError:
        return None
    if engine == "ahocorasick" or not entry.database:
        return _aho_corasick(entry.plan)
    from analyzer.scan import matcher

    try:
        return Search(entry.plan, matcher.load(entry.database))
    except matcher.Refused:
        return None


def _store(path: Path, body: bytes) -> None:
    """A cache that cannot be written only costs the next run its time."""
    with contextlib.suppress(OSError):
        user_cache.keep(path, hashlib.sha256(body).digest() + body, MAX_KEPT)


def _path(patterns: Sequence[tuple[int, str]], engine: EngineName) -> Path | None:
    """Cache file of these patterns on this machine; None when no private folder can be had."""
    try:
        folder = user_cache.folder() / "databases"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _private(folder):
            return None
    except (OSError, RuntimeError):
        return None
    return folder / f"{_key(patterns, engine)}.db"


def _private(folder: Path) -> bool:
    """Whether nobody else can write a database for us to load."""
    if sys.platform == "win32":
        return True
    status = folder.stat()
    return status.st_uid == os.getuid() and not status.st_mode & 0o022


def _key(patterns: Sequence[tuple[int, str]], engine: EngineName) -> str:
    parts = (_code(), engine, _engine_version(engine), platform.system(), platform.machine(), _cpu(), list(patterns))
    return hashlib.sha256(msgspec.msgpack.encode(parts)).hexdigest()[:32]


def _code() -> bytes:
    digest = hashlib.sha256()
    for name in _CODE:
        digest.update(Path(__file__).with_name(name).read_bytes())
    return digest.digest()


def _engine_version(engine: EngineName) -> str:
    return importlib.metadata.version("hyperscan" if engine == "hyperscan" else "ahocorasick_rs")


def _cpu() -> str:
    """Features of the processor as far as the system tells: databases are built for them."""
    try:
        with Path("/proc/cpuinfo").open(encoding="ascii", errors="replace") as lines:
            return next((line for line in lines if line.startswith(("flags", "Features"))), "")
    except OSError:
        return platform.processor()
