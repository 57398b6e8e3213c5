"""What a parser declares: its format, how sure it is about an input, and what it read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, Protocol, runtime_checkable

import msgspec

from analyzer.model.stamps import Prefix
from analyzer.model.tables import Row, TableSpec

Kind = Literal["lines", "table", "block"]


class Format(msgspec.Struct, frozen=True):
    """A log or dump format.

    Attributes:
        name: Name shown in coverage and used with ``--format`` filters, e.g. ``dmesg``, ``ibstat``.
        kind: ``lines`` (a log), ``table`` (a whole dump), ``block`` (a record that starts at an anchor line).
        families: Which families of messages it may carry (``kernel``, ``syslog``, ``slurm``, ``nccl``,
            ``training``, ``fabric``, ``otdr``, ``gpu``, ``site`` ...): an event's patterns are tried only on sources
            of its families.
        title: Name for people, e.g. ``kernel ring buffer (dmesg)``.
    """

    name: str
    kind: Kind
    families: frozenset[str]
    title: str


class Sniff(msgspec.Struct, frozen=True):
    """How sure a parser is that an input is of its format.

    Attributes:
        score: 0 to 100; content alone can reach 100, a file name alone at most 30.
        why: The reason, shown in coverage, e.g. ``line 1 is "CA 'mlx5_0'"``.
    """

    score: int
    why: str


class Problem(msgspec.Struct, frozen=True):
    """Damage met while reading: counted and shown, never raised.

    Attributes:
        text: What is wrong, in a few words.
        line: First line concerned, 0 if none.
        count: How often.
    """

    text: str
    line: int = 0
    count: int = 1


class Dump(msgspec.Struct, frozen=True):
    """What a table parser read from one whole dump.

    Attributes:
        rows: Rows of any of the parser's tables, in file order.
        problems: Damage met.
        node: Node the dump says it was taken on, if it says.
        taken_s: Epoch seconds (UTC) at which it says it was taken, if it says so with a zone.
    """

    rows: Sequence[Row]
    problems: Sequence[Problem] = ()
    node: str | None = None
    taken_s: float | None = None


@runtime_checkable
class Parser(Protocol):
    """A module under ``parsers/``: the attributes every kind has."""

    FORMAT: Format

    def sniff(self, head: bytes, path: str) -> Sniff | None:
        """Judge the first bytes (up to 64 KiB) and the path inside the bundle; None: certainly not."""


class LinesParser(Parser, Protocol):
    """A log: the scan reads its lines, the parser explains their heads."""

    def prefix(self, line: bytes) -> Prefix | None:
        """Read one line's head; None when the line has none (a continuation)."""


class TableParser(Parser, Protocol):
    """A dump that is read as a whole."""

    TABLES: tuple[TableSpec, ...]

    def parse(self, data: bytes, path: str) -> Dump:
        """Read the whole dump. Never raises on any bytes; damage becomes a Problem."""


class BlockParser(Protocol):
    """A record of several lines inside a log, found by its anchor line during the scan."""

    FORMAT: Format
    TABLES: tuple[TableSpec, ...]
    ANCHOR: str
    MAX_LINES: int

    def ends(self, line: bytes, count: int) -> bool:
        """True when the record is complete with this line, the ``count``-th after the anchor."""

    def read(self, lines: Sequence[bytes], first_line: int) -> Sequence[Row]:
        """Rows of one record, given its lines with the anchor first; ``first_line`` is the anchor's number."""


SniffFunction = Callable[[bytes, str], Sniff | None]
