"""Checks of a cause's examples: kinds, files and cited places."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from analyzer.rulebook.draft import Entry
from analyzer.rulebook.schema import Cause, Example
from analyzer.rulebook.scope import Scope

_PLACE = re.compile(r"(?P<path>.+):(?P<event>event)?(?P<number>[1-9]\d*)")


def example_problems(entry: Entry[Cause], scope: Scope) -> Iterator[str]:
    """Problems of all examples of a cause."""
    kinds = {example.kind for example in entry.value.examples}
    for kind in ("positive", "negative"):
        if kind not in kinds:
            yield entry.problem(f"no {kind} example", "examples")
    for place, example in enumerate(entry.value.examples):
        for text in (*_form_problems(example, scope), *_file_problems(example), *_evidence_problems(example)):
            yield entry.problem(text, "examples", place)


def _form_problems(example: Example, scope: Scope) -> Iterator[str]:
    if example.kind == "positive" and not example.evidence:
        yield "a positive example states its evidence"
    if example.kind != "positive" and example.evidence:
        yield "only a positive example states evidence"
    if example.near_miss and example.kind != "negative":
        yield "only a negative example is a near miss"
    if (example.kind == "consequence") != (example.root is not None):
        yield "a consequence, and only it, states the root it stands under"
    if example.root is not None and example.root not in scope.draft.vocabulary:
        yield f"unknown slug `{example.root}`"


def _file_problems(example: Example) -> Iterator[str]:
    if not example.files and not example.generate:
        yield "no files"
    for name in (*example.files, *example.generate):
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or not path.name:
            yield f"`{name}` is not a path inside the bundle"
    for name, call in example.generate.items():
        if name in example.files:
            yield f"`{name}` is both written and generated"
        if not isinstance(call.get("kind"), str):
            yield f"`{name}`: a generator call names its kind"


def _evidence_problems(example: Example) -> Iterator[str]:
    for place in example.evidence:
        form = _PLACE.fullmatch(place)
        if form is None:
            yield f"`{place}` is not path:line or path:eventN"
        elif form["path"] in example.files:
            if not _holds(form["path"], form["event"] is not None, int(form["number"]), example):
                yield f"`{place}`: the file has no such line"
        elif form["path"] not in example.generate:
            yield f"`{place}`: the example has no such file"


def _holds(path: str, is_event: bool, number: int, example: Example) -> bool:
    """A trace written as JSON has events by their own numbers; any other text has lines."""
    return path.endswith(".json") if is_event else number <= len(example.files[path].splitlines())
