"""A rule folder small enough to know by heart, in place of the shipped one."""

from __future__ import annotations

from pathlib import Path

FILES = {
    "causes.toml": """\
[[cause]]
slug = "port-flaps"
title = "A port goes down and comes back"
layer = "link"
kind = "cause"
also = ["flapping-port"]

[[cause]]
slug = "fan-stopped"
title = "A fan stands still"
layer = "cooling"
kind = "cause"
""",
    "sources.yaml": """\
driver:
  kind: source-code
  title: Example driver
  ref: drivers/example/port.c
  revision: v1.2
  read: "2026-01-02"
  primary: true
""",
    "actions.yaml": """\
drain_node:
  text: Take the node out of scheduling.
  command: scontrol update nodename={node} state=drain reason=triage
  risk: disruptive
""",
    "link/events.yaml": """\
example.port_down:
  title: the driver reports that the port went down
  lines: ['example: port (?P<port>[0-9]{1,3}) down, code (?P<errno>[0-9]{1,3})']
  fields: {port: {type: str, entity: port}, errno: {type: int}}
  samples: ['example: port 3 down, code 79']
""",
    "link/errno.csv": """\
code,name,meaning,slug
79,EPORT,the port lost its peer,port-flaps
80,EOTHER,,
81,EFAN,,fan-stopped
""",
    "link/port-flaps.yaml": """\
schema: 1
cause: port-flaps
rev: 1
title: A port goes down and comes back
layer: link
severity: warning
say: Port {port} of {node} went down.
subject: {port: down}
symptoms:
  down: {role: root, event: example.port_down, where: "errno IN (7, 79)"}
confidence: {base: 0.7}
fix:
- {use: drain_node}
- {text: Reseat the cable.}
verify:
- {text: The port stays up., command: examplectl port show, expect: up for an hour}
not_proof_of: [a defective switch]
sources: [{id: driver, at: port_down()}]
examples:
- kind: positive
  why: the line itself
  files: {n1/dmesg.txt: "[    5.000000] example: port 3 down, code 79\\n"}
  evidence: ['n1/dmesg.txt:1']
- kind: negative
  why: another code
  near_miss: true
  files: {n1/dmesg.txt: "[    5.000000] example: port 3 down, code 80\\n"}
""",
}


def write(folder: Path) -> Path:
    """Write the rules into a new folder and return it."""
    for name, text in FILES.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return folder
