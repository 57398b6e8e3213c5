"""``collective_calls``: what each rank called at one place of the program, beside what most ranks called."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import polars as pl

from analyzer.facts.citations import citations
from analyzer.facts.derived._shape import shaped
from analyzer.model.tables import Column, TableSpec

NEEDS: Final = ("torch.collective_mismatch", "torch.watchdog_timeout")

SPEC: Final = TableSpec(
    "collective_calls",
    "one row per rank whose collective is known where ranks disagree, or wait for one another",
    (
        Column("rank", "int", "rank", "rank"),
        Column("seq", "int", "number of the collective, if printed"),
        Column("operation", "str", "kind of collective"),
        Column("shape", "str", "shape or number of elements, as printed"),
        Column("ranks", "int", "ranks compared"),
        Column("common_operation", "str", "operation of most ranks; null without a majority"),
        Column("common_shape", "str", "shape of most ranks; null without a majority"),
        Column("operations", "int", "different operations among the ranks"),
        Column("shapes", "int", "different shapes among the ranks"),
        Column("reported", "bool", "PyTorch itself compared the calls (TORCH_DISTRIBUTED_DEBUG=DETAIL)"),
        Column("evidence", "strs", "the rank's line, then one of the majority, as source:line:event"),
    ),
    snapshot=False,
)

_OPERATION: Final = re.compile(r"OpType=([A-Za-z_]\w*)")
_SHAPE: Final = re.compile(r"TensorShape=\[([\d, ]*)\]")
_SEQ: Final = re.compile(r"SequenceNumber=(\d+)")

_Calls = dict[int, dict[str, Any]]


def derive(frames: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Read fingerprints and time-outs, and compare the ranks of one sequence number.

    Args:
        frames: The events of ``NEEDS``.

    Returns:
        One row per rank and compared place of the program.
    """
    groups = [_reported(frames["torch.collective_mismatch"]), *_waited(frames["torch.watchdog_timeout"])]
    rows = [row for group in groups for row in _compared(group)]
    return shaped(pl.DataFrame(rows, infer_schema_length=None) if rows else pl.DataFrame(), SPEC)


def _reported(mismatches: pl.DataFrame) -> _Calls:
    """Each rank's own statement wins over what another rank says of it."""
    calls: _Calls = {}
    rows = mismatches.to_dicts()
    for who, what in (("first_rank", "first"), ("second_rank", "second")):
        for row in rows:
            if row[who] is not None and row[what]:
                calls.setdefault(int(row[who]), row | _fingerprint(row[what]) | {"reported": True})
    return calls


def _fingerprint(text: str) -> dict[str, Any]:
    operation, shape, seq = (form.search(text) for form in (_OPERATION, _SHAPE, _SEQ))
    return {
        "operation": operation[1] if operation else None,
        "shape": shape[1] if shape else None,
        "seq": int(seq[1]) if seq else None,
    }


def _waited(timeouts: pl.DataFrame) -> Iterator[_Calls]:
    by_seq: dict[int, _Calls] = defaultdict(dict)
    for row in timeouts.to_dicts():
        rank = row["group_rank"] if row["rank"] is None else row["rank"]
        if rank == row["group_rank"]:
            shape = None if row["numel_in"] is None else str(row["numel_in"])
            by_seq[row["seq"]].setdefault(int(rank), row | {"shape": shape, "reported": False})
    yield from by_seq.values()


def _compared(calls: _Calls) -> Iterator[dict[str, Any]]:
    operation = _majority([call["operation"] for call in calls.values()])
    shape = _majority([call["shape"] for call in calls.values()])
    facts = {
        "ranks": len(calls),
        "common_operation": operation,
        "common_shape": shape,
        "operations": len({call["operation"] for call in calls.values()} - {None}),
        "shapes": len({call["shape"] for call in calls.values()} - {None}),
    }
    for rank, call in calls.items():
        other = next((c for c in calls.values() if (c["operation"], c["shape"]) == (operation, shape)), None)
        cited = [call, other] if other is not None and other is not call else [call]
        places = citations(cited)
        yield call | facts | {"rank": rank, "event": None, "evidence": places}


def _majority(values: Sequence[str | None]) -> str | None:
    known = [value for value in values if value is not None]
    if not known:
        return None
    top, count = Counter(known).most_common(1)[0]
    return top if count * 2 > len(known) else None
