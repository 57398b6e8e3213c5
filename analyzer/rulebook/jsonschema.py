"""The JSON Schema of a cause file, for editors."""

from __future__ import annotations

from typing import Any

import msgspec

from analyzer.rulebook.schema import Cause


def schema() -> dict[str, Any]:
    """JSON Schema (draft 2020-12) of one ``rules/<area>/<cause>.yaml``."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **msgspec.json.schema(Cause)}
