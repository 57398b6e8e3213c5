"""Flight-recorder dumps as PyTorch writes them, with made-up groups and operations."""

from __future__ import annotations

import json
import pickle
from collections.abc import Mapping, Sequence
from typing import Any


def entry(
    record: int, seq: int, state: str = "scheduled", operation: str = "all_reduce", size: Sequence[int] = (4096,),
    group: str = "0", group_id: int = 0, description: str = "default_pg",
) -> dict[str, Any]:  # fmt: skip
    """One operation; ``send 0->1`` and ``recv 1<-0`` count among the messages of their group."""
    is_pair = operation.startswith(("send", "recv"))
    return {
        "record_id": record, "pg_id": group_id, "process_group": (group, description),
        "collective_seq_id": 0 if is_pair else seq, "p2p_seq_id": seq if is_pair else 0, "op_id": seq,
        "profiling_name": f"nccl:{operation}", "time_created_ns": (1_767_000_000 + record) * 10**9,
        "input_sizes": [list(size)], "input_dtypes": ["Float"], "output_sizes": [list(size)],
        "output_dtypes": ["Float"], "state": state, "time_discovered_started_ns": None, "retired": state == "completed",
        "timeout_ms": 600_000, "is_p2p": is_pair,
        "frames": [{"name": "backward", "filename": "train.py", "line": 88}],
    }  # fmt: skip


def dump(
    entries: Sequence[Mapping[str, Any]], groups: Mapping[str, Sequence[int]],
    status: Mapping[str, tuple[int, int]] | None = None, descriptions: Mapping[str, str] | None = None,
) -> dict[str, Any]:  # fmt: skip
    """A dump of version 2.9; ``status`` holds the last enqueued and completed collective by group number."""
    described = descriptions or {}
    return {
        "version": "2.9",
        "nccl_version": "2.27.3",
        "pg_config": {
            name: {"name": name, "desc": described.get(name, "default_pg"), "ranks": str(list(ranks))}
            for name, ranks in groups.items()
        },
        "pg_status": {
            number: {
                "last_enqueued_collective": called, "last_started_collective": -1, "last_completed_collective": done,
            }
            for number, (called, done) in (status or {}).items()
        },
        "entries": list(entries),
    }  # fmt: skip


def as_pickle(content: object, protocol: int = 2) -> bytes:
    return pickle.dumps(content, protocol)


def as_json(content: object) -> bytes:
    return json.dumps(content).encode()
