"""How a text is laid out, and the parts it falls into, each with its format."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import msgspec

from analyzer.sources.identify import FIRST_BYTES, HEAD_BYTES, SURE_SCORE, TEXT, Identified, identify, parser
from analyzer.sources.layouts.bug_report import is_bug_report, sections
from analyzer.sources.layouts.marks import Mark, is_ruler
from analyzer.sources.layouts.paragraphs import paragraphs
from analyzer.sources.layouts.parts import Lines, Part, joined
from analyzer.sources.layouts.prefixes import Shape, separate, shapes
from analyzer.sources.layouts.pstore import records
from analyzer.sources.layouts.transcript import by_node_rulers, transcript
from analyzer.sources.nodes import stated_node

LIKELY_SCORE = 60
MAX_DEPTH = 3
JOB_FORMATS = frozenset({"nccl", "training"})

BUG_REPORT = "nvidia-bug-report"
INTERLEAVED = "interleaved"
COLLECTED = "collected"
TRANSCRIPT = "transcript"
PSTORE = "pstore"


class Piece(msgspec.Struct, frozen=True, eq=False):
    """A part of a file with its format.

    Attributes:
        part: The part.
        identified: What it is.
    """

    part: Part
    identified: Identified


class Layout(msgspec.Struct, frozen=True, eq=False):
    """How a file is laid out.

    Attributes:
        name: Kind of layout, shown as the file's format in coverage.
        why: What tells it.
        pieces: Its parts; those of no known format are one.
    """

    name: str
    why: str
    pieces: Sequence[Piece]


def early_layout(head: bytes, path: str, whole: Identified) -> Callable[[bytes], Layout | None] | None:
    """Judge by the first bytes whether a text is laid out in parts.

    Args:
        head: The first bytes.
        path: Path of the file.
        whole: What the text is as a whole.

    Returns:
        Cuts the whole text (or any run of its lines, for ``INTERLEAVED``) into parts; None for a text that shows
        no layout in its head.
    """
    if is_bug_report(head):
        return lambda data: _bug_report(data, path)
    shape = _prefixed(head, path, whole)
    if shape is not None:
        return lambda data: _interleaved(data, shape, path)
    first = head.lstrip()[:200].split(b"\n", 1)[0].rstrip(b"\r")
    if first.startswith(b"---") and is_ruler(first):
        return lambda data: _collected(data, path)
    return None


def marked_layout(data: bytes, path: str, whole: Identified) -> Layout | None:
    """Cut a text that has marks (prompts, headings) somewhere; None if the parts say no more than the whole.

    Args:
        data: The text.
        path: Path of the file.
        whole: What the text is as a whole.
    """
    if kmsg := records(data):
        return Layout(PSTORE, "records of pstore", [piece for part in kmsg for piece in _inner(part, path)])
    doubtful = is_doubtful(whole) or _begins_otherwise(data, path, whole)
    if doubtful and (collected := _collected(data, path)) is not None:
        return collected
    cut = transcript(data, mentions=doubtful)
    if doubtful:
        cut = [(mark, inner) for mark, part in cut for inner in (paragraphs(part) if not part.known else [part])]
    if len(cut) < 2:
        return None
    inherited = stated_node(data[:FIRST_BYTES])
    parts = [(mark, _inheriting(part, inherited)) for mark, part in cut]
    kept = _beside_log(parts, path, whole) or [piece for _, part in parts for piece in _inner(part, path)]
    if not _says_more(kept, whole):
        return None
    return Layout(TRANSCRIPT, f"{sum(1 for mark, _ in cut if mark)} prompts or headings", _united(kept, whole))


def is_doubtful(whole: Identified) -> bool:
    """Whether a text is of no known format, or holds one only among other things."""
    return whole.parser is None or (whole.score <= LIKELY_SCORE and whole.parser not in JOB_FORMATS)


def _begins_otherwise(data: bytes, path: str, whole: Identified) -> bool:
    """Whether something else stands in front of a dump: its first paragraph is not of its format."""
    if whole.format is None or whole.format.kind != "table":
        return False
    first = data[:FIRST_BYTES].lstrip().replace(b"\r\n", b"\n").split(b"\n\n", 1)[0]
    return identify(first + b"\n", path).parser != whole.parser


def _bug_report(data: bytes, path: str) -> Layout:
    pieces = [piece for part in sections(data) for piece in _inner(part, path)]
    return Layout(BUG_REPORT, "begins as nvidia-bug-report.sh does", _united(pieces))


def _interleaved(data: bytes, shape: Shape, path: str, depth: int = 1) -> Layout | None:
    pieces: list[Piece] = []
    usual: str | None = None
    for part in separate(data, shape):
        found = _inner(part, path, depth, usual)
        usual = usual or next((piece.identified.parser for piece in found), None)
        pieces.extend(found)
    if not pieces:
        return None
    return Layout(INTERLEAVED, f"prefix of {shape.name} in front of every line", _united(pieces))


def _collected(data: bytes, path: str, depth: int = 1) -> Layout | None:
    parts = by_node_rulers(data)
    if not parts:
        return None
    pieces: list[Piece] = []
    usual: str | None = None
    for part in parts:
        found = _inner(part, path, depth, usual)
        usual = usual or next((piece.identified.parser for piece in found), None)
        pieces.extend(found)
    if not any(piece.identified.parser for piece in pieces):
        return None
    return Layout(COLLECTED, "a node between rulers in front of what it printed", _united(pieces))


def _inner(part: Part, path: str, depth: int = 1, usual: str | None = None) -> list[Piece]:
    """A part as it is, or cut further if it is laid out in parts itself."""
    name = _named(path, part.title)
    head = part.data[:HEAD_BYTES]
    identified = identify(head, name, usual)
    if not part.known and identified.score < LIKELY_SCORE:
        identified = Identified(TEXT, None, identified.why, TEXT.families)
    inner = _deeper(part, name, identified, depth) if depth < MAX_DEPTH else None
    if inner is None:
        return [Piece(part, identified)]
    return [Piece(_placed(part, piece.part), piece.identified) for piece in inner.pieces]


def _deeper(part: Part, path: str, identified: Identified, depth: int) -> Layout | None:
    shape = _prefixed(part.data[:FIRST_BYTES], path, identified)
    if shape is not None:
        return _interleaved(part.data, shape, path, depth + 1)
    if part.data.startswith(b"---") or (identified.parser is None and b"\n---" in part.data[:FIRST_BYTES]):
        return _collected(part.data, path, depth + 1)
    return None


def _placed(outer: Part, inner: Part) -> Part:
    own = inner.node is not None
    return Part(
        inner.data, outer.numbering.of(inner.numbering), inner.title or outer.title,
        inner.node if own else outer.node, inner.node_why if own else outer.node_why, inner.known,
    )  # fmt: skip


def _inheriting(part: Part, inherited: tuple[str, str] | None) -> Part:
    if part.node is not None or inherited is None:
        return part
    return Part(part.data, part.numbering, part.title, inherited[0], inherited[1], part.known)


def _prefixed(head: bytes, path: str, whole: Identified) -> Shape | None:
    """The prefix behind which the lines are of a better known format than as they stand."""
    if whole.parser in JOB_FORMATS and whole.score >= SURE_SCORE:
        return None
    best: tuple[int, Shape] | None = None
    for shape, sample in shapes(head):
        inner = _best_of(sample.fullest, sample.every, path)
        if inner.parser is None:
            inner = _behind_two(sample.fullest, path)
        if inner.parser is None or inner.score < LIKELY_SCORE or inner.score <= whole.score:
            continue
        if whole.format is not None and inner.format is not None and inner.format.name == whole.format.name:
            continue
        if best is None or inner.score > best[0]:
            best = (inner.score, shape)
    return None if best is None else best[1]


def _behind_two(text: bytes, path: str) -> Identified:
    """What stands behind a second prefix; the text as it is if none does."""
    found = [_best_of(inner.fullest, inner.every, path) for _, inner in shapes(text)]
    return max(found, key=lambda identified: identified.score, default=Identified(TEXT, None, "", TEXT.families))


def _best_of(fullest: bytes, every: bytes, path: str) -> Identified:
    found = identify(fullest[:HEAD_BYTES], path)
    if found.score >= LIKELY_SCORE or every == fullest:
        return found
    other = identify(every[:HEAD_BYTES], path)
    return other if other.score > found.score else found


def _named(path: str, title: str) -> str:
    """Path that a file with only this part would have."""
    if not title:
        return path
    return f"{path.rsplit('/', 1)[0]}/{title}" if "/" in path else title


def _beside_log(parts: Sequence[tuple[Mark | None, Part]], path: str, whole: Identified) -> list[Piece]:
    """A log with the outputs of other programs in it: these are taken out, everything else stays with the log.

    Returns:
        The log and the outputs; empty if the text does not begin as a log.
    """
    first = parts[0][0]
    if first is not None and first.kind != "trace":
        return []
    host = identify(parts[0][1].data[:HEAD_BYTES], path) if first is None else whole
    if host.parser is None or host.format is None or host.format.kind != "lines" or is_doubtful(host):
        return []
    claims = parser(host.parser).prefix
    log: list[Part] = []
    out: list[Piece] = []
    for mark, part in parts:
        output, rest = _until_log(part, claims)
        pieces = _inner(output, path)
        if mark is not None and any(_foreign(mark, piece, host) for piece in pieces):
            out.extend(pieces)
            log.extend([rest] if rest.data else [])
        else:
            log.append(part)
    return [Piece(joined(log), host), *out]


def _foreign(mark: Mark, piece: Piece, host: Identified) -> bool:
    found = piece.identified
    if found.parser is None or found.format is None or found.score < SURE_SCORE:
        return False
    if found.parser != host.parser:
        return found.parser not in JOB_FORMATS or mark.kind == "prompt"
    return mark.kind != "trace" and piece.part.node is not None


def _until_log(part: Part, claims: Callable[[bytes], Any]) -> tuple[Part, Part]:
    """The output up to the line with which the log goes on, and the rest; all of it where it begins as the log does."""
    lines = Lines(part.data)
    if len(lines) and not _is_log_line(lines.text(0), claims):
        for index in range(1, len(lines)):
            if _is_log_line(lines.text(index), claims):
                return _part_of(part, lines, 0, index), _part_of(part, lines, index, len(lines))
    return part, Part(b"", part.numbering)


def _is_log_line(line: bytes, prefix: Callable[[bytes], Any]) -> bool:
    found = prefix(line)
    return found is not None and (found.stamp is not None or found.program is not None)


def _part_of(part: Part, lines: Lines, first: int, stop: int) -> Part:
    run = lines.run(first, stop)
    return Part(run.data, part.numbering.of(run.numbering), part.title, part.node, part.node_why, part.known)


def _says_more(pieces: Sequence[Piece], whole: Identified) -> bool:
    """Whether parts are known that the whole is not, or nodes that tell them apart."""
    known = {piece.identified.parser for piece in pieces if piece.identified.parser}
    if not known:
        return False
    nodes = {piece.part.node for piece in pieces if piece.part.node}
    return known != {whole.parser} or len(nodes) > 1


def _united(pieces: Sequence[Piece], whole: Identified | None = None) -> list[Piece]:
    """Parts of no known format as one per node, read as the log that the whole is; the others keep their order."""
    known = [piece for piece in pieces if piece.identified.parser is not None]
    unknown = [piece for piece in pieces if piece.identified.parser is None]
    is_log = whole is not None and whole.format is not None and whole.format.kind == "lines"
    return [*known, *_rest(unknown, whole if is_log else None)]


def _rest(pieces: Sequence[Piece], log: Identified | None) -> Iterator[Piece]:
    by_node: dict[str | None, list[Piece]] = {}
    for piece in pieces:
        by_node.setdefault(piece.part.node, []).append(piece)
    for group in by_node.values():
        part = joined([piece.part for piece in group])
        if part.data.strip():
            yield Piece(Part(part.data, part.numbering, "", part.node, part.node_why), log or group[0].identified)
