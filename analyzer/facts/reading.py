"""What reading one source gave, before nodes and times are resolved."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from analyzer.model.formats import Dump
from analyzer.model.patterns import SourceScan
from analyzer.model.sources import Source
from analyzer.model.stamps import Prefix
from analyzer.model.tables import Row

PrefixReader = Callable[[bytes], Prefix | None]


class Reading(msgspec.Struct, eq=False):
    """One source, read.

    Attributes:
        source: The source with its format; segments are filled in while facts are built.
        scan: What the pass over its lines found.
        dump: What the table parser read, for a dump.
        blocks: Rows of multi-line records.
        prefix: Reader of line heads, for a log.
        module: Name of the parser module, empty without one.
        head: First bytes of the source, where a prompt or header may name the node.
        head_lines: Line number in the file of each line of the head, where it is not its place in the head.
        node: Node that the file around a part states for it.
        node_why: Where.
    """

    source: Source
    scan: SourceScan
    dump: Dump | None = None
    blocks: Sequence[Row] = ()
    prefix: PrefixReader | None = None
    module: str = ""
    head: bytes = b""
    head_lines: Sequence[int] | None = None
    node: str | None = None
    node_why: str = ""
