"""Types of the files under ``rules/``. Unknown keys are errors; see docs/rules.md for the meaning with examples."""

from __future__ import annotations

from typing import Annotated, Literal, get_args

import msgspec
from msgspec import Meta

Name = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]*$")]
"""A symptom, field or column."""
Slug = Annotated[str, Meta(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
"""A cause, as listed in ``rules/causes.toml``."""
EventName = Annotated[str, Meta(pattern=r"^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+$")]
Text = Annotated[str, Meta(min_length=1)]

Severity = Literal["critical", "warning", "info"]
SEVERITIES: tuple[Severity, ...] = get_args(Severity)
"""The gravest first."""
Layer = Literal[
    "power", "cooling", "fibre", "link", "fabric", "pcie", "gpu", "nvlink", "host", "storage",
    "driver", "container", "scheduler", "comms", "application", "measurement",
]  # fmt: skip
LAYERS: tuple[Layer, ...] = get_args(Layer)
"""In order of rank: physical before logical, a wrong measurement last."""
Role = Literal["root", "confirms", "consequence", "against"]
Risk = Literal["safe", "disruptive"]
FieldType = Literal["str", "int", "float", "pci", "guid", "ip", "host", "hostlist"]
EntityKind = Literal[
    "node", "gpu", "nic", "port", "link", "lane", "cable", "fibre", "switch", "guid", "nvswitch", "rank",
    "communicator", "job", "step", "process", "user", "cgroup", "service", "filesystem", "disk", "dimm", "slot", "pod",
    "container", "rack", "sensor", "partition", "file",
]  # fmt: skip


class _Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of all rule records: immutable, unknown keys refused (``kw_only`` is not inherited)."""


class FieldSpec(_Record, frozen=True, kw_only=True):
    """A named group of an event's patterns.

    ``type`` says how the text is read; ``entity`` that the value names a part of the cluster; ``same_as`` that another
    field of the line names the same part (a GPU by UUID and by address).
    """

    type: FieldType = "str"
    entity: EntityKind | None = None
    same_as: Name | None = None


class EventSpec(_Record, frozen=True, kw_only=True):
    """A named, typed line pattern shared by causes.

    ``formats`` lists the source families it may occur in (none: any source). ``relates``: a line states which of the
    parts it names belong together (rank and GPU, job and nodes). ``samples`` must match, ``near_misses`` must not.
    """

    title: Text
    lines: Annotated[tuple[Text, ...], Meta(min_length=1)]
    formats: tuple[Name, ...] = ()
    bulk: bool = False
    fields: dict[Name, FieldSpec] = {}
    samples: Annotated[tuple[Text, ...], Meta(min_length=1)]
    near_misses: tuple[str, ...] = ()
    relates: bool = False


class Count(_Record, frozen=True, kw_only=True):
    """At least ``min`` rows per combination of ``per`` (entity kinds or columns), inside ``within`` if given.

    With ``of`` (an entity kind or column) at least so many different values of it: GPUs of a node, not lines of one.
    """

    min: Annotated[int, Meta(ge=2)]
    per: tuple[Name, ...] = ()
    of: Name | None = None
    within: str | None = None


class Lasts(_Record, frozen=True, kw_only=True):
    """The state that the symptom begins holds for at least ``min``: no row of symptom ``ended_by`` sooner."""

    min: Text
    ended_by: Name


class Lookup(_Record, frozen=True, kw_only=True):
    """Join the CSV ``catalogue`` on ``key``; its columns become ``<catalogue>_<column>`` for ``where``.

    ``nearest`` adds ``<catalogue>_nearest``: for a key that the catalogue lacks, the entry within so many edits.
    """

    catalogue: Name
    key: Name
    nearest: Annotated[int, Meta(ge=1, le=3)] | None = None


class Odd(_Record, frozen=True, kw_only=True):
    """Rows whose ``value`` differs from the majority of rows with the same ``among``.

    Fewer than ``min_peers`` peers, or no majority, and nobody is named: the report says that they differ.
    """

    value: Name
    among: tuple[Name, ...] = ()
    min_peers: Annotated[int, Meta(ge=2)] = 3


class Symptom(_Record, frozen=True, kw_only=True):
    """One observation a cause rests on.

    Exactly one of ``event``, ``table`` and ``line`` is set. ``on`` says how it belongs to the subject's symptom: own
    entity kind or column -> that of the other symptom (``symptom.kind``, or just ``kind`` for the subject's symptom);
    default ``{node: node}``; ``{}`` for anywhere in the bundle. ``within`` is a window around the subject's symptom.
    ``formats``, ``fields`` and ``samples`` belong to ``line``; the evidence of positive examples are samples too.
    ``severity`` of a root symptom goes before the cause's where no other root symptom makes it graver.
    """

    role: Role
    severity: Severity | None = None
    event: EventName | None = None
    table: Name | None = None
    line: tuple[Text, ...] | None = None
    formats: tuple[Name, ...] = ()
    fields: dict[Name, FieldSpec] = {}
    samples: tuple[Text, ...] = ()
    where: str | None = None
    lookup: Lookup | None = None
    count: Count | None = None
    lasts: Lasts | None = None
    odd: Odd | None = None
    on: dict[str, str] | None = None
    within: str | tuple[str, str] | None = None


class Logic(_Record, frozen=True, kw_only=True):
    """Which symptoms make the cause: every one of ``all`` and, if given, one of ``any``; none of ``unless``.

    ``sequence`` lists symptoms that must begin in this order. Without logic any root symptom is enough.
    """

    all: tuple[Name, ...] = ()
    any: tuple[Name, ...] = ()
    unless: tuple[Name, ...] = ()
    sequence: tuple[Name, ...] = ()


class Explains(_Record, frozen=True, kw_only=True):
    """What this cause makes happen elsewhere.

    Either ``cause`` (a diagnosis to fold under this one), or ``event``/``table`` with ``where`` and the consequence's
    slug ``as_``, or ``use``: a list of ``rules/consequences.yaml`` by name. ``on`` maps the consequence's entity kind
    or column to the subject's; ``within`` is seconds after the onset; none for snapshots.
    """

    use: Name | None = None
    cause: Slug | None = None
    event: EventName | None = None
    table: Name | None = None
    where: str | None = None
    as_: Slug | None = msgspec.field(default=None, name="as")
    on: dict[str, str] = msgspec.field(default_factory=lambda: {"node": "node"})
    within: tuple[str, str] | None = None


class Consequences(_Record, frozen=True, kw_only=True):
    """What many causes make happen alike, such as everything that follows when a node's processes stand still."""

    title: Text
    explains: Annotated[tuple[Explains, ...], Meta(min_length=1)]


class Term(_Record, frozen=True, kw_only=True):
    """A confidence term: added when ``present`` fired, or when ``absent`` did not although it could have been seen."""

    add: Annotated[float, Meta(ge=-1, le=1)]
    text: Text
    present: Name | None = None
    absent: Name | None = None


class Confidence(_Record, frozen=True, kw_only=True):
    """Base confidence, with its reason, and terms added to it."""

    base: Annotated[float, Meta(ge=0, le=1)]
    text: str = "the symptoms alone"
    terms: tuple[Term, ...] = ()


class Step(_Record, frozen=True, kw_only=True):
    """One step of a fix or a verification: own text or an action of ``rules/actions.yaml`` by name."""

    use: Name | None = None
    text: str | None = None
    command: str | None = None
    risk: Risk = "safe"
    expect: str | None = None


class Action(_Record, frozen=True, kw_only=True):
    """A step that many causes share."""

    text: Text
    command: str | None = None
    risk: Risk = "safe"
    expect: str | None = None


class Reference(_Record, frozen=True, kw_only=True):
    """Where a fact comes from, kept in ``rules/sources.yaml`` under an id."""

    kind: Literal["vendor-doc", "source-code", "standard", "manual", "public-thread", "measurement", "handbook"]
    title: Text
    ref: Text
    revision: str = ""
    read: Annotated[str, Meta(pattern=r"^20\d\d-\d\d(-\d\d)?$")]
    primary: bool = False


class Cite(_Record, frozen=True, kw_only=True):
    """A reference by id, with the place in it."""

    id: Name
    at: str = ""


class Example(_Record, frozen=True, kw_only=True):
    """A miniature bundle with the expected answer.

    ``evidence`` lists ``path:line`` (or ``path:eventN``) that must be exactly the root and confirming evidence of a
    positive; ``part`` an entity value that must be named; ``root`` the cause a consequence must stand under;
    ``generate`` calls a sample generator for binary files: path -> {kind, arguments}.
    """

    kind: Literal["positive", "negative", "consequence"]
    why: Text
    files: dict[str, str] = {}
    generate: dict[str, dict[str, str | int | float | list[str | int | float | list[float | int | str]]]] = {}
    evidence: tuple[str, ...] = ()
    part: str | None = None
    root: Slug | None = None
    near_miss: bool = False


class Cause(_Record, frozen=True, kw_only=True):
    """One cause: how it shows, what it explains, how to fix and verify it, where the facts come from."""

    schema: Literal[1]
    cause: Slug
    rev: Annotated[int, Meta(ge=1)]
    title: Text
    layer: Layer
    severity: Severity
    say: Text
    subject: dict[EntityKind, str | tuple[str, ...]]
    symptoms: Annotated[dict[Name, Symptom], Meta(min_length=1)]
    confidence: Confidence
    fix: Annotated[tuple[Step, ...], Meta(min_length=1)]
    verify: Annotated[tuple[Step, ...], Meta(min_length=1)]
    sources: Annotated[tuple[Cite | str, ...], Meta(min_length=1)]
    examples: Annotated[tuple[Example, ...], Meta(min_length=2)]
    applies: dict[str, str] = {}
    merge: EntityKind | Literal["all"] | None = None
    logic: Logic = Logic()
    explains: tuple[Explains, ...] = ()
    not_proof_of: tuple[str, ...] = ()
    recovers: Name | None = None


class Benign(_Record, frozen=True, kw_only=True):
    """A signature that looks bad and needs no action: its rows are never a root symptom."""

    title: Text
    why: Text
    event: EventName | None = None
    table: Name | None = None
    where: str | None = None
    sources: Annotated[tuple[Cite | str, ...], Meta(min_length=1)]
    samples: tuple[str, ...] = ()


class Vocabulary(_Record, frozen=True, kw_only=True):
    """One entry of ``rules/causes.toml``."""

    slug: Slug
    title: str
    layer: str
    kind: Literal["cause", "consequence", "benign"]
    domains: tuple[str, ...] = ()
    also: tuple[str, ...] = ()


class Collect(_Record, frozen=True, kw_only=True):
    """How to collect what a source family or table shows: used in the report's list of what was missing."""

    what: Text
    how: Text


class Rulebook(_Record, frozen=True, kw_only=True):
    """Everything under ``rules/``, checked.

    ``events`` include the inline line patterns of causes, named ``<cause with _>.<symptom>``. ``catalogues`` hold the
    CSV files' paths by name. ``revision`` is a hash of all file contents.
    """

    revision: str
    causes: dict[str, Cause]
    events: dict[str, EventSpec]
    benign: dict[str, Benign]
    actions: dict[str, Action]
    references: dict[str, Reference]
    vocabulary: dict[str, Vocabulary]
    collect: dict[str, Collect]
    catalogues: dict[str, str]
    untrusted: tuple[str, ...] = ()
