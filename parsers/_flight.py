"""What a PyTorch flight-recorder dump holds, whatever its version: entries, process groups, and whose dump it is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

MAX_TEXT: Final = 200
MAX_TENSORS: Final = 8
MAX_DIMENSIONS: Final = 16
MAX_RANKS: Final = 100_000

_RANKS: Final = re.compile(r"\d{1,7}")
_PEERS: Final = re.compile(r"\b(?:send|recv) (\d{1,7})\s?(?:->|<-)\s?(\d{1,7})")
_FILE_RANK: Final = re.compile(r"(\d{1,7})(?:\.[A-Za-z]\w{0,9}){0,3}$")
_STATES: Final = frozenset({"scheduled", "started", "completed"})


class Group(msgspec.Struct, frozen=True):
    """A process group as the dump describes it.

    Attributes:
        name: Its name, which entries refer to.
        description: What the program calls it (``default_pg``).
        ranks: Global ranks in the order of their rank inside the group.
    """

    name: str
    description: str | None
    ranks: tuple[int, ...]


class Status(msgspec.Struct, frozen=True):
    """How far the rank came in one of its groups: numbers of the last collectives; null where the dump says nothing."""

    enqueued: int | None
    started: int | None
    completed: int | None


class Entry(msgspec.Struct, frozen=True):
    """One operation that the recorder kept.

    Attributes:
        record: Number of the record.
        group_id: The rank's own number of the group, which ``Status`` is filed under.
        group: Name of the group.
        description: What the program calls the group.
        seq: Number among the collectives of the group, or among its point-to-point operations.
        operation: Kind, without the backend's name: ``all_reduce``, ``send``.
        peers: Sender or receiver and its partner, as ranks inside the group.
        shape: Sizes and types of the input, as text.
        state: ``scheduled``, ``started`` or ``completed``.
        created_s: Epoch seconds (UTC) at which it was called.
        timeout_s: Time-out in force.
        frame: Innermost Python frame, as ``file:line function``.
    """

    record: int
    group_id: str
    group: str
    description: str | None
    seq: int | None
    operation: str
    peers: tuple[int, int] | None
    shape: str | None
    state: str
    created_s: float | None
    timeout_s: float | None
    frame: str | None


def groups(dump: Mapping[str, Any]) -> list[Group]:
    """The groups of ``pg_config``: ``{name: {name, desc, ranks}}``, in version 1 ``{name: [ranks]}``."""
    return [_group(name, value) for name, value in _mapping(dump.get("pg_config")).items()]


def statuses(dump: Mapping[str, Any]) -> dict[str, Status]:
    """The counters of ``pg_status`` by the rank's own number of the group."""
    kinds = ("last_enqueued_collective", "last_started_collective", "last_completed_collective")
    found = _mapping(dump.get("pg_status"))
    return {key: Status(*(_integer(_mapping(value).get(kind)) for kind in kinds)) for key, value in found.items()}


def entries(raw: Sequence[Any]) -> Iterator[Entry]:
    """The entries that can be read, in the order of the dump."""
    for item in raw:
        if isinstance(item, Mapping) and _integer(item.get("record_id")) is not None:
            yield _entry(item)


def rank_of(found: Sequence[Group], kept: Sequence[Entry], path: str) -> int | None:
    """Global rank that wrote the dump, which the dump itself does not state.

    Its groups contain it; its point-to-point entries say its place in a group; the file's name ends in it. A name is
    believed unless the groups exclude it.
    """
    inside = _common_rank(found)
    by_name = {group.name: group for group in found}
    for entry in kept:
        group = by_name.get(entry.group)
        if entry.peers and group and entry.peers[0] < len(group.ranks):
            return group.ranks[entry.peers[0]]
    named = _FILE_RANK.search(path)
    number = int(named[1]) if named else None
    if number is not None and (not inside or number in inside):
        return number
    return next(iter(inside)) if len(inside) == 1 else None


