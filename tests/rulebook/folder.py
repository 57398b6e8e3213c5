"""Builds small rule folders for tests."""

from __future__ import annotations

from pathlib import Path

VOCABULARY = """\
[[cause]]
slug = "cold-coffee"
title = "Coffee is cold"
layer = "host"
kind = "cause"

[[cause]]
slug = "sad-operator"
title = "Operator is sad"
layer = "application"
kind = "consequence"

[[cause]]
slug = "steam"
title = "Steam"
layer = "host"
kind = "benign"
"""

EVENTS = """\
kitchen.cup:
  title: a cup reports its temperature
  lines: ['cup (?P<cup>[a-z]+) at (?P<celsius>[0-9]+) degrees']
  fields:
    celsius: {type: int}
  samples: ['cup blue at 21 degrees']
  near_misses: ['cup blue at rest']
kitchen.sigh:
  title: somebody sighs
  lines: ['sigh on (?P<host>[a-z0-9-]+)']
  fields:
    host: {type: host, entity: node}
  samples: ['sigh on desk-1']
"""

SOURCES = """\
house_rules:
  kind: manual
  title: House rules
  ref: notice board
  read: 2026-11
  primary: true
hearsay:
  kind: public-thread
  title: Hearsay
  ref: corridor
  read: 2026-11
"""

ACTIONS = """\
warm_up:
  text: Warm it up
  command: heat --node {node}
"""

CAUSE = """\
schema: 1
cause: cold-coffee
rev: 1
title: Coffee is cold
layer: host
severity: warning
say: the {cup} cup on {node} has {celsius} degrees
subject: {node: node}
symptoms:
  cold: {role: root, event: kitchen.cup, where: "celsius < 40"}
explains:
  - {event: kitchen.sigh, on: {host: node}, within: [0s, 5min], as: sad-operator}
confidence: {base: 0.9}
fix:
  - {use: warm_up}
verify:
  - {text: Drink it, expect: it is hot}
sources: [house_rules]
examples:
  - kind: positive
    why: it is cold
    files:
      kitchen.log: |
        door open
        cup blue at 21 degrees
    evidence: ["kitchen.log:2"]
  - kind: negative
    why: it is hot
    files: {kitchen.log: cup blue at 61 degrees}
"""

FILES = {
    "causes.toml": VOCABULARY,
    "sources.yaml": SOURCES,
    "actions.yaml": ACTIONS,
    "kitchen/events.yaml": EVENTS,
    "kitchen/cold-coffee.yaml": CAUSE,
}


def write(folder: Path, **changed: str) -> Path:
    """Write a folder of rules without problems, with files replaced or added; keys use ``__`` for ``/`` and ``.``."""
    return write_files(folder, FILES | {_path(key): text for key, text in changed.items()})


def write_files(folder: Path, files: dict[str, str]) -> Path:
    """Write files into a folder."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def _path(key: str) -> str:
    known = {name.replace("/", "__").replace(".", "__").replace("-", "_"): name for name in FILES}
    return known[key]
