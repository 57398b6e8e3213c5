"""Logs that log rotation cut into files: which belong together, in which order, and the years between them."""

from __future__ import annotations

import datetime as dt
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from analyzer.sources.clocks import HALF_YEAR_S, Seconds

_ROTATED = re.compile(
    r"(?P<stem>.+?)(?:[.-](?P<date>20\d{2}-?[01]\d-?[0-3]\d)(?:[.-]?\d{1,10})?|\.(?P<number>\d{1,3}))(?P<pack>\.(?:gz|xz|bz2|zst))?"
)
_PACKED = re.compile(r"\.(?:gz|xz|bz2|zst)$")
_NEWEST = (2, 0.0)


class Rotated(NamedTuple):
    """What a file's name says of its rotation.

    Attributes:
        log: Folder and name of the log without what rotation appended.
        age: Sorts the files of a log from the oldest to the newest.
        rotated_s: Epoch seconds of the end of the day on which it was rotated, None if the name has no date.
    """

    log: str
    age: tuple[int, float]
    rotated_s: float | None = None


def rotated(path: str) -> Rotated:
    """Read a path: ``messages``, ``messages.1``, ``messages.2.gz``, ``messages-20260104.gz``."""
    folder, slash, name = path.rpartition("/")
    match = _ROTATED.fullmatch(name)
    if match is None:
        return Rotated(folder + slash + _PACKED.sub("", name), _NEWEST)
    log = folder + slash + match["stem"]
    if match["number"]:
        return Rotated(log, (1, -float(match["number"])))
    try:
        day = dt.datetime.strptime(match["date"].replace("-", ""), "%Y%m%d").replace(tzinfo=dt.UTC)
    except ValueError:
        return Rotated(folder + slash + name, _NEWEST)
    end_s = day.timestamp() + 86_400.0
    return Rotated(log, (0, end_s), end_s)


def rotations(paths: Mapping[int, str]) -> list[list[int]]:
    """Sources that are one log, the oldest file first; a log in one file is a list of one."""
    logs: dict[str, list[tuple[tuple[int, float], int]]] = defaultdict(list)
    for source, path in paths.items():
        found = rotated(path)
        logs[found.log].append((found.age, source))
    return [[source for _, source in sorted(files)] for files in logs.values()]


def years_passed(runs: Sequence[Sequence[float] | Seconds]) -> list[int]:
    """Years between the first stamps of runs that follow each other, as yearless stamps tell them.

    Args:
        runs: ``RawStamp.seconds`` of each run, in file order; an empty run takes part in nothing.

    Returns:
        Per run the years since the first stamp of the first run.
    """
    shifts: list[int] = []
    year, before = 0, None
    for run in runs:
        stamps = np.asarray(run, dtype=np.float64)
        stamps = stamps[~np.isnan(stamps)]
        if before is not None and len(stamps):
            year += _turns(np.asarray([before, stamps[0]]))
        shifts.append(year)
        if len(stamps):
            year += _turns(stamps)
            before = float(stamps[-1])
    return shifts


def _turns(stamps: Seconds) -> int:
    """New Years passed: jumps back by more than half a year, less jumps forward."""
    steps = np.diff(stamps)
    return int((steps < -HALF_YEAR_S).sum()) - int((steps > HALF_YEAR_S).sum())
