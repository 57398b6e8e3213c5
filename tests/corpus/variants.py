"""The same incident as another engineer might hand it over: other clocks, zones, names, files."""

from __future__ import annotations

import datetime as dt
import gzip
import io
import random
import re
import tarfile
from collections.abc import Callable, Iterable
from pathlib import Path

Files = dict[str, bytes]
"""Content by path, a whole bundle."""

_MONTHS = b"Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
_DAYS = b"Mon Tue Wed Thu Fri Sat Sun".split()
_MONTH = rb"(?P<month>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)"
_CLOCK = rb"(?P<hour>\d\d):(?P<minute>\d\d):(?P<second>\d\d)"
_DAY = rb"(?P<name>Mon|Tue|Wed|Thu|Fri|Sat|Sun)"
_STAMPS = (
    rb"(?P<year>20\d\d)-(?P<month>\d\d)-(?P<day>\d\d)[T ]" + _CLOCK + rb"(?:[.,]\d+)?(?P<zone>(?:[+-]\d\d:?\d\d|Z)?)",
    _DAY + rb" " + _MONTH + rb" (?P<day>[ \d]\d) " + _CLOCK + rb" (?P<year>20\d\d)",
    _DAY + rb", (?P<day>\d\d) " + _MONTH + rb" (?P<year>20\d\d) " + _CLOCK + rb" (?P<zone>[+-]\d\d\d\d)",
    rb"(?m)^" + _MONTH + rb" (?P<day>[ \d]\d) " + _CLOCK,
    rb"(?<=\[[EWIF])(?P<month>1[0-2]|\d)(?P<day>\d\d) " + _CLOCK,
    rb"(?m)^(?:\d+: )?[EWIF](?P<month>\d\d)(?P<day>\d\d) " + _CLOCK,
    rb"(?<=audit\()(?P<epoch>\d{10})(?=\.\d{3}:)",
    rb"(?<=\()(?P<epoch>1[67]\d{8})(?=\))",
)
_FORMS = tuple(re.compile(form) for form in _STAMPS)
_YEAR = 2026


def read(folder: Path) -> Files:
    """All files under a folder; archives are opened one level deep."""
    found: Files = {}
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        name = file.relative_to(folder).as_posix()
        if name.endswith((".tar.gz", ".tgz")):
            found |= _members(file)
        else:
            found[name] = file.read_bytes()
    return found


def _members(archive: Path) -> Files:
    with tarfile.open(archive) as tar:
        members = [member for member in tar.getmembers() if member.isfile()]
        return {m.name: stream.read() for m in members if (stream := tar.extractfile(m)) is not None}


def write(files: Files, folder: Path) -> Path:
    """Write a bundle into a folder."""
    for name, content in files.items():
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    return folder


def packed(files: Files, archive: Path, seed: int) -> Path:
    """Write a bundle as an archive whose members stand in another order."""
    names = sorted(files)
    random.Random(seed).shuffle(names)
    with tarfile.open(archive, "w:gz", compresslevel=1) as tar:
        for name in names:
            member = tarfile.TarInfo(name)
            member.size = len(files[name])
            tar.addfile(member, io.BytesIO(files[name]))
    return archive


def nodes_of(files: Files) -> list[str]:
    """Nodes with a folder, or a file named after them."""
    folders = {match[1] for name in files if (match := re.search(r"nodes/([a-z][\w.-]*)/", name))}
    named = {match[1] for name in files if (match := re.search(r"-((?:gpu|dgx|cn)-?[a-z]?\d+)\.\w+$", name))}
    return sorted(folders | named)


def of_node(node: str) -> Callable[[str], bool]:
    """Whether a path is one of a node's own files."""
    return lambda name: f"/{node}/" in f"/{name}" or f"-{node}." in name


def moved(files: Files, seconds: int, chosen: Callable[[str], bool], zone_too: bool = False) -> Files:
    """Shift every wall-clock stamp of some files: a wrong clock, or (``zone_too``) the same clock in another zone."""
    return {
        name: _moved(content, seconds, zone_too) if chosen(name) and _is_text(content) else content
        for name, content in files.items()
    }


def _is_text(content: bytes) -> bool:
    return not content.startswith((b"\x1f\x8b", b"Map\x00")) and b"\x00\x00\x00" not in content[:200]