def _common_rank(found: Sequence[Group]) -> frozenset[int]:
    """Ranks that are in all groups; empty where the dump lists groups of others too."""
    known = [frozenset(group.ranks) for group in found if group.ranks]
    return frozenset.intersection(*known) if known else frozenset()


def _group(name: str, value: Any) -> Group:
    if isinstance(value, Mapping):
        described = value.get("desc")
        return Group(_text(value.get("name")) or name, _text(described) or None, _rank_list(value.get("ranks")))
    return Group(name, None, _rank_list(value))


def _rank_list(value: Any) -> tuple[int, ...]:
    if isinstance(value, str):
        return tuple(int(found[0]) for found in _RANKS.finditer(value[: MAX_RANKS * 8]))
    if isinstance(value, list | tuple):
        return tuple(rank for rank in value[:MAX_RANKS] if type(rank) is int)
    return ()


def _entry(item: Mapping[str, Any]) -> Entry:
    name, description = _process_group(item)
    title = _text(item.get("profiling_name")) or ""
    operation = title.split(":", 1)[-1]
    peers = _PEERS.search(operation)
    created = _integer(item.get("time_created_ns"))
    timeout = _integer(item.get("timeout_ms"))
    state = _text(item.get("state"))
    return Entry(
        record=_integer(item.get("record_id")) or 0,
        group_id=str(_integer(item.get("pg_id")) or 0),
        group=name,
        description=description,
        seq=_sequence(item, is_pair=peers is not None),
        operation=operation.split(" ", 1)[0],
        peers=(int(peers[1]), int(peers[2])) if peers else None,
        shape=_shape(item),
        state=state if state in _STATES else "scheduled",
        created_s=created / 1e9 if created else None,
        timeout_s=timeout / 1000 if timeout else None,
        frame=_frame(item.get("frames")),
    )


def _process_group(item: Mapping[str, Any]) -> tuple[str, str | None]:
    value = item.get("process_group")
    if isinstance(value, list | tuple) and value:
        return _text(value[0]) or "0", (_text(value[1]) or None) if len(value) > 1 else None
    return str(_integer(item.get("pg_id")) or 0), None


def _sequence(item: Mapping[str, Any], *, is_pair: bool) -> int | None:
    name = "p2p_seq_id" if is_pair else "collective_seq_id"
    number = _integer(item.get(name))
    return _integer(item.get("seq_id")) if number is None else number


def _shape(item: Mapping[str, Any]) -> str | None:
    sizes, types = item.get("input_sizes"), item.get("input_dtypes")
    if not isinstance(sizes, list | tuple):
        return None
    kinds = types if isinstance(types, list | tuple) else ()
    told = []
    for place, size in enumerate(sizes[:MAX_TENSORS]):
        kind = _text(kinds[place]) if place < len(kinds) else None
        told.append(f"{_dimensions(size)} {kind or ''}".rstrip())
    return ", ".join(told)[:MAX_TEXT]


def _dimensions(size: Any) -> str:
    if not isinstance(size, list | tuple):
        return "[]"
    return "[" + ", ".join(str(number) for number in size[:MAX_DIMENSIONS] if type(number) is int) + "]"


def _frame(frames: Any) -> str | None:
    """The first frame that names a file; the recorder prints the innermost one first."""
    for frame in frames[:64] if isinstance(frames, list | tuple) else ():
        if isinstance(frame, Mapping) and (file := _text(frame.get("filename"))):
            return f"{file}:{_integer(frame.get('line')) or 0} {_text(frame.get('name')) or ''}".rstrip()
    return None


def _integer(value: Any) -> int | None:
    """A number that fits a column; the JSON form writes some as text."""
    if isinstance(value, str) and re.fullmatch(r"-?\d{1,18}", value):
        value = int(value)
    return value if type(value) is int and -(2**62) < value < 2**62 else None


def _text(value: Any) -> str | None:
    return value[:MAX_TEXT] if isinstance(value, str) else None


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
