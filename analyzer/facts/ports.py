"""Canonical names of fabric ports and links, from the spellings of tools, schedules and logs.

A host port is ``node/adapter/port`` (``cn012/mlx5_0/1``), a switch port ``switch/port`` (``leaf-02/4``), a link both of
its ports joined by `` <-> ``, or the name that a cable schedule gives it.
"""

from __future__ import annotations

import re

_ADAPTER = r"(?:mlx[45]_(?:bond_)?\d+|HCA-?\d+|bnxt_re\d+|irdma\d+|rocep\w+|ibp\w+|mthca\d+|ibsim\d+|hfi1_\d+|qedr\d+)"
_OWN = rf"(?P<adapter>{_ADAPTER})(?:[/: ](?:port ?)?(?P<port>\d+))?"
_HOST = re.compile(rf"(?P<host>[A-Za-z0-9][\w.-]*)[ :/]{_OWN}", re.IGNORECASE)
_DEVICE = re.compile(_OWN, re.IGNORECASE)
_SWITCH = re.compile(r"(?:[A-Z]{2}\d;)?(?P<name>[^:;/ ]+)(?::[^/]*/U\d+)?(?:/| port |:)(?P<port>\d+)")
_BETWEEN = " <-> "


def port_name(text: str, node: str | None = None) -> str:
    """Canonical name of a port; a form that is not known is kept as it is."""
    host = _HOST.fullmatch(text)
    if host:
        return f"{short(host['host'])}/{host['adapter']}/{host['port'] or '1'}"
    device = _DEVICE.fullmatch(text)
    if device:
        name = f"{device['adapter']}/{device['port'] or '1'}"
        return f"{short(node)}/{name}" if node else name
    switch = _SWITCH.fullmatch(text)
    return f"{short(switch['name'])}/{switch['port']}" if switch else text


def link_name(text: str) -> str:
    """Canonical name of a link: its ports in order, or the schedule's name as it is."""
    one, between, two = text.partition(_BETWEEN)
    return _BETWEEN.join(sorted((port_name(one), port_name(two)))) if between else text


def short(name: str) -> str:
    """Host name without domain, in lower case."""
    return name.lower() if name.replace(".", "").isdigit() else name.split(".", 1)[0].lower()
