"""Small facts and rules for the tests of the diagnosis, written out in a line each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec
import polars as pl

from analyzer.diagnose.groups import Group, grouped
from analyzer.facts.inventory import Inventory
from analyzer.facts.store import Schema, Store, polars_schema, table_schema
from analyzer.model.analysis import Consequence, Diagnosis, Entities
from analyzer.model.sources import Segment, Source
from analyzer.model.tables import Column, TableSpec
from analyzer.rulebook.schema import Benign, Cause, Reference, Rulebook, Vocabulary

SCHEMA: Schema = table_schema(
    TableSpec(
        "any",
        "one observation; every frame of these tests has these columns",
        (
            Column("gpu", "str", "a GPU", "gpu"),
            Column("port", "str", "a port", "port"),
            Column("peer", "str", "the node at the other end", "node"),
            Column("job", "str", "a job", "job"),
            Column("code", "int", "an error code"),
            Column("evidence", "strs", "lines it was made of"),
        ),
        snapshot=False,
    )
)

Rows = Sequence[Mapping[str, Any]]
GUIDE = Reference(kind="manual", title="Guide", ref="shelf 3", read="2026-01", primary=True)


def row(at_s: float | None = None, node: str | None = "n1", **values: Any) -> dict[str, Any]:
    """A row seen at ``at_s`` (epoch seconds, None if unknown) on ``node``; columns left out are null."""
    time = None if at_s is None else datetime.fromtimestamp(at_s, UTC)
    return {"source": 0, "node": node, "time": time, "copy": False, **values}


def frame(rows: Rows) -> pl.DataFrame:
    """Rows as a frame, one a line unless they say their own."""
    return pl.DataFrame([{"line": line, **given} for line, given in enumerate(rows, 1)], schema=polars_schema(SCHEMA))


def store(
    causes: Sequence[Cause] = (), inventory: Inventory | None = None, nodes: Sequence[str | None] = (),
    benign: Mapping[str, Benign] | None = None, consequences: Sequence[str] = (), **frames: Rows,
) -> Store:  # fmt: skip
    """Facts: the rows of each frame, and one source per node of ``nodes`` (one of no node without)."""
    sources = [
        Source(index, f"{node or 'log'}.txt", "dmesg", "", frozenset({"kernel"}), segments=(Segment(0, 1, node),))
        for index, node in enumerate(nodes or (None,))
    ]
    made = {name: frame(rows) for name, rows in frames.items()}
    return Store(rulebook(causes, benign or {}, consequences), sources, made, _Schemas(), inventory or Inventory())


class _Schemas(dict[str, Schema]):
    """Every frame has the same columns."""

    def __missing__(self, name: str) -> Schema:
        return SCHEMA


def rulebook(causes: Sequence[Cause], benign: Mapping[str, Benign], consequences: Sequence[str]) -> Rulebook:
    """The rules in force; slugs of ``consequences`` are no causes."""
    slugs = {rule.cause for rule in causes} | set(consequences)
    return Rulebook(
        revision="", causes={rule.cause: rule for rule in causes}, events={}, benign=dict(benign), actions={},
        references={"guide": GUIDE}, collect={}, catalogues={},
        vocabulary={
            slug: Vocabulary(
                slug=slug, title=f"about {slug}", layer="link", kind="consequence" if slug in consequences else "cause"
            )
            for slug in slugs
        },
    )  # fmt: skip


def cause(slug: str = "link-lost", **changes: Any) -> Cause:
    """A rule that accuses the node on which ``down`` was seen."""
    plain = {
        "schema": 1, "cause": slug, "rev": 1, "title": slug, "layer": "link", "severity": "warning",
        "say": "The link of {node} is lost", "subject": {"node": "down"},
        "symptoms": {"down": {"role": "root", "table": "down"}},
        "confidence": {"base": 0.7}, "fix": [{"text": "Reseat"}], "verify": [{"text": "Look"}], "sources": ["guide"],
        "examples": [{"kind": "positive", "why": "so"}, {"kind": "negative", "why": "not so"}],
    }  # fmt: skip
    return msgspec.convert(plain | changes, Cause)


def symptoms(**roles: str) -> dict[str, Any]:
    """Symptoms by name, each with its role and a table of its own name."""
    return {name: {"role": role, "table": name} for name, role in roles.items()}


def groups(facts: Store, name: str) -> list[Group]:
    """All rows of a frame as observations of the symptom of the same name."""
    return grouped(name, name, facts.frame(name).with_row_index("row"), facts)


def group(facts: Store, name: str) -> Group:
    """The only observation of a frame."""
    (only,) = groups(facts, name)
    return only


def diagnosis(rank: int, entities: Entities, effect: Entities | None = None) -> Diagnosis:
    """A diagnosis that names ``entities``, with a consequence that names those of ``effect``."""
    follows = Consequence(cause="job-failed", title="", count=1, entities=effect or {}, evidence=(), via="")
    return Diagnosis(
        rank=rank, cause="link-lost", severity="warning", confidence=0.5, title="", explanation="", layer="link",
        unexplained_consequence=False, entities=entities, first_seen=None, last_seen=None, state="unknown",
        occurrences=1, evidence=(), chain=(), consequences=(follows,) if effect else (), alternatives=(),
        confidence_terms=(), fix=(), verify=(), not_proof_of=(), sources=(),
    )  # fmt: skip