def _moved(content: bytes, seconds: int, zone_too: bool) -> bytes:
    for form in _FORMS:
        content = form.sub(lambda found: _stamp(found, seconds, zone_too), content)
    return content


def _stamp(found: re.Match[bytes], seconds: int, zone_too: bool) -> bytes:
    groups = found.groupdict()
    if (epoch := groups.get("epoch")) is not None:
        return epoch if zone_too else b"%d" % (int(epoch) + seconds)
    month = groups["month"]
    number = int(month) if month.isdigit() else _MONTHS.index(month) + 1
    moment = dt.datetime(
        int(groups.get("year") or _YEAR), number, int(groups["day"]), int(groups["hour"]), int(groups["minute"]),
        int(groups["second"]), tzinfo=dt.UTC,
    ) + dt.timedelta(seconds=seconds)  # fmt: skip
    text = found[0]
    base = found.start()
    zone = groups.get("zone") or b""
    if zone == b"Z" and zone_too:
        return text
    edits = {
        "year": b"%04d" % moment.year, "name": _DAYS[moment.weekday()],
        "month": b"%0*d" % (len(month), moment.month) if month.isdigit() else _MONTHS[moment.month - 1],
        "day": (b"%2d" if groups["day"].startswith(b" ") else b"%02d") % moment.day,
        "hour": b"%02d" % moment.hour, "minute": b"%02d" % moment.minute, "second": b"%02d" % moment.second,
        "zone": _zone(zone, seconds) if zone_too and zone else zone,
    }  # fmt: skip
    for name in sorted((n for n in edits if groups.get(n) is not None), key=found.start, reverse=True):
        text = text[: found.start(name) - base] + edits[name] + text[found.end(name) - base :]
    return text


def _zone(zone: bytes, seconds: int) -> bytes:
    sign = -1 if zone[:1] == b"-" else 1
    digits = zone[1:].replace(b":", b"")
    minutes = sign * (int(digits[:2]) * 60 + int(digits[2:])) + seconds // 60
    colon = b":" if b":" in zone else b""
    return b"%s%02d%s%02d" % (b"-" if minutes < 0 else b"+", abs(minutes) // 60, colon, abs(minutes) % 60)


def renamed(files: Files, old: str, new: str) -> Files:
    """Give the nodes ``OLD<number>`` the names ``NEW<number>`` everywhere, in host lists too."""
    pattern = re.compile(rb"(?<![A-Za-z0-9])" + re.escape(old.encode()) + rb"(?=\d|\[\d)")

    def text(value: bytes) -> bytes:
        return pattern.sub(new.encode(), value)

    return {
        text(name.encode()).decode(): text(content) if _is_text(content) else content for name, content in files.items()
    }


def logs_of(files: Files) -> list[str]:
    """Logs that are rotated on a real machine, by their usual names."""
    usual = ("messages", "syslog", "kern", "slurmctld", "slurmd", "opensm")
    return [name for name in files if name.rsplit("/", 1)[-1].startswith(usual) and _is_text(files[name])]


def rotated(files: Files, logs: Iterable[str], compress: bool = False) -> Files:
    """Cut logs in the middle as log rotation does: the older half becomes ``NAME.1``."""
    found = dict(files)
    for name in logs:
        lines = found[name].splitlines(keepends=True)
        older, newer = b"".join(lines[: len(lines) // 2]), b"".join(lines[len(lines) // 2 :])
        found[name] = newer
        found[f"{name}.1.gz" if compress else f"{name}.1"] = gzip.compress(older, 1, mtime=0) if compress else older
    return found


def merged(files: Files, logs: Iterable[str], into: str) -> Files:
    """Put the syslog files of all nodes into one, as a log host does; lines stand in order of their stamps' text."""
    chosen = [name for name in logs if files[name][:1].isalpha()]
    if len(chosen) < 2:
        return files
    lines = [line for name in chosen for line in files[name].splitlines(keepends=True)]
    ordered: list[bytes] = sorted(lines, key=_order)
    return {name: content for name, content in files.items() if name not in chosen} | {into: b"".join(ordered)}


def _order(line: bytes) -> tuple[int, bytes]:
    return (_MONTHS.index(line[:3]) if line[:3] in _MONTHS else len(_MONTHS), line[3:15])
