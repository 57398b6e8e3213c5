"""Samples of a .sor file (DataPts): levels, digest and the step at a place; and its checksum."""

from __future__ import annotations

import binascii
import hashlib

import msgspec
import numpy as np
from numpy.typing import NDArray

from analyzer.model.formats import Problem
from parsers._sor_blocks import PULSE_M_PER_NS, Fixed
from parsers._sor_bytes import BlockEndError, Cursor
from parsers._sor_map import Layout

MAX_SCALES = 64
_STARTS = (0xFFFF, 0)


class Trace(msgspec.Struct, frozen=True):
    """Samples of one measurement.

    Attributes:
        level_db: Backscatter level, float32 of shape (samples,); the zero is arbitrary.
        declared: Samples that the block claims.
        digest: Digest of the samples, empty without any.
    """

    level_db: NDArray[np.float32]
    declared: int
    digest: str


def read_trace(data: bytes, layout: Layout, problems: list[Problem]) -> Trace:
    """Read DataPts as far as it holds, all scale factors joined."""
    parts: list[NDArray[np.float32]] = []
    block = layout.blocks.get("DataPts")
    cursor = Cursor(data, block.body, block.end) if block else Cursor(data, 0, 0)
    declared = 0
    try:
        declared, scales = cursor.unsigned(4), cursor.signed(2)
        parts.extend(_samples(cursor) for _ in range(min(max(scales, 1), MAX_SCALES)))
    except BlockEndError as short:
        problems.append(Problem(f"DataPts: {short}" if block else "no DataPts block"))
    level = _downhill(np.concatenate(parts) if parts else np.zeros(0, np.float32))
    if level.size != declared:
        problems.append(Problem(f"DataPts claims {declared} samples, {level.size} are there"))
    digest = hashlib.blake2b(level.tobytes(), digest_size=8).hexdigest() if level.size else ""
    return Trace(level, declared, digest)


def _samples(cursor: Cursor) -> NDArray[np.float32]:
    claimed, scale = cursor.unsigned(4), cursor.unsigned(2)
    count = min(claimed, cursor.left() // 2)
    values = np.frombuffer(cursor.raw(2 * count), "<u2")
    return values.astype(np.float32) * np.float32(-scale / 1e6)


def _downhill(level: NDArray[np.float32]) -> NDArray[np.float32]:
    """The samples with the launch on top: some instruments store the level the other way round."""
    part = level.size // 10
    return -level if part and float(level[:part].mean()) < float(level[-part:].mean()) else level


def step_db(trace: Trace, fixed: Fixed, at_m: float, before_m: float, after_m: float) -> float | None:
    """Loss at a place by straight lines through the samples on both sides of it.

    Args:
        trace: The samples.
        fixed: Spacing and pulse width.
        at_m: Distance of the place from the first sample.
        before_m: Distance to the previous event (or the start).
        after_m: Distance to the next event (or the end of the samples).

    Returns:
        Decibels, positive for a loss; None where the neighbours leave too few samples on a side.
    """
    spacing = fixed.spacing_m()
    if not spacing or trace.level_db.size < 16:
        return None
    pulse_m = max(fixed.pulses_ns, default=0) * PULSE_M_PER_NS
    dead_m = 4 * max(pulse_m, spacing)
    reach_m = max(200 * spacing, 4 * dead_m)
    left = _line(trace, (at_m - min(before_m - dead_m, reach_m), at_m - pulse_m), at_m, spacing)
    right = _line(trace, (at_m + dead_m, at_m + min(after_m - pulse_m, reach_m)), at_m, spacing)
    return None if left is None or right is None else round(left - right, 3)


def _line(trace: Trace, reach: tuple[float, float], at_m: float, spacing: float) -> float | None:
    """Level at ``at_m`` by a least-squares line through the samples within ``reach``; all from the first sample."""
    low = max(0, int(reach[0] / spacing))
    high = min(trace.level_db.size, int(reach[1] / spacing))
    if high - low < 12:
        return None
    distance = np.arange(low, high, dtype=np.float64) * spacing - at_m
    level = trace.level_db[low:high].astype(np.float64)
    middle, off = distance.mean(), distance - distance.mean()
    slope = float(off @ level) / float(off @ off)
    return float(level.mean()) - slope * float(middle)


def checksum(data: bytes, layout: Layout) -> str:
    """``matches``, ``absent`` or ``unknown``: most instruments compute it in ways of their own."""
    block = layout.blocks.get("Cksum")
    if block is None or block.body + 2 > len(data):
        return "absent"
    stored = int.from_bytes(data[block.body : block.body + 2], "little")
    if stored == 0:
        return "absent"
    covered = (data[: block.body], data[: block.start], data[: block.body] + b"\0\0" + data[block.body + 2 :])
    known = (binascii.crc_hqx(part, start) for part in covered for start in _STARTS)
    return "matches" if stored in known else "unknown"
