"""Sentences of which some names are not known."""

from __future__ import annotations

import pytest

from analyzer.diagnose.sentence import PLACEHOLDER, spoken


@pytest.mark.parametrize(
    ("text", "known", "sentence"),
    [
        ("GPU {gpu} of {node} hangs", {"gpu": "0000:3b:00.0", "node": "n1"}, "GPU 0000:3b:00.0 of n1 hangs"),
        ("GPU {gpu} of {node} hangs", {}, "A GPU hangs"),
        ("GPU {gpu} of {node} hangs (Xid {xid}); look", {"node": "n1"}, "A GPU of n1 hangs; look"),
        ("{node} lost {switch.link}", {}, "A node lost a link"),
        ("Link of {interface} is down", {}, "Link of an interface is down"),
        ("Set on {node} ({old} {new}, {why})", {"node": "n1", "new": "7"}, "Set on n1 (7)"),
        ("Set on {node} (always, {why})", {"node": "n1"}, "Set on n1 (always)"),
        ("Set {value}", {"value": "<gpu>"}, "Set <gpu>"),
    ],
)
def test_what_is_not_known_reads_well(text: str, known: dict[str, str], sentence: str) -> None:
    assert spoken(text, {name: known.get(name, "") for name in PLACEHOLDER.findall(text)}) == sentence
