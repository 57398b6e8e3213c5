"""Kernel ring buffer as ``dmesg`` prints it, ``/dev/kmsg`` records, and kernel console captures.

Forms: plain uptime, ``-r``, ``-x``, ``-T``, ``--time-format=iso``, ``-d``, ``-e``, ``-J``, caller ids, colours.
Continuation lines of a multi-line record are indented and have no head.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from analyzer.model.formats import Format, Sniff
from analyzer.model.stamps import Prefix, RawStamp, StampKind
from parsers import _dmesg_forms, _lines, _time

FORMAT: Final = Format(
    name="dmesg",
    kind="lines",
    families=frozenset({"kernel"}),
    title="kernel ring buffer (dmesg)",
)

_LEVELS: Final = ("emerg", "alert", "crit", "err", "warn", "notice", "info", "debug")
_HEAD: Final = re.compile(
    rb"(?:\x1b\[[0-9;]{0,16}m)?"
    rb"(?:<(?P<pri>\d{1,3})>|(?P<facility>[a-z]+\d?) *:(?P<word>emerg|alert|crit|err|warn|notice|info|debug) *: )?"
)
_KMSG: Final = re.compile(rb"(\d{1,4}),\d{1,20},(\d{1,18}),[-c+](?:,[^;]{0,80})?;")
_BEHIND: Final = re.compile(
    rb"(?:\x1b\[[0-9;]{0,16}m)?(?:\[ {0,8}[TC]\d{1,10}\])?(?: |(?=\x1b)|$)(?:\x1b\[[0-9;]{0,16}m)*(?:kernel: )?"
)
_SNIFF: Final = re.compile(
    rb"(?:\x1b\[[0-9;]{0,16}m)?(?:<\d{1,3}>|[a-z]+\d? *:[a-z]+ *: )?"
    rb"(?:\[ *\d{1,9}\.\d{6}(?: <[ \d.]{1,20}>)?\](?! \([IWE*+=!-]{2}\))"
    rb"|\[(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}\]"
    rb"|\[ *\+\d{1,8}\.\d{6}\]|\[[A-Z][a-z]{2} ?\d{1,2} \d\d:\d\d(?::\d\d\.\d{6})?\] "
    rb"|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d,\d{6}[+-]\d\d:\d\d )"
    rb"|\d{1,4},\d{1,20},\d{1,18},[-c+](?:,[^;]{0,80})?;"
)
_HOST_KERNEL: Final = re.compile(rb"\[ *\d{1,9}\.\d{6}\] [A-Za-z0-9][\w.-]{0,63} (?:kernel|[\w.@-]{1,40}\[\d+\]): ")


def sniff(head: bytes, path: str) -> Sniff | None:
    """Judge by the share of lines that begin with one of the kernel's time stamps."""
    if _dmesg_forms.JSON_HEAD.match(head):
        return Sniff(score=95, why="JSON as dmesg -J prints it")
    hits, total = _lines.share(head, _SNIFF.match)
    if hits == 0 or hits * 3 < total:
        return None
    monotonic, _ = _lines.share(head, _HOST_KERNEL.match)
    if monotonic * 2 > hits:
        return None
    return Sniff(score=60 + 35 * hits // total, why=f"{hits} of {total} lines have kernel time stamps")


def rewriter(head: bytes) -> Callable[[Iterable[bytes]], Iterator[bytes]] | None:
    """Reader of forms whose message and time stand apart, by the first bytes; None where every line has its own."""
    if _dmesg_forms.JSON_HEAD.match(head):
        return _dmesg_forms.from_json
    if any(_dmesg_forms.RELATIVE.search(line, 0, 200) for line in _lines.head_lines(head)):
        return _dmesg_forms.from_relative
    if _lines.ANSI.search(head):
        return _dmesg_forms.from_coloured
    records, total = _lines.share(head, _KMSG.match)
    return _dmesg_forms.from_records if records * 2 > total else None


def prefix(line: bytes) -> Prefix | None:
    """Read level and time stamp of one line in any of the forms."""
    record = _KMSG.match(line)
    if record is not None:
        stamp = RawStamp(StampKind.UPTIME, int(record[2]) / 1e6, 1e-6)
        return Prefix(stamp=stamp, program="kernel", level=_LEVELS[int(record[1]) & 7], start=record.end())
    head = _HEAD.match(line)
    at = head.end() if head else 0
    stamped = _stamp(line, at)
    if stamped is None:
        return None
    stamp_read, end = stamped
    behind = _BEHIND.match(line, end)
    level = _level(head["pri"], head["word"]) if head else None
    return Prefix(stamp=stamp_read, program="kernel", level=level, start=behind.end() if behind else end)


def _level(priority: bytes | None, word: bytes | None) -> str | None:
    if word is not None:
        return word.decode()
    return None if priority is None else _LEVELS[int(priority) & 7]


def _stamp(line: bytes, at: int) -> tuple[RawStamp | None, int] | None:
    """The stamp at an offset and the offset behind it; the stamp is None for a ``[  +1.5]`` difference."""
    if line[at : at + 1] != b"[":
        read = _time.iso(line, at)
        return (read.stamp, read.end) if read else None
    uptime = _time.uptime(line, at)
    if uptime is not None:
        return uptime.stamp, uptime.end
    wall = _time.ctime(line, at + 1)
    if wall is not None and line[wall.end : wall.end + 1] == b"]":
        return wall.stamp, wall.end + 1
    return _rare_stamp(line, at)


def _rare_stamp(line: bytes, at: int) -> tuple[RawStamp | None, int] | None:
    delta = _time.uptime_with_delta(line, at)
    if delta is not None:
        return delta.stamp, delta.end
    minute = _dmesg_forms.MINUTE.match(line, at)
    if minute is not None:
        read = _time.bsd(b"%s %s %s:%s" % (minute[1], minute[2], minute[3], minute[4] or b"00"))
        stamp = RawStamp(read.stamp.kind, read.stamp.seconds, 60.0) if read else None
        return stamp, minute.end()
    relative = _dmesg_forms.RELATIVE.match(line, at)
    return (None, relative.end()) if relative else None
