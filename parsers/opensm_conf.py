"""``opensm.conf``: options of the subnet manager, ``name value`` per line."""

from __future__ import annotations

import re
from typing import Final

from analyzer.model.formats import Dump, Sniff
from analyzer.model.tables import Row
from parsers import _fabric, _fabric_text

FORMAT: Final = _fabric.fabric_format("opensm_conf", "subnet manager configuration (opensm.conf)")
TABLES: Final = (_fabric.SM_OPTIONS,)

_OPTION: Final = re.compile(r"([a-z][a-z0-9_]{1,60})[ \t]+(\S.*)")
_KNOWN: Final = frozenset({
    "subnet_prefix", "sm_priority", "sm_key", "m_key", "lmc", "sweep_interval", "force_link_speed", "force_link_width",
    "force_link_speed_ext", "routing_engine", "virt_enabled", "reassign_lids", "max_wire_smps", "guid",
})  # fmt: skip
_ENOUGH: Final = 3


def sniff(head: bytes, path: str) -> Sniff | None:
    """Recognise at least three options that only a subnet manager has."""
    known: set[str] = set()
    for line in _fabric_text.lines(head[:65_536]):
        option = _OPTION.fullmatch(line.text.strip())
        if option and option[1] in _KNOWN:
            known.add(option[1])
        elif line.text.strip() and not option and not line.text.lstrip().startswith("#"):
            return None
    return Sniff(92, f"options of a subnet manager: {', '.join(sorted(known)[:3])}") if len(known) >= _ENOUGH else None


def parse(data: bytes, path: str) -> Dump:
    """Read one ``sm_options`` row per option that is set."""
    unread = _fabric_text.Unread()
    rows: list[Row] = []
    for line in _fabric_text.lines(data):
        text = line.text.strip()
        option = _OPTION.fullmatch(text)
        if option:
            value = option[2].strip()
            values = {"option": option[1], "value": value, "number": _fabric_text.whole(value)}
            rows.append(_fabric_text.row("sm_options", line, values))
        elif text and not text.startswith("#"):
            unread.add("line not understood", line)
    return Dump(rows, unread.problems())
