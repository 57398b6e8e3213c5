"""Searches blocks with Hyperscan (Vectorscan)."""

from __future__ import annotations

import threading
from typing import Any

import hyperscan

from analyzer.scan.blocks import Block
from analyzer.scan.plan import NUMBER_BITS, Plan, without

FLAGS = hyperscan.HS_FLAG_MULTILINE

Refused = hyperscan.HyperscanError
"""Raised when a database or an expression does not suit this engine and machine."""


class HyperscanMatcher:
    """A compiled database; any number of threads may search with it at once."""

    def __init__(self, database: Any) -> None:
        self._database = database
        self._local = threading.local()

    def events(self, block: Block) -> list[int]:
        """End offset and expression of every hit, packed, in no particular order."""
        events: list[int] = []
        append = events.append

        def note(number: int, _start: int, end: int, _flags: int, _context: object) -> None:
            append(end << NUMBER_BITS | number)

        self._database.scan(block.view(), match_event_handler=note, scratch=self._scratch())
        return events

    def dump(self) -> bytes:
        """The database as bytes for ``load``."""
        data: bytes = hyperscan.dumpb(self._database)
        return data

    def _scratch(self) -> Any:
        scratch = getattr(self._local, "scratch", None)
        if scratch is None:
            scratch = self._local.scratch = hyperscan.Scratch(self._database)
        return scratch


def compile_plan(plan: Plan) -> tuple[Plan, HyperscanMatcher | None]:
    """Compile a plan; expressions that the engine refuses are given up.

    Returns:
        The plan as compiled, and the matcher, None when there is nothing to search for.
    """
    if not plan.expressions:
        return plan, None
    try:
        return plan, HyperscanMatcher(_compiled(plan))
    except Refused:
        refused = [place for place in range(len(plan.expressions)) if not _accepted(plan, place)]
        if not refused:
            raise
        return compile_plan(without(plan, refused))


def load(data: bytes) -> HyperscanMatcher:
    """Load a database from the bytes of ``dump``.

    Raises:
        hyperscan.HyperscanError: The bytes are not a database for this engine and machine.
    """
    database = hyperscan.loadb(data, hyperscan.HS_MODE_BLOCK)
    database.scratch = hyperscan.Scratch(database)
    return HyperscanMatcher(database)


def _compiled(plan: Plan) -> Any:
    database = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
    texts = [_text(plan, place) for place in range(len(plan.expressions))]
    database.compile(expressions=texts, ids=list(range(len(texts))), elements=len(texts), flags=FLAGS)
    return database


def _text(plan: Plan, place: int) -> bytes:
    expression = plan.expressions[place]
    return expression if plan.regex[place] else b"".join(b"\\x%02x" % byte for byte in expression)


def _accepted(plan: Plan, place: int) -> bool:
    database = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
    try:
        database.compile(expressions=[_text(plan, place)], ids=[0], elements=1, flags=FLAGS)
    except Refused:
        return False
    return True
