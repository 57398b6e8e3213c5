"""slurm.conf, slurmdbd.conf, gres.conf, cgroup.conf, and the outputs of ``scontrol show config`` and ``slurmd -C``.

Passwords (``StoragePass`` and its like) are not kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from analyzer.model.formats import Dump, Format, Problem, Sniff
from analyzer.model.tables import MAX_TEXT, Column, Row, TableSpec
from parsers._hostlist import Expander, expand
from parsers._slurm_nodes import configured_gpus
from parsers._slurm_text import Line, command_line, lines

FORMAT: Final = Format("slurm_conf", "table", frozenset({"slurm"}), "Slurm configuration (slurm.conf and its like)")

SLURM_CONF: Final = TableSpec(
    "slurm_conf",
    "one row per key=value of a configuration file",
    (
        Column("file_kind", "str", "slurm.conf, slurmdbd.conf, gres.conf, cgroup.conf, show config or slurmd -C"),
        Column("key", "str", "key as printed; Slurm ignores its case"),
        Column("value", "str", "value"),
        Column("entry", "str", "first key of the line where several stand on one: NodeName, PartitionName, Name ..."),
        Column("subject", "str", "value of that first key"),
        Column("nodes", "strs", "nodes of a line about nodes", "node"),
    ),
)
SLURM_GRES: Final = TableSpec(
    "slurm_gres",
    "one row per line of gres.conf and per Gres= of a node line of slurm.conf",
    (
        Column("file_kind", "str", "gres.conf or slurm.conf"),
        Column("nodes", "strs", "nodes the line is about; none means every node that reads the file", "node"),
        Column("name", "str", "gpu, mps, shard, nic ...; null on a line that only sets AutoDetect"),
        Column("type", "str", "type of the resource"),
        Column("count", "int", "number of resources that Count=, File= or Gres= states"),
        Column("file", "str", "device files"),
        Column("cores", "str", "cores"),
        Column("autodetect", "str", "AutoDetect method"),
    ),
)
TABLES: Final = (SLURM_CONF, SLURM_GRES)

_PAIR: Final = re.compile(r'([A-Za-z][A-Za-z0-9_]{1,40})\s*[+*/-]?=\s*("[^"]{0,4096}"|[^\s"]\S*|(?=\s|$))')
_SHOWN: Final = re.compile(r"([A-Za-z][A-Za-z0-9/()\[\]_ ]{0,40}?)\s*=(?: (.*))?$")
_SECRET: Final = re.compile(r"((?:Storage|StorageUser)?Pass(?:word)?\s*=\s*)\S+", re.IGNORECASE)
_LIST_LINES: Final = frozenset(
    {"nodename", "partitionname", "name", "autodetect", "nodeset", "downnodes", "frontendname", "switchname"}
)
_KINDS: Final[tuple[tuple[str, re.Pattern[str]], ...]] = (
    ("show config", re.compile(r"^Configuration data as of ", re.MULTILINE)),
    ("slurmd -C", re.compile(r"^UpTime=\d", re.MULTILINE)),
    ("slurmdbd.conf", re.compile(r"^(?:DbdHost|DbdAddr|StoragePass|StorageUser) ?=", re.MULTILINE | re.IGNORECASE)),
    (
        "gres.conf",
        re.compile(
            r"^(?:AutoDetect=\w+|(?:NodeName=\S+ +)?(?:AutoDetect=\w+|Name=(?:gpu|mps|shard|nic)\b))",
            re.MULTILINE | re.IGNORECASE,
        ),
    ),
    (
        "slurm.conf",
        re.compile(
            r"^(?:ClusterName|SlurmctldHost|ControlMachine|SlurmUser|StateSaveLocation"
            r"|PartitionName(?!=\S+ AllowGroups=)"
            r"|NodeName=\S+ +(?:\w+=\S+ +)*(?:CPUs|RealMemory|Gres|Sockets|State)) ?=",
            re.MULTILINE | re.IGNORECASE,
        ),
    ),
    (
        "cgroup.conf",
        re.compile(r"^(?:Constrain(?:Devices|RAMSpace|Cores|SwapSpace)|CgroupPlugin) ?=", re.MULTILINE | re.IGNORECASE),
    ),
)


class _Pair(NamedTuple):
    key: str
    value: str


def sniff(head: bytes, path: str) -> Sniff | None:
    """Judge the first bytes and the path: lines that only a Slurm configuration has."""
    kind = _kind(head.decode("utf-8", "replace"))
    if kind is None:
        return None
    name = path.rsplit("/", 1)[-1].lower()
    named = name.endswith(".conf") or "config" in name
    return Sniff(70 + 25 * named, f"keys of {kind}")


def parse(data: bytes, path: str) -> Dump:
    """Read a configuration file; ``path`` is not used."""
    del path
    kind = _kind(data.decode("utf-8", "replace")) or "slurm.conf"
    rows: list[Row] = []
    unread: list[int] = []
    hosts = Expander()
    for line in _settings(data):
        pairs = _shown(line.text) if kind == "show config" else _pairs(line.text)
        if not pairs:
            unread.append(line.number)
        nodes = _nodes(pairs, hosts) if _listed(kind, pairs) else []
        rows.extend(_conf_rows(kind, line, pairs, nodes))
        rows.extend(_gres_rows(kind, line, pairs, nodes))
    problems = (Problem("line is no key=value", unread[0], len(unread)),) if unread else ()
    return Dump(rows, problems + hosts.problems())


def _kind(text: str) -> str | None:
    return next((kind for kind, pattern in _KINDS if pattern.search(text)), None)


def _settings(data: bytes) -> Iterator[Line]:
    """Lines with settings: comments removed, continued lines joined under the number of the first."""
    number, text = 0, ""
    for line in lines(data):
        bare = _SECRET.sub(r"\1(hidden)", line.text.split("#", 1)[0].rstrip())
        number = number or line.number
        text += bare.removesuffix("\\")
        if bare.endswith("\\") and len(text) < 65_536:
            continue
        if text.strip() and _is_setting(text.strip()):
            yield Line(number, text.strip())
        number, text = 0, ""
    if text.strip():
        yield Line(number, text.strip())


def _is_setting(text: str) -> bool:
    plain = ("Include ", "include ", "Configuration data as of", "Slurmctld(")
    return not text.startswith(plain) and not text.endswith(":") and command_line(text) is None


def _pairs(text: str) -> list[_Pair]:
    return [_Pair(found.group(1), found.group(2).strip('"')) for found in _PAIR.finditer(text)]


def _shown(text: str) -> list[_Pair]:
    found = _SHOWN.match(text)
    return [_Pair(found.group(1), (found.group(2) or "").strip())] if found else []


def _listed(kind: str, pairs: list[_Pair]) -> bool:
    """True for a line about one node, partition or resource, on which several keys stand."""
    return bool(pairs) and pairs[0].key.lower() in _LIST_LINES and kind != "show config"


def _conf_rows(kind: str, line: Line, pairs: list[_Pair], nodes: list[str]) -> Iterator[Row]:
    listed = _listed(kind, pairs)
    for pair in pairs:
        values: dict[str, Any] = {
            "file_kind": kind,
            "key": pair.key,
            "value": pair.value,
            "entry": pairs[0].key if listed else None,
            "subject": pairs[0].value if listed else None,
            "nodes": nodes,
        }
        yield Row(SLURM_CONF.name, values, line=line.number, text=line.text[:MAX_TEXT])


def _nodes(pairs: list[_Pair], hosts: Expander) -> list[str]:
    named = next((pair.value for pair in pairs if pair.key.lower() in ("nodename", "nodes")), "")
    return list(hosts.expand(named))


def _gres_rows(kind: str, line: Line, pairs: list[_Pair], nodes: list[str]) -> Iterator[Row]:
    keys = {pair.key.lower(): pair.value for pair in pairs}
    if kind == "gres.conf" and ("name" in keys or "autodetect" in keys):
        values: dict[str, Any] = {key: keys.get(key) for key in ("name", "type", "file", "autodetect")}
        values |= {"count": _count(keys), "cores": keys.get("cores") or keys.get("cpus")}
    elif kind == "slurm.conf" and "nodename" in keys and keys.get("gres"):
        count = configured_gpus(keys["gres"])
        values = {"name": "gpu" if count is not None else keys["gres"].split(":", 1)[0], "count": count}
    else:
        return
    values |= {"file_kind": kind, "nodes": nodes}
    yield Row(SLURM_GRES.name, values, line=line.number, text=line.text[:MAX_TEXT])


def _count(keys: dict[str, str]) -> int | None:
    stated = keys.get("count", "")
    if stated.isascii() and stated.isdigit() and len(stated) <= 9:
        return int(stated)
    files = expand(keys["file"].replace("/", "-").lstrip("-")) if keys.get("file") else ()
    return len(files) or None
