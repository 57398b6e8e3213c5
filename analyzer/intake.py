"""From the members of a bundle to readings: each is identified, parsed if it is a dump, and scanned once."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from analyzer.bundle import Bundle, ByteStream, Member, Refused, StreamCutError
from analyzer.bundle.encoding import as_utf8, to_utf8
from analyzer.facts.reading import Reading
from analyzer.model.formats import Dump, Problem
from analyzer.model.patterns import SourceScan
from analyzer.model.sources import Source
from analyzer.scan.blocks import Readable
from analyzer.scan.engine import Scanner
from analyzer.sources.identify import HEAD_BYTES, Identified, block_names, identify, parser
from analyzer.sources.rewritten import rewriter_of, rewritten, rewritten_head

DUMP_BYTES = 256 << 20
"""Largest dump that is read whole; the rest is cut and said so."""

HEAD_KEPT = 1 << 14
"""First bytes that are kept of each source."""

UNKNOWN_TEXT = "text of no known format; searched for general patterns only"

WORKERS = 2
Done = Callable[[Source], None]


def readings(bundle: Bundle, scanner: Scanner, blocks: Sequence[Any], done: Done) -> list[Reading]:
    """Read every member of a bundle.

    Args:
        bundle: The inputs.
        scanner: Scans lines for the patterns of all rules.
        blocks: Block parsers, whose records the scanner collects.
        done: Is told of each source when it has been read.
    """
    by_format = {block.FORMAT.name: block for block in blocks}
    with ThreadPoolExecutor(WORKERS) as pool:
        pending = list(_submitted(bundle, scanner, by_format, pool, done))
        return [future.result() for future in pending]


def _submitted(
    bundle: Bundle, scanner: Scanner, blocks: dict[str, Any], pool: ThreadPoolExecutor, done: Done
) -> Iterator[Future[Reading]]:
    for index, member in enumerate(bundle.members()):
        if isinstance(member, Refused):
            yield _settled(_refused(index, member))
        elif member.streamed:
            yield _settled(_read(index, member, scanner, blocks, done))
        else:
            yield pool.submit(_read, index, member, scanner, blocks, done)


def _settled(reading: Reading) -> Future[Reading]:
    future: Future[Reading] = Future()
    future.set_result(reading)
    return future


def _refused(index: int, refused: Refused) -> Reading:
    problems = (Problem(refused.reason),)
    source = Source(index, refused.path, "", "", frozenset(), status=refused.status, problems=problems)
    return Reading(source, SourceScan(index))


def _read(index: int, member: Member, scanner: Scanner, blocks: dict[str, Any], done: Done) -> Reading:
    with member.open() as stream:
        try:
            head = stream.peek(HEAD_BYTES)
        except (EOFError, OSError) as error:
            return _refused(index, Refused(member.path, str(error)))
        if not head and stream.cut is not None:
            return _refused(index, Refused(member.path, str(stream.cut)))
        identified = identify(head, member.path)
        if identified.format is None:
            return _refused(index, Refused(member.path, identified.why, "unrecognised"))
        reading = _reading(index, member, identified, stream, scanner, blocks)
        module = parser(identified.parser) if identified.parser else None
        reading.head = rewritten_head(to_utf8(head), rewriter_of(module, to_utf8(head)))[:HEAD_KEPT]
    done(reading.source)
    return reading


def _reading(
    index: int, member: Member, identified: Identified, stream: ByteStream, scanner: Scanner, blocks: dict[str, Any]
) -> Reading:
    module = parser(identified.parser) if identified.parser else None
    problems: list[Problem] = []
    dump: Dump | None = None
    if module is not None and module.FORMAT.kind == "table":
        data = to_utf8(_whole(stream, problems))
        dump = module.parse(data, member.path)
        problems.extend(dump.problems)
        content: Readable = io.BytesIO(data)
    else:
        text = as_utf8(stream)
        content = rewritten(text, rewriter_of(module, text.peek(HEAD_BYTES)))
    scan = scanner.scan(content, identified.families, index)
    if scan.stopped:
        problems.append(Problem(scan.stopped))
    source = _source(index, member, identified, scan, problems)
    rows = [row for hit in scan.blocks for row in blocks[hit.parser].read(hit.lines, hit.first_line)]
    return Reading(source, scan, dump, rows, getattr(module, "prefix", None), identified.parser or "")


def _source(
    index: int, member: Member, identified: Identified, scan: SourceScan, problems: Sequence[Problem]
) -> Source:
    assert identified.format is not None
    unknown = identified.parser is None and scan.lines > 0
    told = (*problems, Problem(UNKNOWN_TEXT)) if unknown else tuple(problems)
    return Source(
        index=index,
        path=member.path,
        format=identified.format.name,
        why=identified.why,
        families=identified.families,
        lines=scan.lines,
        size_bytes=scan.size_bytes,
        status="partial" if problems else "unrecognised" if unknown else "read",
        problems=told,
        modified_s=member.modified_s,
    )


def _whole(stream: ByteStream, problems: list[Problem]) -> bytes:
    parts: list[bytes] = []
    size = 0
    while size < DUMP_BYTES:
        try:
            part = stream.read(1 << 20)
        except StreamCutError as cut:
            problems.append(Problem(str(cut)))
            break
        if not part:
            break
        parts.append(part)
        size += len(part)
    else:
        problems.append(Problem(f"only the first {DUMP_BYTES >> 20} MiB were read"))
    return b"".join(parts)


def block_parsers() -> list[Any]:
    """The parsers of multi-line records."""
    return [parser(name) for name in block_names()]
