"""Who waits for whom in the flight-recorder dumps of one job, and for whom everybody waits in the end."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal

import msgspec

Kind = Literal["missing", "no-dump", "stalled", "operation", "size", "order"]
Operation = tuple[str, int]
"""Group and number of a collective."""

SAME_SIZES: Final = frozenset({
    "all_reduce", "allreduce", "all_gather", "_all_gather_base", "_allgather_base", "all_gather_into_tensor_coalesced",
    "reduce_scatter", "_reduce_scatter_base", "reduce_scatter_tensor_coalesced", "broadcast", "reduce",
    "all_reduce_barrier", "barrier", "allreduce_coalesced",
})  # fmt: skip
"""Operations whose input has one size on all ranks."""


class Recorder(msgspec.Struct, frozen=True):
    """The dump of one rank.

    Attributes:
        rank: Global rank.
        head: Its oldest operation that is not completed, as a row of ``flight_entries``; None when it waits for none.
        completed: Last finished collective of each group, where known.
        last: Its newest operation as a row of ``flight_entries``, else its row of ``flight_dumps``.
    """

    rank: int
    head: Mapping[str, Any] | None
    completed: Mapping[str, int]
    last: Mapping[str, Any]

    def at(self) -> Operation | None:
        """The collective that the rank waits for; None for a send, a receive, or nothing."""
        head = self.head
        if head is None or head["to_rank"] is not None or head["seq"] is None:
            return None
        return str(head["group"]), int(head["seq"])


class Culprit(msgspec.Struct, frozen=True):
    """A rank that others wait for and that itself waits for nobody, or that calls something else.

    Attributes:
        rank: Global rank.
        kind: ``missing`` (called nothing that the others wait for), ``no-dump`` (and left no dump), ``stalled`` (its
            GPU does not finish what others finished), ``operation`` or ``size`` (calls it differently), ``order``
            (waits in one group while others wait in another).
        head: The operation it is about, as a row of ``flight_entries``.
        direct: Ranks whose oldest operation waits for this one.
        waiting: Number of ranks that wait for it, also through others.
        common: Operation and size of most ranks, or those that the others wait in; None without a majority.
    """

    rank: int
    kind: Kind
    head: Mapping[str, Any]
    direct: tuple[int, ...]
    waiting: int
    common: tuple[str | None, str | None]


def _waiting(rank: int, kind: Kind, head: Mapping[str, Any], direct: tuple[int, ...], waiting: int) -> Culprit:
    return Culprit(rank, kind, head, direct, waiting, (head["operation"], head["shape"]))


def culprits(recorders: Mapping[int, Recorder], members: Mapping[str, Sequence[int]]) -> list[Culprit]:
    """Follow the waiting to its end.

    Args:
        recorders: Dumps by rank.
        members: Global ranks of every group.

    Returns:
        One entry per culprit, by rank; empty where all ranks of a collective arrived alike (then none of them is to
        blame), or where nobody waits.
    """
    waits = {rank: _waited_for(recorder, recorders, members) for rank, recorder in recorders.items() if recorder.head}
    known = {rank: frozenset(q for q in late if q in recorders) for rank, late in waits.items()}
    waiters = _reversed(known)
    found = [*_differing(recorders), *_ends(recorders, members, known, waiters)]
    if not found:
        found = _silent(recorders, waits, known) or _circles(recorders, known)
    return sorted(found, key=lambda culprit: culprit.rank)


def _waited_for(
    recorder: Recorder, recorders: Mapping[int, Recorder], members: Mapping[str, Sequence[int]]
) -> frozenset[int]:
    """Ranks that have not come to this one's oldest operation, nor past it."""
    head = recorder.head
    assert head is not None
    group = members.get(str(head["group"]), ())
    if head["to_rank"] is not None:
        return frozenset(_partner(recorder, recorders, group))
    place = recorder.at()
    if place is None:
        return frozenset()
    return frozenset(q for q in group if q != recorder.rank and not _arrived(recorders.get(q), place))


def _arrived(other: Recorder | None, place: Operation) -> bool:
    group, seq = place
    return other is not None and (other.at() == place or other.completed.get(group, -1) >= seq)


def _partner(recorder: Recorder, recorders: Mapping[int, Recorder], group: Sequence[int]) -> Iterable[int]:
    """The other side of a send or receive, unless its oldest operation is the other side of this one."""
    head = recorder.head
    assert head is not None
    if head["to_rank"] >= len(group):
        return
    partner = group[head["to_rank"]]
    other = recorders.get(partner)
    answer = other.head if other else None
    same = answer is not None and (answer["group"], answer["from_rank"], answer["to_rank"]) == (
        head["group"], head["to_rank"], head["from_rank"],
    )  # fmt: skip
    if not same and partner != recorder.rank:
        yield partner


def _reversed(edges: Mapping[int, frozenset[int]]) -> dict[int, set[int]]:
    back: dict[int, set[int]] = defaultdict(set)
    for rank, others in edges.items():
        for other in others:
            back[other].add(rank)
    return back


