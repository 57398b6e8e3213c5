"""Prose with pasted outputs in it: each paragraph or fenced block that is of a known format is a part."""

from __future__ import annotations

from collections.abc import Iterator

from analyzer.sources.identify import HEAD_BYTES, SURE_SCORE, identify, parser
from analyzer.sources.layouts.parts import Lines, Part

MAX_PARAGRAPHS = 60
MAX_BYTES = 1 << 20


def paragraphs(part: Part) -> list[Part]:
    """Cut a text at blank lines where what stands between them changes its format.

    Paragraphs of one format that follow each other stay together. A text with too many paragraphs, or none of a
    known format, is returned as it is.
    """
    if len(part.data) > MAX_BYTES:
        return [part]
    lines = Lines(part.data)
    runs = list(_runs(lines))
    if len(runs) < 2 or len(runs) > MAX_PARAGRAPHS:
        return [part]
    formats = [_format(lines.run(first, stop).data) for first, stop in runs]
    if not any(formats):
        return [part]
    for place in range(1, len(runs)):
        if formats[place] is None and _goes_on(lines.text(runs[place][0]), formats[place - 1]):
            formats[place] = formats[place - 1]
    return [_part(part, lines, first, stop) for first, stop in _grouped(runs, formats)]


def _runs(lines: Lines) -> Iterator[tuple[int, int]]:
    first: int | None = None
    for index in range(len(lines)):
        blank = not lines.text(index).strip()
        if blank and first is not None:
            yield first, index
            first = None
        elif not blank and first is None:
            first = index
    if first is not None:
        yield first, len(lines)


def _format(data: bytes) -> str | None:
    found = identify(data[:HEAD_BYTES], "")
    return found.parser if found.score >= SURE_SCORE else None


def _goes_on(first_line: bytes, before: str | None) -> bool:
    """Whether a paragraph of no format of its own belongs to the one before it: indented, or behind a log."""
    return before is not None and (first_line[:1].isspace() or parser(before).FORMAT.kind == "lines")


def _grouped(runs: list[tuple[int, int]], formats: list[str | None]) -> Iterator[tuple[int, int]]:
    """Runs with neighbours of the same format."""
    first, stop = runs[0]
    for place in range(1, len(runs)):
        if formats[place] != formats[place - 1]:
            yield first, stop
            first = runs[place][0]
        stop = runs[place][1]
    yield first, stop


def _part(part: Part, lines: Lines, first: int, stop: int) -> Part:
    run = lines.run(first, stop)
    return Part(run.data, part.numbering.of(run.numbering), part.title, part.node, part.node_why)
