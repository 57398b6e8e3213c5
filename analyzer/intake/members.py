"""Reads every member of a bundle, in whole or in parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import msgspec

from analyzer.bundle import Bundle, ByteStream, Member, Refused
from analyzer.bundle.encoding import as_utf8, to_utf8
from analyzer.facts.reading import Reading
from analyzer.intake.sources import HEAD_KEPT, Reader, kept_head, whole_text
from analyzer.intake.windows import in_parts
from analyzer.model.formats import Problem
from analyzer.model.patterns import SourceScan
from analyzer.model.sources import Source
from analyzer.scan.engine import Scanner
from analyzer.sources.identify import HEAD_BYTES, Identified, identify
from analyzer.sources.layouts.choose import early_layout, is_doubtful, marked_layout
from analyzer.sources.layouts.triggers import MARK_EVENT

MARKED_BYTES = 64 << 20
"""Largest log that is read again to take the outputs of other programs out of it."""

UNSPLIT = "outputs of other programs inside a log this large are not read on their own"
WORKERS = 2
Done = Callable[[Source], None]


def readings(bundle: Bundle, scanner: Scanner, blocks: Sequence[Any], done: Done) -> list[Reading]:
    """Read every member of a bundle.

    Args:
        bundle: The inputs.
        scanner: Scans lines for the patterns of all rules.
        blocks: Block parsers, whose records the scanner collects.
        done: Is told of each member when it has been read.

    Returns:
        One reading per source, numbered: a file laid out in parts is several sources with one path.
    """
    reader = MemberReader(scanner, blocks, done)
    with ThreadPoolExecutor(WORKERS) as pool:
        pending = list(_submitted(bundle, reader, pool))
        found = [reading for future in pending for reading in future.result()]
    for index, reading in enumerate(found):
        reading.source = msgspec.structs.replace(reading.source, index=index)
        reading.scan.source = index
    return found


def _submitted(bundle: Bundle, reader: MemberReader, pool: ThreadPoolExecutor) -> Iterator[Future[list[Reading]]]:
    for member in bundle.members():
        if isinstance(member, Refused):
            yield _settled([_refused(member)])
        elif member.streamed:
            yield _settled(reader.read(member))
        else:
            yield pool.submit(reader.read, member)


def _settled(found: list[Reading]) -> Future[list[Reading]]:
    future: Future[list[Reading]] = Future()
    future.set_result(found)
    return future


def _refused(refused: Refused) -> Reading:
    problems = (Problem(refused.reason),)
    source = Source(0, refused.path, "", "", frozenset(), status=refused.status, problems=problems)
    return Reading(source, SourceScan(0))


class MemberReader:
    """Reads members, each into one source or several."""

    def __init__(self, scanner: Scanner, blocks: Sequence[Any], done: Done) -> None:
        self._reader = Reader(scanner, blocks)
        self._done = done
        self._marks = frozenset(p.index for p in scanner.patterns if p.event == MARK_EVENT)

    def read(self, member: Member) -> list[Reading]:
        """Read one member."""
        with member.open() as stream:
            try:
                head = stream.peek(HEAD_BYTES)
            except (EOFError, OSError) as error:
                return [_refused(Refused(member.path, str(error)))]
            if not head and stream.cut is not None:
                return [_refused(Refused(member.path, str(stream.cut)))]
            identified = identify(head, member.path)
            if identified.format is None:
                return [_refused(Refused(member.path, identified.why, "unrecognised"))]
            found = self._by_head(stream, to_utf8(head), member, identified)
        self._done(found[0].source)
        return found

    def _by_head(self, stream: ByteStream, head: bytes, member: Member, identified: Identified) -> list[Reading]:
        cut = early_layout(head, member.path, identified)
        if cut is not None:
            parts, stream = in_parts(stream, cut, member, self._reader)
            if parts:
                return parts
        assert identified.format is not None
        if identified.format.kind == "table":
            return self._dump(stream, member, identified)
        return self._log(stream, head, member, identified)

    def _dump(self, stream: ByteStream, member: Member, identified: Identified) -> list[Reading]:
        problems: list[Problem] = []
        data = whole_text(stream, problems)
        reading = self._reader.dump(data, identified, member.path, member.modified_s, problems)
        return self._marked(reading, data, problems, identified) or [self._kept(reading, data[:HEAD_KEPT])]

    def _log(self, stream: ByteStream, head: bytes, member: Member, identified: Identified) -> list[Reading]:
        reading = self._reader.log(as_utf8(stream), identified, member.path, member.modified_s)
        reading = self._kept(reading, kept_head(head, identified))
        if not self._worth_cutting(reading, identified):
            return [reading]
        if member.streamed or reading.scan.size_bytes > MARKED_BYTES:
            return [_with_problem(reading, UNSPLIT)]
        problems: list[Problem] = []
        with member.open() as again:
            data = whole_text(again, problems)
        return self._marked(reading, data, problems, identified) or [reading]

    def _marked(
        self, reading: Reading, data: bytes, problems: Sequence[Problem], identified: Identified
    ) -> list[Reading]:
        """The parts of a text with prompts or headings; empty if it has none, or they say nothing new."""
        if not self._worth_cutting(reading, identified):
            return []
        layout = marked_layout(data, reading.source.path, identified)
        if layout is None:
            return []
        whole = reading.source
        parts = [self._reader.piece(piece, layout, whole) for piece in layout.pieces]
        return [_with_problem(parts[0], *(p.text for p in problems)), *parts[1:]] if problems else parts

    def _worth_cutting(self, reading: Reading, identified: Identified) -> bool:
        """Whether a line of the text opens a part, or the text holds its format among other things."""
        if identified.parser is not None and is_doubtful(identified):
            return True
        return any(reading.scan.totals.get(index) for index in self._marks)

    def _kept(self, reading: Reading, head: bytes) -> Reading:
        """With its head, and without the hits of marks, which are no events."""
        reading.head = head
        reading.scan.hits = [hit for hit in reading.scan.hits if hit.pattern not in self._marks]
        return reading


def _with_problem(reading: Reading, *texts: str) -> Reading:
    source = reading.source
    problems = (*source.problems, *(Problem(text) for text in texts))
    status = "partial" if source.status == "read" else source.status
    reading.source = msgspec.structs.replace(source, problems=problems, status=status)
    return reading
