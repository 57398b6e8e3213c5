"""Readers shared by the fabric parsers: lines, GUIDs, node descriptions, states, numbers and the tools' own errors."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

from analyzer.model.formats import Problem, Sniff
from analyzer.model.tables import MAX_TEXT, Row

MAX_INT: Final = 2**63 - 1
NO_GUID: Final = "0x0000000000000000"

_ANSI: Final = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
_GUID: Final = re.compile(r"(?:0x)?([0-9a-fA-F]{1,16})")
_HEAD_NUMBER: Final = re.compile(r"\s*([+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?)")
_MANAGED_SWITCH: Final = re.compile(r"MF0;([^:;]+):[^/]*((?:/[^/]+)*)")
_ASIC: Final = re.compile(r"U\d+")
_HOST: Final = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?")
_HCA: Final = re.compile(r"(?:mlx\d|HCA-|ib|qib|hfi|bnxt_re|irdma|efa|rocep|mthca|rdmap|opa|nic|hns)[\w.-]*")
_PRODUCT: Final = re.compile(
    r"ConnectX|Mellanox|Quantum|Infiniscale|InfiniHost|Switch-?IB|SwitchX|Aggregation Node|BlueField", re.IGNORECASE
)
_SWITCH_PRODUCT: Final = re.compile(r"Quantum|Infiniscale|Switch-?IB|SwitchX", re.IGNORECASE)
_VIRTUAL_PARTS: Final = frozenset({"4100", "4114", "4116", "4118", "4120", "4122", "4124", "4126", "41683"})
_NOISE: Final = re.compile(
    r"ib(?:warn|panic)|\S+: iberror|\S+\.c:\d+;|Query SA failed"
    r"|.*?: (?:command not found|Permission denied|No such file)"
    r"|[$#]+(?: |$)|\[?[\w.-]{1,64}@[\w.-]{1,64}[: ][^$#]{0,80}[$#](?: |$)"
)


_MOST_BEFORE: Final = 5
_MIXED_SCORE: Final = 60


class Line(NamedTuple):
    """A line of a dump: number from 1 and text without its end."""

    number: int
    text: str


class NodeName(NamedTuple):
    """What a node description says: a host with its adapter, or a switch; all None when it names a product only."""

    host: str | None = None
    hca: str | None = None
    switch: str | None = None


class Unread:
    """Counts lines that were not understood, by reason, for the problems of a dump."""

    def __init__(self) -> None:
        self._first: dict[str, int] = {}
        self._count: dict[str, int] = {}

    def add(self, reason: str, line: Line) -> None:
        """Note one line."""
        self._first.setdefault(reason, line.number)
        self._count[reason] = self._count.get(reason, 0) + 1

    def add_unless_noise(self, line: Line) -> None:
        """Note a line that is neither blank nor a message of the tool or the shell around it."""
        if line.text.strip() and not is_noise(line.text):
            self.add("line not understood", line)

    def problems(self) -> tuple[Problem, ...]:
        """One problem per reason with its first line and count."""
        return tuple(Problem(reason, self._first[reason], count) for reason, count in self._count.items())


def lines(data: bytes) -> list[Line]:
    """Lines of a dump without line ends and colour escapes; bytes that are not UTF-8 become replacement characters."""
    text = data.decode("utf-8", "replace")
    if "\x1b" in text:
        text = _ANSI.sub("", text)
    pieces = text.split("\n")
    if pieces and not pieces[-1]:
        pieces.pop()
    return [Line(number, piece.rstrip("\r")) for number, piece in enumerate(pieces, start=1)]


def head_lines(head: bytes, count: int = 200) -> list[Line]:
    """The first lines of an input, at most 200, for sniffing."""
    return _head(head)[:count]


def claim(score: int, why: str, head: bytes, line_number: int) -> Sniff:
    """A claim on an input whose telling line has this number; a weak one when other content stands before it.

    A file that begins with something else is a collection of several outputs, and its beginning decides.
    """
    before = sum(1 for text in head_lines(head)[: line_number - 1] if text.text.strip() and not is_noise(text.text))
    return Sniff(score if before <= _MOST_BEFORE else _MIXED_SCORE, f"line {line_number} {why}")


@lru_cache(maxsize=2)
def _head(head: bytes) -> list[Line]:
    return lines(head[:65_536])[:200]


def row(table: str, line: Line, values: Mapping[str, Any], node: str | None = None) -> Row:
    """A row of ``table`` found at ``line``; values that are None are left out."""
    kept = {name: value for name, value in values.items() if value is not None}
    return Row(table, kept, line.number, line.text[:MAX_TEXT], node=node)


def is_noise(text: str) -> bool:
    """True for the tools' warnings and errors and for shell prompts: they are not part of a dump's grammar."""
    return _NOISE.match(text.lstrip()) is not None


def guid(text: str | None) -> str | None:
    """Spell a GUID as ``0x`` and 16 lower-case digits; None when it is none."""
    found = _GUID.fullmatch(text.strip()) if text else None
    return f"0x{int(found.group(1), 16):016x}" if found else None


def guid_id(text: str | None) -> str | None:
    """As ``guid``, but None for the GUID zero too: it identifies nothing."""
    spelled = guid(text)
    return None if spelled == NO_GUID else spelled


def has_guid(text: str | None) -> bool | None:
    """False for the GUID zero, None when the text is no GUID."""
    spelled = guid(text)
    return None if spelled is None else spelled != NO_GUID


def is_virtual_part(text: str | None) -> bool:
    """True for the part of a virtual function, as ``MT4124`` or ``4124``."""
    return text is not None and text.removeprefix("MT") in _VIRTUAL_PARTS


def whole(text: str | None) -> int | None:
    """A decimal or ``0x`` number at most ``MAX_INT``; None when it is none."""
    if text is None:
        return None
    text = text.strip()
    digits = text[2:] if text[:2].lower() == "0x" else text
    if not digits.isascii() or not digits.isalnum() or len(digits) > 32:
        return None
    try:
        return min(int(digits, 16 if digits is not text else 10), MAX_INT)
    except ValueError:
        return None


def number(text: str | None) -> float | None:
    """The number that a text begins with, e.g. 200.0 of ``200 Gb/sec``."""
    found = _HEAD_NUMBER.match(text) if text else None
    return float(found.group(1)) if found else None


@lru_cache(maxsize=8192)
def node_name(desc: str) -> NodeName:
    """Split a node description: ``cn012 mlx5_0``, ``cn012 HCA-1``, ``MF0;leaf-02:MQM8700/U1`` or a bare name.

    A chassis module stays in the switch's name (``core/L01``); the number of the chip (``/U1``) does not.
    """
    desc = desc.strip()
    managed = _MANAGED_SWITCH.fullmatch(desc)
    if managed:
        modules = [part for part in managed.group(2).split("/") if part and not _ASIC.fullmatch(part)]
        return NodeName(switch="/".join([managed.group(1).strip(), *modules]))
    words = desc.split()
    if not words or not _HOST.fullmatch(words[0]):
        return NodeName()
    if len(words) == 2 and _HCA.fullmatch(words[1]):
        return NodeName(host=words[0], hca=words[1])
    return NodeName(host=words[0]) if len(words) == 1 and not _PRODUCT.search(desc) else NodeName()


def named(desc: str | None, kind: str | None) -> NodeName:
    """``node_name`` corrected by the node's kind: a bare name of a switch names the switch."""
    name = node_name(desc) if desc else NodeName()
    if kind == "switch" and name.switch is None:
        return NodeName(switch=name.host if name.hca is None else None)
    return name


