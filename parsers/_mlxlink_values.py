"""Values of ``mlxlink`` keys: ratios, ranges ``41 [-5..75]`` and comma lists with one entry per lane."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from parsers import _fabric_text

MAX_LANES: Final = 16
_ZERO_BELOW: Final = 1e-200
_RANGE: Final = re.compile(r"(.*?)\s*\[\s*([+-]?\d+(?:\.\d+)?)\s*\.\.\s*([+-]?\d+(?:\.\d+)?)\s*\]\s*")
_ABSENT: Final = frozenset({"", "N/A", "n/a", "-"})

_RX: Final = "Rx Power Current [dBm]"
_TX: Final = "Tx Power Current [dBm]"
_BIAS: Final = "Bias Current [mA]"
_RAW_LANES: Final = "Raw Physical Errors Per Lane"
LANE_KEYS: Final = (_RX, _RAW_LANES, _TX, _BIAS)
"""Keys with one entry per lane, the most telling first."""


def present(values: Mapping[str, str], *keys: str) -> str | None:
    """The first of ``keys`` that has a value other than ``N/A``."""
    for key in keys:
        value = values.get(key, "").strip()
        if value not in _ABSENT:
            return value
    return None


def figure(text: str | None) -> float | None:
    """The number that a value begins with; the tool's zero is 0."""
    value = _fabric_text.number(text)
    return 0.0 if value is not None and 0 < value < _ZERO_BELOW else value


def diagnosis(values: Mapping[str, str]) -> dict[str, Any]:
    """Columns of ``link_diag`` from all keys of one port."""
    temperature, low_c, high_c = ranged(present(values, "Temperature [C]", "Temperature"))
    return {
        "state": present(values, "State"),
        "phys_state": present(values, "Physical state"),
        "speed": present(values, "Speed"),
        "width": _int(present(values, "Width")),
        "fec": present(values, "FEC"),
        "auto_negotiation": present(values, "Auto Negotiation"),
        "loopback": present(values, "Loopback Mode"),
        "opcode": _int(present(values, "Status Opcode")),
        "opcode_group": present(values, "Group Opcode"),
        "recommendation": present(values, "Recommendation"),
        "effective_ber": figure(present(values, "Effective Physical BER")),
        "raw_ber": _worst(present(values, "Raw Physical BER", "Raw Physical BER Per Lane")),
        "symbol_ber": figure(present(values, "Symbol BER")),
        "effective_errors": _int(present(values, "Effective Physical Errors")),
        "symbol_errors": _int(present(values, "Symbol Errors")),
        "link_downed": _int(present(values, "Link Down Counter")),
        "link_recovery": _int(present(values, "Link Error Recovery Counter")),
        "since_clear_min": figure(present(values, "Time Since Last Clear [Min]")),
        "temperature_c": figure(temperature),
        "temperature_low_c": low_c,
        "temperature_high_c": high_c,
        "voltage_mv": figure(present(values, "Voltage [mV]")),
        "rx_power_dbm": _entries(present(values, _RX)),
        "tx_power_dbm": _entries(present(values, _TX)),
        "raw_errors": _entries(present(values, _RAW_LANES)),
        "identifier": present(values, "Identifier"),
        "vendor": present(values, "Vendor Name"),
        "part_number": present(values, "Vendor Part Number"),
        "serial": present(values, "Vendor Serial Number"),
        "technology": present(values, "Cable Technology", "Compliance", "Cable Type"),
        "firmware": present(values, "Firmware Version", "FW Version"),
    }


def lanes(values: Mapping[str, str], width: int | None) -> list[dict[str, Any]]:
    """Columns of ``link_lanes``, one per lane that any key lists."""
    rx, rx_low, rx_high = ranged(present(values, _RX))
    tx, tx_low, tx_high = ranged(present(values, _TX))
    lists = [_entries(text) or [] for text in (rx, tx, present(values, _BIAS), present(values, _RAW_LANES))]
    count = min(max(len(entries) for entries in lists), MAX_LANES)
    return [
        {
            "lane": lane,
            "rx_power_dbm": figure(_at(lists[0], lane)),
            "rx_power_low_dbm": rx_low,
            "rx_power_high_dbm": rx_high,
            "tx_power_dbm": figure(_at(lists[1], lane)),
            "tx_power_low_dbm": tx_low,
            "tx_power_high_dbm": tx_high,
            "bias_ma": figure(_at(lists[2], lane)),
            "raw_errors": _int(_at(lists[3], lane)),
            "lanes": count,
            "width": width,
        }
        for lane in range(count)
    ]


def ranged(text: str | None) -> tuple[str | None, float | None, float | None]:
    """Split ``41 [-5..75]`` into the value and its limits."""
    found = _RANGE.fullmatch(text) if text else None
    return (found[1], float(found[2]), float(found[3])) if found else (text, None, None)


def _entries(text: str | None) -> list[str] | None:
    bare, _, _ = ranged(text)
    return [part.strip() for part in bare.split(",")][:MAX_LANES] if bare else None


def _at(entries: list[str], index: int) -> str | None:
    return entries[index] if index < len(entries) else None


def _int(text: str | None) -> int | None:
    value = _fabric_text.number(text)
    if text is None or value is None:
        return None
    exact = _fabric_text.whole(text)
    return exact if exact is not None else int(max(min(value, float(2**62)), -float(2**62)))


def _worst(text: str | None) -> float | None:
    found = [value for value in map(figure, _entries(text) or []) if value is not None]
    return max(found, default=None)
