"""Years of yearless stamps where a log goes on in another file, or after another boot in the same file."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from analyzer.model.stamps import StampKind
from analyzer.sources.clocks import Clock, ClockSamples
from analyzer.sources.rotation import rotations, years_passed

Key = tuple[int, int]
"""Source and segment."""


class Years:
    """Years between the segments of each log.

    A year that the user states is that of the first line of a log's newest file.
    """

    def __init__(self, paths: Mapping[int, str], samples: Mapping[Key, Mapping[StampKind, ClockSamples]]) -> None:
        segments: dict[int, list[Key]] = defaultdict(list)
        for key, kinds in sorted(samples.items()):
            if StampKind.YEARLESS in kinds:
                segments[key[0]].append(key)
        self._shifts: dict[Key, int] = {}
        self._log: dict[Key, int] = {}
        for number, files in enumerate(rotations({source: paths[source] for source in segments})):
            keys = [key for source in files for key in segments[source]]
            shifts = years_passed([samples[key][StampKind.YEARLESS].raw_s for key in keys])
            stated = shifts[keys.index(segments[files[-1]][0])]
            for key, shift in zip(keys, shifts, strict=True):
                self._shifts[key] = shift - stated
                self._log[key] = number

    def shift(self, key: Key) -> int:
        """Years from the first line of the log's newest file to that of a segment."""
        return self._shifts.get(key, 0)

    def by_neighbours(self, clocks: Mapping[Key, Mapping[StampKind, Clock]]) -> dict[Key, int]:
        """Year of the first stamp of segments without one whose log has one elsewhere."""
        known: dict[int, int] = {}
        for key, log in self._log.items():
            year = clocks[key][StampKind.YEARLESS].year
            if year is not None:
                known[log] = year - self._shifts[key]
        return {
            key: known[log] + self._shifts[key]
            for key, log in self._log.items()
            if log in known and clocks[key][StampKind.YEARLESS].year is None
        }
