"""Rows of ``slurm_nodes``, shared by the readers of ``sinfo`` and ``scontrol show node``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

import msgspec

from analyzer.model.tables import Row
from parsers._slurm import SLURM_NODES

MAX_NODE_ROWS: Final = 200_000
"""Rows about nodes that one file may give."""

_GPU: Final = re.compile(r"(?:^|,)(?:gres/)?gpu(?::([^:,()]+))?(?::(\d{1,6}))?(?:\([^)]*\))?(?=,|$)")


def configured_gpus(gres: str | None) -> int | None:
    """GPUs of ``gpu:8``, ``gpu:h100:8(S:0-1)`` or ``gpu:1g.10gb:7,gpu:a100:1``; None where no GPU is listed."""
    found = _GPU.findall(gres) if gres else []
    if not found:
        return None
    return sum(_count(kind, number) for kind, number in found)


def node_row(host: str, values: dict[str, Any], line: int, text: str) -> Row:
    """One row about one node, found in one line."""
    return Row(SLURM_NODES.name, {"host": host, **values}, line=line, text=text, node=host)


def mark_latest(rows: Sequence[Row]) -> list[Row]:
    """Set ``latest`` on the rows of a file: False where a later listing gives the node's state."""
    last_block: dict[str, int] = {}
    for row in rows:
        if row.values.get("state") is not None:
            last_block[row.values["host"]] = row.values["block"]
    return [_with_latest(row, last_block.get(row.values["host"], -1)) for row in rows]


def _with_latest(row: Row, last_block: int) -> Row:
    return msgspec.structs.replace(row, values={**row.values, "latest": row.values["block"] >= last_block})


def _count(kind: str, number: str) -> int:
    if number:
        return int(number)
    return int(kind) if kind.isascii() and kind.isdigit() and len(kind) <= 6 else 1
