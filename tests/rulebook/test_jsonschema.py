from __future__ import annotations

import json

from analyzer.rulebook.jsonschema import schema


def test_the_schema_describes_a_closed_cause_record() -> None:
    described = json.loads(json.dumps(schema()))
    cause = described["$defs"]["Cause"]

    assert described["$ref"] == "#/$defs/Cause"
    assert cause["additionalProperties"] is False
    assert {"cause", "symptoms", "fix", "verify", "sources", "examples"} <= set(cause["required"])


def test_keys_are_named_as_files_spell_them() -> None:
    assert "as" in schema()["$defs"]["Explains"]["properties"]
