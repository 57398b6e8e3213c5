"""Output of ``journalctl``: short, short-precise, short-iso, short-monotonic, and JSON lines."""

from __future__ import annotations

import re
from typing import Final

from analyzer.model.formats import Format, Sniff
from analyzer.model.stamps import Prefix, RawStamp, StampKind
from parsers import _lines, _syslog_head

FORMAT: Final = Format(
    name="journal",
    kind="lines",
    families=frozenset({"kernel", "syslog", "slurm", "munge", "mysql", "fabric", "gpu", "site"}),
    title="systemd journal (journalctl)",
)

_LEVELS: Final = ("emerg", "alert", "crit", "err", "warn", "notice", "info", "debug")
_HEADER: Final = re.compile(
    rb"(?m)^-- (?:Journal begins at|Logs begin at|Boot [0-9a-f]{32}|Reboot) ?[^\n]{0,200}--\r?$"
)
_SHORT_DAY: Final = re.compile(rb"[A-Z][a-z]{2} 0\d \d\d:\d\d:\d\d|[A-Z][a-z]{2} \d\d \d\d:\d\d:\d\d\.\d{6} ")
_SHORT_ISO: Final = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:?\d\d ")
_MONOTONIC: Final = re.compile(
    rb"\[ *\d{1,10}\.\d{6}\] [A-Za-z0-9][\w.-]{0,63} (?:kernel|[A-Za-z_(][\w.@()-]{0,40}\[\d+\]): "
)
_REALTIME: Final = re.compile(rb'"__REALTIME_TIMESTAMP" ?: ?"?(\d{1,18})"?')
_HOSTNAME: Final = re.compile(rb'"_HOSTNAME" ?: ?"([^"\\]{1,255})"')
_PROGRAM: Final = re.compile(rb'"(?:SYSLOG_IDENTIFIER|_COMM)" ?: ?"([^"\\]{1,80})"')
_PRIORITY: Final = re.compile(rb'"PRIORITY" ?: ?"?([0-7])"?')
_MESSAGE: Final = re.compile(rb'"MESSAGE" ?: ?["\[]?')


def sniff(head: bytes, path: str) -> Sniff | None:
    """Judge by journalctl's own header lines and by the stamps that syslog daemons do not write."""
    hits, total = _lines.share(head, prefix)
    if hits == 0 or hits * 2 < total:
        return None
    own, _ = _lines.share(head, _is_own)
    if _HEADER.search(head):
        return Sniff(score=60 + 36 * hits // total, why="journalctl header line")
    if own * 3 < hits and "journal" not in path.lower():
        return Sniff(score=40, why=f"{hits} of {total} lines have time, host and program")
    return Sniff(score=60 + 32 * hits // total, why=f"{hits} of {total} lines in a journalctl output form")


def prefix(line: bytes) -> Prefix | None:
    """Read one line of any of the short forms, or one JSON entry."""
    if line[:1] == b"{":
        return _entry(line)
    if line[:1] == b"[":
        return _syslog_head.monotonic(line)
    return _syslog_head.wall(line)


def _is_own(line: bytes) -> bool:
    if line[:1] == b"{":
        return _REALTIME.search(line) is not None
    return any(form.match(line) for form in (_SHORT_DAY, _SHORT_ISO, _MONOTONIC))


def _entry(line: bytes) -> Prefix | None:
    realtime = _REALTIME.search(line)
    if realtime is None:
        return None
    message = _MESSAGE.search(line)
    host, program, priority = (_value(form, line) for form in (_HOSTNAME, _PROGRAM, _PRIORITY))
    return Prefix(
        stamp=RawStamp(StampKind.UTC, int(realtime[1]) / 1e6, 1e-6),
        host=host,
        program=program,
        level=_LEVELS[int(priority)] if priority else None,
        start=message.end() if message else 0,
    )


def _value(form: re.Pattern[bytes], line: bytes) -> str | None:
    found = form.search(line)
    return found[1].decode("utf-8", "replace") if found else None
