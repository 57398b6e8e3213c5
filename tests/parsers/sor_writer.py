"""Writes small .sor files for tests: made-up links, valid blocks, samples that agree with the event table."""

from __future__ import annotations

import binascii
import struct
from collections.abc import Callable, Sequence

import numpy as np

LIGHT_M_S = 299_792_458.0
INDEX = {850: 1.482, 1300: 1.477, 1310: 1.4676, 1550: 1.4682, 1625: 1.4685}
SLOPE_DB_KM = {850: 2.3, 1300: 0.6, 1310: 0.33, 1550: 0.19, 1625: 0.21}
CODES = {"c": "1F9999", "s": "0F9999", "x": "2F9999", "e": "1E9999", "b": "0E9999", "o": "0O9999", "a": "0A9999"}
"""Connector, splice or bend, saturated, reflective end, end without reflection, out of range, added by hand."""
ORDER = ("GenParams", "SupParams", "FxdParams", "KeyEvents", "DataPts", "Cksum")

Event = Sequence[float | int | str]
"""Position in metres, loss in dB, reflectance in dB (0: not measured), letter of ``CODES``."""


def sor(
    events: Sequence[Event],
    *,
    wavelength: int = 1550,
    fibre: str = "LK-0101-F01",
    cable: str = "TRK-0101",
    a: str = "R01-PP1-01",
    b: str = "R02-PP1-01",
    comment: str = "",
    pulses_ns: Sequence[int] = (5,),
    launch_m: float = 0.0,
    index: float = 0.0,
    spacing_m: float = 0.5,
    samples: int = 600,
    version: int = 2,
    order: Sequence[str] = ORDER,
    vendor: bytes = b"",
    encoding: str = "utf-8",
    language: bytes = b"EN",
    slope_db_km: float = 0.0,
    taken_s: int = 1_735_689_600,
    loss_threshold_db: float = 0.02,
    empty_blocks: Sequence[str] = (),
    cut_at_event: int = 0,
    span_from_m: float = 0.0,
) -> bytes:
    """One trace file; ``order`` names the blocks to write and may leave some out; ``cut_at_event`` ends it early."""
    n = index or INDEX[wavelength]
    slope = slope_db_km or SLOPE_DB_KM[wavelength]

    def time(metres: float) -> int:
        return round(metres * n / LIGHT_M_S * 1e10)

    def text(value: str) -> bytes:
        return value.encode(encoding) + b"\0"

    new = version == 2
    bodies = {
        "GenParams": language + text(cable) + text(fibre) + (struct.pack("<h", 652) if new else b"")
        + struct.pack("<h", wavelength) + text(a) + text(b) + text("") + b"BC" + struct.pack("<i", time(launch_m))
        + (struct.pack("<i", 0) if new else b"") + text("tester") + text(comment),
        "SupParams": b"".join(text(value) for value in ("Maker", "T-1", "1", "M-1", "2", "1.0", "")),
        "FxdParams": _fixed(
            n, wavelength, pulses_ns, time(spacing_m * 10_000), samples, new, taken_s, loss_threshold_db
        ),
        "KeyEvents": _events(events, time, slope, span_from_m, new),
        "DataPts": _samples(events, slope, spacing_m, samples),
        "VendorBlock": vendor,
        "Cksum": b"\0\0",
    }  # fmt: skip
    names = [*order[:-1], "VendorBlock", *order[-1:]] if vendor else list(order)
    blocks = [(name, (text(name) if new else b"") + bodies[name]) for name in names]
    whole = _assemble(blocks, list(empty_blocks), version)
    return whole[: _offset_of(whole, cut_at_event, events)] if cut_at_event else whole


def _offset_of(whole: bytes, number: int, events: Sequence[Event]) -> int:
    """Offset of the code of the n-th event."""
    at = whole.index(b"KeyEvents", whole.index(b"FxdParams", 100))
    for _, _, _, letter in events[:number]:
        at = whole.index(CODES[str(letter)].encode(), at + 1)
    return at


def _assemble(blocks: list[tuple[str, bytes]], empty: list[str], version: int) -> bytes:
    listed = [(name, len(body)) for name, body in blocks] + [(name, 0) for name in empty]
    entries = b"".join(name.encode() + b"\0" + struct.pack("<Hi", version * 100, size) for name, size in listed)
    tag = b"Map\0" if version == 2 else b""
    size = len(tag) + 8 + len(entries)
    head = tag + struct.pack("<Hih", version * 100, size, len(listed) + 1) + entries
    data = head + b"".join(body for _, body in blocks)
    if blocks[-1][0] != "Cksum":
        return data
    return data[:-2] + struct.pack("<H", binascii.crc_hqx(data[:-2], 0xFFFF))


def _fixed(
    n: float, wavelength: int, pulses: Sequence[int], spacing: int, samples: int, new: bool, taken_s: int, limit: float
) -> bytes:
    count = len(pulses)
    return (
        struct.pack("<I2sHi", taken_s, b"mt", wavelength * 10, 0) + (struct.pack("<i", 0) if new else b"")
        + struct.pack(f"<H{count}H{count}I{count}I", count, *pulses, *[spacing] * count, *[samples] * count)
        + struct.pack("<IHI", round(n * 100_000), 800, 1000) + (struct.pack("<H", 150) if new else b"")
        + struct.pack("<I", 65_000) + (struct.pack("<i", 0) if new else b"")
        + struct.pack("<iHhHHHH", 0, 24_000, 1000, 0, round(limit * 1000), 65_000, 5000)
        + (b"ST" + struct.pack("<4i", 0, 0, 0, 0) if new else b"")
    )  # fmt: skip


def _events(
    events: Sequence[Event], time: Callable[[float], int], slope: float, span_from_m: float, new: bool
) -> bytes:
    body = struct.pack("<H", len(events))
    for number, (position, loss, reflectance, letter) in enumerate(events, 1):
        body += struct.pack("<Hihh", number, time(float(position)), round(slope * 1000), round(float(loss) * 1000))
        body += struct.pack("<i", round(float(reflectance) * 1000)) + CODES[str(letter)].encode() + b"LS"
        body += (struct.pack("<5i", 0, 0, 0, 0, 0) if new else b"") + b"\0"
    return body + struct.pack("<iiiHii", 1234, time(span_from_m), 0, 45_678, 0, 0)


def _samples(events: Sequence[Event], slope: float, spacing_m: float, samples: int) -> bytes:
    at = np.arange(samples) * spacing_m
    level = -slope * at / 1000
    for position, loss, _, letter in events:
        step = 24.0 if letter in ("e", "b") else float(loss)
        level -= step * (at >= float(position))
    values = np.clip(np.round((level.max() - level) * 1000), 0, 65_535).astype("<u2")
    return struct.pack("<IhIH", samples, 1, samples, 1000) + bytes(values.tobytes())
