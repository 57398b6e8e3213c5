"""One line seen in several logs of a node (dmesg, messages, journal) is one event: the other sightings are copies."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, product
from typing import NamedTuple

import polars as pl

from analyzer.facts.store import Schema
from analyzer.model.sources import Source
from analyzer.model.tables import PLACE
from analyzer.sources.parameters import parameters
from analyzer.sources.shared_messages import densest_difference

_PLACE_FREE = frozenset(column.name for column in PLACE) | {"copy"}
_MIRRORED = frozenset({"kernel", "syslog", "slurm"})
"""Families whose lines several logs of a node hold: the kernel's ring, syslog's files, the journal, a daemon's own."""

_LATE_FORMATS = ("dmesg",)
"""Formats whose wall times are computed when the log is taken, not when a line is written: they follow other logs."""

_MOST_REPEATS = 20
_MOST_GROUPS = 2_000


class _Line(NamedTuple):
    source: int
    row: int
    time_s: float | None
    uptime_s: float | None
    slack_s: float


_Group = dict[int, list[_Line]]
"""Lines with the same node and fields, by source, in file order."""

_Groups = Mapping[tuple[object, ...], _Group]


def marked(
    frames: Mapping[str, pl.DataFrame], schemas: Mapping[str, Schema], sources: Sequence[Source]
) -> dict[str, pl.DataFrame]:
    """Set ``copy`` on rows that repeat a row of another log of the node, and put the logs of a node on one clock.

    The logs of a node are aligned by the lines they share; then each line is matched with at most one line of every
    other log. A log that lacks some of the lines (rate limits, a wrapped ring, rotation) leaves the others unmatched.

    Args:
        frames: All events and tables.
        schemas: What their columns mean.
        sources: The inputs.
    """
    logs = {source.index for source in sources if source.families & _MIRRORED}
    groups = {name: found for name, frame in frames.items() if (found := _groups(frame, schemas[name], logs))}
    late_s = _late_by(groups.values(), sources)
    done = dict(frames)
    for name, found in groups.items():
        copies = {row for group in found.values() for row in _copies(group, late_s)}
        flags = pl.Series("copy", [row in copies for row in range(frames[name].height)], dtype=pl.Boolean)
        done[name] = frames[name].with_columns(flags)
    shifted = {source: shift for source, shift in late_s.items() if abs(shift) > parameters().copy_apart_s}
    return {name: _moved(frame, shifted) for name, frame in done.items()} if shifted else done


def _groups(frame: pl.DataFrame, schema: Schema, logs: set[int]) -> _Groups:
    """Rows that several logs of a node have in common; rows without a node are nobody's copies."""
    places = set(zip(frame["source"].to_list(), frame["node"].to_list(), strict=True))
    by_node = Counter(node for source, node in places if node is not None and source in logs)
    twins = {node for node, count in by_node.items() if count > 1}
    if not twins:
        return {}
    fields = [name for name in schema if name not in _PLACE_FREE]
    groups: dict[tuple[object, ...], _Group] = defaultdict(lambda: defaultdict(list))
    rows = frame.select("source", "node", pl.col("time").dt.epoch("us"), "clock", "clock_s", "uncertainty_s", *fields)
    for row, (source, node, time_us, clock, clock_s, slack_s, *key) in enumerate(rows.iter_rows()):
        if source in logs and node in twins and clock is not None:
            name = (node, *(tuple(v) if isinstance(v, list) else v for v in key))
            time_s = None if time_us is None else time_us / 1e6
            groups[name][source].append(
                _Line(source, row, time_s, clock_s if time_us is None else None, slack_s or 0.0)
            )
    return {name: group for name, group in groups.items() if len(group) > 1}


def _late_by(found: Iterable[_Groups], sources: Sequence[Source]) -> dict[int, float]:
    """Seconds to add to the times of each log that follows another log of its node."""
    differences: dict[int, list[float]] = defaultdict(list)
    for groups in found:
        for group in islice(groups.values(), _MOST_GROUPS):
            for late, apart_s in _apart(group, sources):
                differences[late].append(apart_s)
    agreed = {late: densest_difference(seen) for late, seen in differences.items()}
    return {late: found.boot_s for late, found in agreed.items() if found is not None}


def _apart(group: _Group, sources: Sequence[Source]) -> Iterator[tuple[int, float]]:
    prompt = [s for s in group if sources[s].format not in _LATE_FORMATS]
    if not prompt:
        return
    for late in (s for s in group if sources[s].format in _LATE_FORMATS):
        for one, two in product(group[prompt[0]][:_MOST_REPEATS], group[late][:_MOST_REPEATS]):
            if one.time_s is not None and two.time_s is not None:
                yield late, one.time_s - two.time_s


def _copies(group: _Group, late_s: Mapping[int, float]) -> Iterator[int]:
    """Rows that repeat a row of a log with more of these lines; each line has at most one copy per log."""
    order = sorted(group, key=lambda source: (-len(group[source]), source))
    kept = [_on_axis(line, late_s) for line in group[order[0]]]
    for source in order[1:]:
        lines = [_on_axis(line, late_s) for line in group[source]]
        copies = {*_same_time(lines, kept), *_same_uptime(lines, kept)}
        copies |= _whenever(lines, kept, copies)
        yield from (line.row for line in lines if line.row in copies)
        kept.extend(line for line in lines if line.row not in copies)


def _on_axis(line: _Line, late_s: Mapping[int, float]) -> _Line:
    return line if line.time_s is None else line._replace(time_s=line.time_s + late_s.get(line.source, 0.0))


def _same_time(lines: Sequence[_Line], kept: Sequence[_Line]) -> set[int]:
    """Rows near in time to a kept line, each of which takes one."""
    apart_s = parameters().copy_apart_s
    free = sorted((k.time_s, k.slack_s) for k in kept if k.time_s is not None)
    copies, place = set(), 0
    for time_s, slack_s, row in sorted((k.time_s, k.slack_s, k.row) for k in lines if k.time_s is not None):
        while place < len(free) and free[place][0] < time_s - apart_s - slack_s - free[place][1]:
            place += 1
        if place < len(free) and free[place][0] <= time_s + apart_s + slack_s + free[place][1]:
            copies.add(row)
            place += 1
    return copies


def _same_uptime(lines: Sequence[_Line], kept: Sequence[_Line]) -> set[int]:
    """Rows with the very uptime of a kept line, where no boot time is known."""
    uptimes = {round(k.uptime_s, 3) for k in kept if k.uptime_s is not None}
    return {k.row for k in lines if k.uptime_s is not None and round(k.uptime_s, 3) in uptimes}


def _whenever(lines: Sequence[_Line], kept: Sequence[_Line], copies: set[int]) -> set[int]:
    """Rows whose time is unknown beside kept lines whose time is known, or the other way round: one for one."""
    untimed = [k.row for k in lines if k.time_s is None and k.row not in copies]
    timed = [k.row for k in lines if k.time_s is not None and k.row not in copies]
    known = sum(k.time_s is not None for k in kept)
    return {*untimed[:known], *timed[: len(kept) - known]}


def _moved(frame: pl.DataFrame, shifts: Mapping[int, float]) -> pl.DataFrame:
    shift_s = pl.col("source").replace_strict(dict(shifts), default=0.0, return_dtype=pl.Float64)
    moved = pl.col("time") + pl.duration(microseconds=(shift_s * 1e6).round().cast(pl.Int64))
    return frame.with_columns(moved.cast(frame.schema["time"]))