def kind_of(desc: str | None) -> str | None:
    """``switch`` or ``ca`` as far as the description alone says."""
    if not desc:
        return None
    name = node_name(desc)
    if name.switch or _SWITCH_PRODUCT.search(desc):
        return "switch"
    return "ca" if name.hca or _PRODUCT.search(desc) else None


def port_id(desc: str | None, port: int | None) -> str | None:
    """``<description>/<port>``; None unless both are known."""
    return f"{desc.strip()}/{port}" if desc and desc.strip() and port is not None else None


def fabric_port_id(desc: str | None, guid: str | None, port: int | None) -> str | None:
    """As ``port_id``, but ``<GUID>/<port>`` for nodes that carry only their product's name, as many may do."""
    spelled = guid_id(guid)
    unnamed = desc is not None and node_name(desc) == NodeName() and _PRODUCT.search(desc) is not None
    return port_id(spelled if unnamed and spelled else desc, port)


def link_id(one: str | None, other: str | None) -> str | None:
    """Name of a link by its two ports, the same from both ends."""
    return " <-> ".join(sorted((one, other))) if one and other else None


_STATES: Final = {
    "down": "Down", "init": "Initializing", "initialize": "Initializing", "initializing": "Initializing",
    "armed": "Armed", "active": "Active", "active_defer": "Active",
}  # fmt: skip
_PHYS_STATES: Final = {
    "linkup": "LinkUp", "polling": "Polling", "disabled": "Disabled", "sleep": "Sleep", "phytest": "PhyTest",
    "portconfigurationtraining": "Training", "portconfigurationtrainning": "Training", "training": "Training",
    "linkerrorrecovery": "ErrorRecovery", "linkerrorrecover": "ErrorRecovery",
}  # fmt: skip


def state(text: str | None) -> str | None:
    """Logical state in one spelling, from ``Initializing``, ``Initialize``, ``2: INIT``, ``PORT_INIT (2)``."""
    if text is None:
        return None
    word = _state_word(text).removeprefix("port_").strip()
    return _STATES.get(word, text.strip() or None)


def phys_state(text: str | None) -> str | None:
    """Physical state in one spelling, from ``LinkUp``, ``5: LinkUp``, ``LINK_UP (5)``."""
    if text is None:
        return None
    word = _state_word(text).replace("_", "").replace(" ", "")
    return _PHYS_STATES.get(word, text.strip() or None)


def _state_word(text: str) -> str:
    word = text.split(":", 1)[-1] if text.strip()[:1].isdigit() else text
    return word.split("(", 1)[0].strip().lower()


def key_value(text: str) -> tuple[str, str] | None:
    """Key and value of a ``key: value`` line; None without a colon behind a word."""
    key, colon, value = text.partition(":")
    key = key.strip()
    return (key, value.strip()) if colon and key else None
