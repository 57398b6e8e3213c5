"""Reads one source: a whole file, or a part of one."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import msgspec

from analyzer.bundle import ByteStream, StreamCutError
from analyzer.bundle.encoding import as_utf8
from analyzer.bundle.streams import MemoryStream
from analyzer.facts import renumber
from analyzer.facts.reading import Reading
from analyzer.model.formats import Dump, Problem
from analyzer.model.patterns import SourceScan
from analyzer.model.sources import Source
from analyzer.scan.engine import Scanner
from analyzer.sources.identify import HEAD_BYTES, Identified, block_names, parser
from analyzer.sources.layouts.choose import Layout, Piece
from analyzer.sources.rewritten import rewriter_of, rewritten, rewritten_head

DUMP_BYTES = 256 << 20
"""Largest dump that is read whole; the rest is cut and said so."""

HEAD_KEPT = 1 << 14
"""First bytes that are kept of each source."""

SEARCHED = "searched for general patterns only"


class Reader:
    """Reads sources with one scanner.

    Attributes:
        scanner: Scans lines for the patterns of all rules.
    """

    def __init__(self, scanner: Scanner, blocks: Sequence[Any]) -> None:
        self.scanner = scanner
        self._blocks = {block.FORMAT.name: block for block in blocks}

    def log(self, stream: ByteStream, identified: Identified, path: str, modified_s: float | None) -> Reading:
        """Read a log to its end, whatever its size."""
        scan = self._scanned(stream, identified)
        return self._reading(scan, identified, path, modified_s, None, [])

    def dump(
        self, data: bytes, identified: Identified, path: str, modified_s: float | None, problems: Sequence[Problem]
    ) -> Reading:
        """Read a dump, or any text that is held in memory."""
        module = _module(identified)
        dump: Dump | None = None
        if module is not None and identified.format is not None and identified.format.kind == "table":
            dump = module.parse(data, path)
            scan = self.scanner.scan(io.BytesIO(data), identified.families, 0)
        else:
            scan = self._scanned(MemoryStream(data), identified)
        return self._reading(scan, identified, path, modified_s, dump, problems)

    def piece(self, piece: Piece, layout: Layout, whole: Source) -> Reading:
        """Read a part of a file.

        Args:
            piece: The part.
            layout: How the file is laid out.
            whole: The file: its path, size, modification time.
        """
        part, numbering = piece.part, piece.part.numbering
        read = self.dump(part.data, piece.identified, whole.path, whole.modified_s, [])
        source = msgspec.structs.replace(
            read.source,
            problems=tuple(renumber.problems(read.source.problems, numbering)),
            layout=layout.name,
            layout_why=layout.why,
            part=part.title,
            first_line=numbering.line(1),
            last_line=numbering.line(len(numbering.lines)),
            file_lines=whole.lines,
            file_bytes=whole.size_bytes,
        )
        return Reading(
            source,
            renumber.renumbered_scan(read.scan, numbering),
            None if read.dump is None else renumber.renumbered_dump(read.dump, numbering),
            renumber.rows(read.blocks, numbering),
            read.prefix,
            read.module,
            kept_head(part.data[:HEAD_BYTES], piece.identified),
            numbering.lines[:HEAD_KEPT].tolist(),
            part.node,
            part.node_why,
        )

    def _scanned(self, stream: ByteStream, identified: Identified) -> SourceScan:
        """Scan the lines of a log as its parser rewrites them."""
        rewrite = rewriter_of(_module(identified), stream.peek(HEAD_BYTES))
        return self.scanner.scan(rewritten(stream, rewrite), identified.families, 0)

    def _reading(
        self, scan: SourceScan, identified: Identified, path: str, modified_s: float | None,
        dump: Dump | None, problems: Sequence[Problem],
    ) -> Reading:  # fmt: skip
        assert identified.format is not None
        found = [*problems, *(dump.problems if dump else ()), *([Problem(scan.stopped)] if scan.stopped else [])]
        unknown = identified.parser is None and scan.lines > 0
        told = (*found, Problem(f"{identified.why}; {SEARCHED}")) if unknown else tuple(found)
        source = Source(
            index=0,
            path=path,
            format=identified.format.name,
            why=identified.why,
            families=identified.families,
            lines=scan.lines,
            size_bytes=scan.size_bytes,
            status="partial" if found else "unrecognised" if unknown else "read",
            problems=told,
            modified_s=modified_s,
        )
        module = _module(identified)
        rows = [row for hit in scan.blocks for row in self._blocks[hit.parser].read(hit.lines, hit.first_line)]
        return Reading(source, scan, dump, rows, getattr(module, "prefix", None), identified.parser or "")


def kept_head(head: bytes, identified: Identified) -> bytes:
    """The first bytes of a source that are kept with it, as its parser rewrites them."""
    return rewritten_head(head, rewriter_of(_module(identified), head))[:HEAD_KEPT]


def _module(identified: Identified) -> Any:
    return parser(identified.parser) if identified.parser else None


def whole_text(stream: ByteStream, problems: list[Problem], limit: int = DUMP_BYTES) -> bytes:
    """The text of a stream as UTF-8, up to a limit; what is missing becomes a problem."""
    parts: list[bytes] = []
    size = 0
    text = as_utf8(stream)
    while size < limit:
        try:
            part = text.read(1 << 20)
        except StreamCutError as cut:
            problems.append(Problem(str(cut)))
            break
        if not part:
            break
        parts.append(part)
        size += len(part)
    else:
        if text.peek(1):
            problems.append(Problem(f"only the first {limit >> 20} MiB were read"))
    return b"".join(parts)


def block_parsers() -> list[Any]:
    """The parsers of multi-line records."""
    return [parser(name) for name in block_names()]
