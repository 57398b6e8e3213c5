"""Boot time of one log by the messages it shares with another log of the same node."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
import numpy as np

Walls = Mapping[str, Sequence[float]]
"""Times per message text, in file order."""

WINDOW_S = 2.0
MIN_MESSAGES = 3
MAX_REPEATS = 20


class SharedBoot(msgspec.Struct, frozen=True):
    """A boot time by shared messages.

    Attributes:
        boot_s: UTC seconds at uptime 0.
        uncertainty_s: Half-width of its interval.
        messages: Number of pairs that agree.
    """

    boot_s: float
    uncertainty_s: float
    messages: int


def boot_from_shared(uptimes: Walls, walls: Walls) -> SharedBoot | None:
    """Find the boot time on which most shared messages agree.

    Args:
        uptimes: Messages of the log that knows only its uptime.
        walls: Messages of the other log by UTC seconds.

    Returns:
        The densest cluster within ``WINDOW_S`` of the differences; None if fewer than ``MIN_MESSAGES`` pairs agree,
        or if another cluster is as large (a log of several boots).
    """
    differences = [
        wall - uptime
        for text in sorted(uptimes.keys() & walls.keys())
        for wall in walls[text][:MAX_REPEATS]
        for uptime in uptimes[text][:MAX_REPEATS]
        if np.isfinite(wall) and np.isfinite(uptime)
    ]
    return densest_difference(differences)


def densest_difference(differences: Sequence[float]) -> SharedBoot | None:
    """The difference on which most agree within ``WINDOW_S``; None if too few do or another is as frequent."""
    if len(differences) < MIN_MESSAGES:
        return None
    ordered = np.sort(np.asarray(differences))
    counts = np.searchsorted(ordered, ordered + WINDOW_S, side="right") - np.arange(len(ordered))
    best = int(np.argmax(counts))
    size = int(counts[best])
    apart = np.abs(ordered - ordered[best]) > 2 * WINDOW_S
    if size < MIN_MESSAGES or (apart.any() and int(counts[apart].max()) >= size):
        return None
    cluster = ordered[best : best + size]
    return SharedBoot(float(np.median(cluster)), float(max(np.ptp(cluster) / 2, 0.5)), size)
