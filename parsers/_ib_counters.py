"""Port counters: their widths, and the row of one counter of one port."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from analyzer.model.tables import Row
from parsers import _fabric_text
from parsers._fabric_text import Line

ALL_PORTS: Final = 255
_DEFAULT_BITS: Final = 16
_BITS: Final = {
    "LocalLinkIntegrityErrors": 4, "ExcessiveBufferOverrunErrors": 4,
    "LinkErrorRecoveryCounter": 8, "LinkDownedCounter": 8, "PortXmitConstraintErrors": 8, "PortRcvConstraintErrors": 8,
    "PortXmitWait": 32, "PortXmitData": 32, "PortRcvData": 32, "PortXmitPkts": 32, "PortRcvPkts": 32,
    "PortUnicastXmitPkts": 64, "PortUnicastRcvPkts": 64, "PortMulticastXmitPkts": 64, "PortMulticastRcvPkts": 64,
}  # fmt: skip


def saturated(counter: str, value: int, *, wide: bool = False) -> bool:
    """True when a counter stands at its maximum; ``wide`` for the 64-bit form."""
    bits = 64 if wide else _BITS.get(counter, _DEFAULT_BITS)
    return value == min((1 << bits) - 1, _fabric_text.MAX_INT)


def counter_row(line: Line, port: Mapping[str, Any], counter: str, value: int, *, wide: bool) -> Row:
    """An ``ib_counters`` row; ``port`` holds the columns that say which port it is."""
    values = {**port, "counter": counter, "value": value, "saturated": saturated(counter, value, wide=wide)}
    return _fabric_text.row("ib_counters", line, values, port.get("host"))


def port_columns(guid: str | None, desc: str | None, kind: str | None, port: int, lid: int | None) -> dict[str, Any]:
    """The columns of ``ib_counters`` that say which port it is."""
    name = _fabric_text.named(desc, kind)
    return {
        "guid": guid,
        "guid_id": _fabric_text.guid_id(guid),
        "lid": lid,
        "node_desc": desc,
        "host": name.host,
        "hca": name.hca,
        "switch": name.switch,
        "port": port,
        "port_id": _fabric_text.fabric_port_id(desc, guid, port),
    }
