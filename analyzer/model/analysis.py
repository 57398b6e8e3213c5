"""The answer: plain, frozen, serialisable, and enough for every report (``schema_version`` 1)."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

SCHEMA_VERSION = 1

Verdict = Literal["critical", "warning", "ok", "unknown"]
Severity = Literal["critical", "warning", "info"]
State = Literal["active", "recovered", "unknown"]
EvidenceRole = Literal["root", "confirms", "against"]
Entities = dict[str, list[str]]
"""Entity kind to spellings, e.g. ``{"node": ["gpu-017"], "gpu": ["0000:3b:00.0"]}``."""


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """One line, or one event of a trace file, that a diagnosis rests on.

    Attributes:
        file: Path relative to the input.
        line: Line number from 1; None for a trace file.
        event: Event number of a trace file, or record id of a flight recorder.
        node: Node it speaks for.
        time: UTC time in ISO 8601, None if unknown.
        uncertainty_s: Half-width of the time's interval in seconds.
        text: The line as read.
        context: Lines around it, the cited line included, in file order.
        context_line: Line number of the first line of ``context``.
        role: What it does for the verdict.
        occurrences: How many like lines it stands for, itself included.
    """

    file: str
    text: str
    line: int | None = None
    event: int | None = None
    node: str | None = None
    time: str | None = None
    uncertainty_s: float | None = None
    context: tuple[str, ...] = ()
    context_line: int | None = None
    role: EvidenceRole = "root"
    occurrences: int = 1


class ChainLink(msgspec.Struct, frozen=True, kw_only=True):
    """One step from the cause to its furthest consequence."""

    cause: str
    text: str
    time: str | None
    entities: Entities


class Consequence(msgspec.Struct, frozen=True, kw_only=True):
    """Something that the cause explains.

    Attributes:
        cause: Slug of the consequence.
        count: Number of parts or lines concerned.
        via: Slug of the cause or consequence that explains it directly.
    """

    cause: str
    title: str
    count: int
    entities: Entities
    evidence: tuple[Evidence, ...]
    via: str


class Alternative(msgspec.Struct, frozen=True, kw_only=True):
    """Another cause that the evidence does not rule out."""

    cause: str
    confidence: float
    tell_apart: str


class ConfidenceTerm(msgspec.Struct, frozen=True, kw_only=True):
    """One addend of a confidence and its reason."""

    text: str
    value: float


class FixStep(msgspec.Struct, frozen=True, kw_only=True):
    """One step of the fix, in order."""

    text: str
    risk: Literal["safe", "disruptive"]
    command: str | None = None


class VerifyStep(msgspec.Struct, frozen=True, kw_only=True):
    """One step that shows whether the fix worked."""

    text: str
    command: str | None = None
    expect: str | None = None


class Diagnosis(msgspec.Struct, frozen=True, kw_only=True):
    """One cause found, with all that supports it and follows from it."""

    rank: int
    cause: str
    severity: Severity
    confidence: float
    title: str
    explanation: str
    layer: str
    unexplained_consequence: bool
    entities: Entities
    first_seen: str | None
    last_seen: str | None
    state: State
    occurrences: int
    evidence: tuple[Evidence, ...]
    chain: tuple[ChainLink, ...]
    consequences: tuple[Consequence, ...]
    alternatives: tuple[Alternative, ...]
    confidence_terms: tuple[ConfidenceTerm, ...]
    fix: tuple[FixStep, ...]
    verify: tuple[VerifyStep, ...]
    not_proof_of: tuple[str, ...]
    sources: tuple[str, ...]


class Tool(msgspec.Struct, frozen=True, kw_only=True):
    """Which program and which rules gave the answer."""

    name: str
    version: str
    rules: str


class Run(msgspec.Struct, frozen=True, kw_only=True):
    """The only part of a report that differs between two runs on the same input."""

    started: str = ""
    host: str = ""
    seconds: float = 0.0


class Window(msgspec.Struct, frozen=True, kw_only=True):
    """The incident window and why it is that one."""

    from_: str | None = msgspec.field(default=None, name="from")
    to: str | None = None
    why: str = ""


class InputPart(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one part of a file that holds several: a section, the lines of one node."""

    name: str
    format: str
    node: str | None
    first_line: int
    last_line: int
    lines: int
    status: Literal["read", "partial", "unrecognised", "unreadable"]
    why: str


class Input(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one input; ``parts`` only where the file holds several."""

    file: str
    format: str
    nodes: tuple[str, ...]
    clock: dict[str, str | float | None]
    lines: int
    bytes: int
    status: Literal["read", "partial", "unrecognised", "unreadable"]
    problem: str
    why: str = ""
    parts: tuple[InputPart, ...] | msgspec.UnsetType = msgspec.UNSET


class Missing(msgspec.Struct, frozen=True, kw_only=True):
    """An input that would have confirmed or ruled out a cause, and how to collect it."""

    for_: str = msgspec.field(name="for")
    needs: str
    how: str


class Coverage(msgspec.Struct, frozen=True, kw_only=True):
    """What was looked at, and what could not be seen."""

    inputs: tuple[Input, ...] = ()
    missing: tuple[Missing, ...] = ()


class Muted(msgspec.Struct, frozen=True, kw_only=True):
    """A rule that a site profile switched off."""

    rule: str
    reason: str


class Template(msgspec.Struct, frozen=True, kw_only=True):
    """A frequent kind of line that no rule or format knows."""

    template: str
    count: int
    example: dict[str, Any]


class Analysis(msgspec.Struct, frozen=True, kw_only=True):
    """A whole report."""

    tool: Tool
    verdict: Verdict
    diagnoses: tuple[Diagnosis, ...]
    coverage: Coverage
    window: Window = Window()
    run: Run = Run()
    earlier: tuple[Diagnosis, ...] = ()
    anomalies: tuple[dict[str, Any], ...] = ()
    muted: tuple[Muted, ...] = ()
    judgements: tuple[dict[str, Any], ...] = ()
    not_understood: tuple[Template, ...] = ()
    figures: dict[str, Any] = {}
    schema_version: int = SCHEMA_VERSION
