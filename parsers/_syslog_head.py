"""Heads of lines written by syslog daemons and by journalctl's short outputs."""

from __future__ import annotations

import re
from typing import Final

from analyzer.model.stamps import Prefix, RawStamp
from parsers import _time

_PRIORITY: Final = re.compile(rb"<(\d{1,3})>(1 )?")
_HOST_PROGRAM: Final = re.compile(
    rb" (?P<host>-|[A-Za-z0-9][\w.:-]{0,253}) (?P<program>[A-Za-z_(/][^\s:\[\]]{0,80})(?:\[[^\]\s]{1,20}\])?: ?"
)
_RFC5424: Final = re.compile(
    rb" (?P<host>\S{1,255}) (?P<program>\S{1,48}) (?P<pid>\S{1,128}) \S{1,32} "
    rb"(?:-|(?:\[[^\]]{0,400}\])+) ?(?:\xef\xbb\xbf)?"
)
_KERNEL_UPTIME: Final = re.compile(rb"\[ *\d{1,10}\.\d{3,9}\](?:\[ {0,8}[TC]\d{1,10}\])? ?")
_REPEATED: Final = re.compile(rb" (?P<host>[A-Za-z0-9][\w.:-]{0,253}) (?=last message repeated )")
_LOG_LEVELS: Final = frozenset({b"DEBUG", b"INFO", b"WARNING", b"WARN", b"ERROR", b"CRITICAL", b"FATAL"})
_LEVELS: Final = ("emerg", "alert", "crit", "err", "warn", "notice", "info", "debug")


def wall(line: bytes) -> Prefix | None:
    """Read ``<stamp> <host> <program>[pid]: `` with any of the stamps of syslog and journal.

    The kernel's own uptime bracket behind ``kernel: `` belongs to the head; the wall stamp is kept.
    """
    priority = _PRIORITY.match(line)
    at = priority.end() if priority else 0
    read = _time.iso(line, at) or _time.bsd(line, at) or _time.weekday(line, at) or _time.unix(line, at)
    if read is None:
        return None
    level = _LEVELS[int(priority[1]) & 7] if priority else None
    if priority and priority[2]:
        found = _RFC5424.match(line, read.end)
    else:
        found = _HOST_PROGRAM.match(line, read.end) or _REPEATED.match(line, read.end)
    # "2026-01-14 06:00:07 INFO trainer: ..." is Python logging, not a host named INFO.
    if found is None or found["host"] in _LOG_LEVELS:
        return None
    return _finish(line, read.stamp, level, found)


def monotonic(line: bytes) -> Prefix | None:
    """Read ``[   12.345678] host program[pid]: `` (``journalctl -o short-monotonic``)."""
    read = _time.uptime(line) or _time.uptime_with_delta(line)
    found = _HOST_PROGRAM.match(line, read.end) if read else None
    return _finish(line, read.stamp, None, found) if read and found else None


def _finish(line: bytes, stamp: RawStamp, level: str | None, found: re.Match[bytes]) -> Prefix:
    fields = found.groupdict()
    program = fields.get("program")
    start = found.end()
    if program == b"kernel":
        uptime = _KERNEL_UPTIME.match(line, start)
        start = uptime.end() if uptime else start
    name = program.decode("utf-8", "replace") if program else None
    host = fields["host"].decode("utf-8", "replace")
    return Prefix(stamp=stamp, host=None if host == "-" else host, program=name, level=level, start=start)
