"""Typed values of captured text: numbers, PCI addresses, GUIDs, host names and host lists."""

from __future__ import annotations

import re
from collections.abc import Callable

_PCI = re.compile(r"(?:([0-9a-fA-F]{1,8}):)?([0-9a-fA-F]{1,2}):([0-9a-fA-F]{1,2})(?:\.([0-7]))?")
_COMPACT_DIGITS = 9
_COMPACT_PCI = re.compile(r"([0-9a-f]{4})([0-9a-f]{2})([0-9a-f]{2})([0-7])")
_RANGE = re.compile(r"(\d+)-(\d+)")
_LOOPBACK = re.compile(r"(?:ip6-)?localhost(?:\.localdomain)?|127(?:\.\d{1,3}){3}|::1")
MAX_HOSTS = 10_000
"""Longest host list that is expanded; the rest is left out."""


def pci(text: str) -> str:
    """Normalise a PCI address to ``dddd:bb:dd.f``; the function is 0 where the line leaves it out.

    NCCL prints the digits without separators and leading zeros: ``47000`` is ``0000:47:00.0``.
    """
    form = _PCI.fullmatch(text.strip()) or _COMPACT_PCI.fullmatch(text.strip().rjust(_COMPACT_DIGITS, "0"))
    if form is None:
        return text.strip().lower()
    domain, bus, device, function = form.groups()
    return f"{int(domain or '0', 16):04x}:{int(bus, 16):02x}:{int(device, 16):02x}.{function or '0'}"


def guid(text: str) -> str:
    """Normalise a GUID to ``0x`` and 16 lower-case digits."""
    digits = text.strip().lower().removeprefix("0x").replace(":", "")
    try:
        return f"0x{int(digits, 16):016x}"
    except ValueError:
        return text.strip().lower()


def host(text: str) -> str:
    """Normalise a host name: lower case, no brackets, no trailing dot."""
    return text.strip().strip("[]()").rstrip(".").lower()


def named_host(text: str) -> str | None:
    """A host as ``host`` gives it; None for a loopback name or address, which names no part of a cluster."""
    name = host(text)
    return None if _LOOPBACK.fullmatch(name) else name


def integer(text: str) -> int | None:
    """Read a decimal or ``0x`` number; None if it is not one or does not fit into 64 bits."""
    try:
        value = int(text.replace(",", "").replace("_", ""), 0) if text.lower().startswith("0x") else int(text)
    except ValueError:
        return None
    return value if -(2**63) <= value < 2**63 else None


def number(text: str) -> float | None:
    """Read a number; None if it is not one."""
    try:
        return float(text)
    except ValueError:
        return None


def hosts(text: str) -> list[str]:
    """Expand a Slurm host list such as ``gpu-a[01-03,7],login1``; a broken range is kept as written."""
    names: list[str] = []
    for part in _split_outside_brackets(text.strip()):
        _expand(part, names)
        if len(names) >= MAX_HOSTS:
            return names[:MAX_HOSTS]
    return names


def _split_outside_brackets(text: str) -> list[str]:
    parts, depth, start = [], 0, 0
    for place, char in enumerate(text):
        if char == "[":
            depth += 1
        elif char == "]":
            depth = max(0, depth - 1)
        elif char == "," and depth == 0:
            parts.append(text[start:place])
            start = place + 1
    parts.append(text[start:])
    return [part.strip() for part in parts if part.strip()]


def _expand(part: str, names: list[str]) -> None:
    open_at, close_at = part.find("["), part.find("]")
    if open_at < 0 or close_at < open_at:
        names.append(host(part))
        return
    head, body, tail = part[:open_at], part[open_at + 1 : close_at], part[close_at + 1 :]
    for item in body.split(","):
        for number_text in _range(item.strip()):
            if len(names) >= MAX_HOSTS:
                return
            _expand(head + number_text + tail, names)


def _range(item: str) -> list[str]:
    form = _RANGE.fullmatch(item)
    if form is None:
        return [item]
    first, last, width = int(form[1]), int(form[2]), len(form[1])
    return [f"{value:0{width}d}" for value in range(first, min(last, first + MAX_HOSTS) + 1)]


CONVERT: dict[str, Callable[[str], str | int | float | None]] = {
    "str": lambda text: text,
    "int": integer,
    "float": number,
    "pci": pci,
    "guid": guid,
    "ip": lambda text: text.strip().strip("[]"),
    "host": named_host,
    "hostlist": lambda text: text.strip(),
}
"""Reader per field type of the rule schema."""
