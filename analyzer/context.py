"""The lines around cited lines, fetched in one further pass over the inputs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

import msgspec

from analyzer.bundle.open import readable_again
from analyzer.bundle.text import read_lines
from analyzer.model.analysis import Diagnosis, Evidence
from analyzer.model.limits import Limits

Around = dict[tuple[str, int], tuple[int, tuple[str, ...]]]
"""File and line to the number of the first line given and the lines."""


def quoted(diagnoses: Sequence[Diagnosis], paths: Sequence[str], around: int, limits: Limits) -> tuple[Diagnosis, ...]:
    """Diagnoses whose evidence carries the lines around it; standard input and pipes cannot be read again.

    Args:
        diagnoses: The diagnoses.
        paths: The inputs as the user gave them.
        around: Lines on each side; 0 for the cited lines' own text only.
        limits: Caps on what is read.
    """
    if not diagnoses or not readable_again(paths):
        return tuple(diagnoses)
    cited = [(e.file, e.line) for d in diagnoses for e in d.evidence if e.line is not None]
    found = lines_around(paths, cited, around, limits)
    return tuple(
        msgspec.structs.replace(d, evidence=tuple(_with_context(e, found, around) for e in d.evidence))
        for d in diagnoses
    )


def _with_context(evidence: Evidence, found: Around, around: int) -> Evidence:
    if evidence.line is None or (evidence.file, evidence.line) not in found:
        return evidence
    first, lines = found[evidence.file, evidence.line]
    whole = lines[evidence.line - first]
    text = whole if evidence.text in whole else evidence.text
    return msgspec.structs.replace(evidence, text=text, context=lines if around else (), context_line=first)


def lines_around(
    paths: Sequence[str],
    cited: Iterable[tuple[str, int]],
    around: int,
    limits: Limits = Limits(),  # noqa: B008 - frozen
) -> Around:
    """Fetch ``around`` lines before and after each cited line, itself included.

    Args:
        paths: The inputs as the user gave them.
        cited: File and line number of each cited line.
        around: Lines on each side.
        limits: Caps on what is read.
    """
    places = set(cited)
    wanted: dict[str, set[int]] = defaultdict(set)
    for file, line in places:
        wanted[file].update(range(max(1, line - around), line + around + 1))
    texts = read_lines(paths, wanted, limits)
    found: Around = {}
    for file, line in places:
        known = texts.get(file, {})
        numbers = [n for n in range(max(1, line - around), line + around + 1) if n in known]
        if line in known:
            found[file, line] = (numbers[0], tuple(known[n] for n in numbers))
    return found