def _reaching(rank: int, waiters: Mapping[int, set[int]]) -> int:
    seen = {rank}
    queue = [rank]
    while queue:
        for waiter in waiters.get(queue.pop(), ()):
            if waiter not in seen:
                seen.add(waiter)
                queue.append(waiter)
    return len(seen) - 1


def _ends(
    recorders: Mapping[int, Recorder], members: Mapping[str, Sequence[int]],
    known: Mapping[int, frozenset[int]], waiters: Mapping[int, set[int]],
) -> Iterable[Culprit]:  # fmt: skip
    """Ranks that are waited for and wait for none that left a dump."""
    for rank, direct in waiters.items():
        recorder = recorders[rank]
        ordered = _in_order(direct, recorders)
        first = recorders[ordered[0]].head
        if recorder.head is None:
            assert first is not None
            yield _waiting(rank, "missing", first, ordered, _reaching(rank, waiters))
        elif not known[rank] and _passed_by(recorder, recorders, members):
            yield _waiting(rank, "stalled", recorder.head, ordered, _reaching(rank, waiters))


def _in_order(direct: Iterable[int], recorders: Mapping[int, Recorder]) -> tuple[int, ...]:
    """Ranks that wait in a collective before those that wait for a message, each by number."""
    return tuple(sorted(direct, key=lambda rank: (recorders[rank].at() is None, rank)))


def _passed_by(recorder: Recorder, recorders: Mapping[int, Recorder], members: Mapping[str, Sequence[int]]) -> bool:
    """True when another rank has finished the collective that this one has not."""
    place = recorder.at()
    if place is None:
        return False
    group, seq = place
    others = (recorders[q] for q in members.get(group, ()) if q != recorder.rank and q in recorders)
    return any(other.completed.get(group, -1) >= seq for other in others)


def _differing(recorders: Mapping[int, Recorder]) -> Iterable[Culprit]:
    """Ranks that are at one collective of a group with another operation or size than most."""
    by_place: dict[Operation, list[Recorder]] = defaultdict(list)
    for recorder in recorders.values():
        if (place := recorder.at()) is not None:
            by_place[place].append(recorder)
    for there in by_place.values():
        heads = {recorder.rank: recorder.head for recorder in there if recorder.head is not None}
        operations = {rank: str(head["operation"]) for rank, head in heads.items()}
        if len(set(operations.values())) > 1:
            yield from _odd(heads, operations, "operation")
            continue
        sizes = {rank: head["shape"] for rank, head in heads.items()}
        if next(iter(operations.values()), "") in SAME_SIZES and None not in sizes.values():
            yield from _odd(heads, sizes, "size")


def _odd(heads: Mapping[int, Mapping[str, Any]], values: Mapping[int, str], kind: Kind) -> Iterable[Culprit]:
    if len(set(values.values())) < 2:
        return
    top, count = Counter(values.values()).most_common(1)[0]
    common = top if count * 2 > len(values) else None
    usual = next(head for rank, head in heads.items() if values[rank] == top)
    told = (usual["operation"], usual["shape"]) if common is not None else (None, None)
    for rank, value in values.items():
        if common is None or value != common:
            others = tuple(sorted(other for other in values if values[other] != value))
            yield Culprit(rank, kind, heads[rank], others, len(others), told)


def _silent(
    recorders: Mapping[int, Recorder], waits: Mapping[int, frozenset[int]], known: Mapping[int, frozenset[int]]
) -> list[Culprit]:
    """Ranks without a dump for which ranks wait that wait for nobody else."""
    direct: dict[int, set[int]] = defaultdict(set)
    for rank, late in waits.items():
        if not known[rank]:
            for other in late:
                direct[other].add(rank)
    waiters = _reversed(known) | direct
    return [
        _waiting(rank, "no-dump", head, _in_order(by, recorders), _reaching(rank, waiters))
        for rank, by in direct.items()
        if (head := recorders[_in_order(by, recorders)[0]].head) is not None
    ]


def _circles(recorders: Mapping[int, Recorder], known: Mapping[int, frozenset[int]]) -> list[Culprit]:
    """Ranks that wait for one another, each in another collective."""
    core = {rank: others for rank, others in known.items() if recorders[rank].at() is not None}
    while True:
        waited = {other for others in core.values() for other in others}
        smaller = {rank: inside for rank, others in core.items() if rank in waited and (inside := others & core.keys())}
        if len(smaller) == len(core):
            break
        core = smaller
    heads = {rank: head for rank in core if (head := recorders[rank].head) is not None}
    places = {rank: recorders[rank].at() for rank in core}
    if len(set(places.values())) < 2:
        return []
    top, count = Counter(places.values()).most_common(1)[0]
    majority = count * 2 > len(core)
    usual = next(head for rank, head in heads.items() if places[rank] == top)
    common = (usual["operation"], usual["shape"]) if majority else (None, None)
    waiters = _reversed(known)
    return [
        Culprit(rank, "order", head, tuple(sorted(waiters[rank] & core.keys())), _reaching(rank, waiters), common)
        for rank, head in heads.items()
        if not majority or places[rank] != top
    ]
