"""Heads of lines in a job's output: NCCL, PyTorch, Python logging and Slurm, behind any launcher's prefix."""

from __future__ import annotations

import re
from typing import Final

from analyzer.model.stamps import Prefix, RawStamp
from parsers import _lines, _time

NCCL_HEAD: Final = re.compile(
    rb"(?P<host>[^\s:\[\]<>(){}\"',]{1,253}):(?P<pid>\d{1,10}):(?P<tid>\d{1,10}) "
    rb"(?:\[-?\d{1,10}\] )?(?:\d{1,12}\.\d{1,9} )?"
    rb"(?:[\w./<>+-]{1,120}:\d{1,6}(?: \([^)]{0,120}\))? )?"
    rb"(?:NCCL (?P<level>INFO|WARN|TRACE|CALL)|(?<=\] )(?P<old>INFO|WARN)) ?"
)
_BARE_VERSION: Final = re.compile(rb"NCCL version \d")
_GLOG_TAIL: Final = re.compile(rb" (?:\d{1,10} )?[\w./<>-]{1,200}(?::\d{1,6})?\] ?")
_GLOG_DATELESS: Final = re.compile(rb"\[(?P<letter>[IWEF]) [\w./]{1,120}:\d{1,6}\] ?")
_SLURM: Final = re.compile(
    rb"(?P<program>srun|slurmstepd|sbatch)(?:-[\w.-]{1,64})?: (?:(?P<level>error|fatal|warning): )?"
)
_SLURM_AT: Final = re.compile(rb" ON (?P<host>[\w.-]{1,253}) [^*\n]{0,80}?AT (?P<at>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)")
_SUMMARY: Final = re.compile(rb" {0,8}(?:\[\d{1,6}\]:)? {0,8}time {1,8}: (?=\d{4}-\d\d-\d\d_)")
_DATED_LEVEL: Final = re.compile(
    rb"(?P<level>DEBUG|INFO|WARNING|WARN|ERROR|CRITICAL|FATAL) (?P<month>\d\d)-(?P<day>\d\d) (?P<clock>\d\d:\d\d:\d\d) "
)
_LEVEL: Final = re.compile(rb"\b(DEBUG|INFO|WARNING|WARN|ERROR|CRITICAL|FATAL)\b")
_BEFORE_LEVEL_BYTES: Final = 80
_HEAD_BYTES: Final = 400
_MONTHS: Final = b"JanFebMarAprMayJunJulAugSepOctNovDec"
_OPENINGS: Final = (b"[rank", b"[E ", b"[W ", b"Traceback (most", b"slurmstepd: ", b"srun: ")
_LETTERS: Final = {b"I": "info", b"W": "warning", b"E": "error", b"F": "fatal"}


def prefix(line: bytes) -> Prefix | None:
    """Read the head of one line of a job's output; None for text without any head."""
    tag = _lines.launcher(line, _is_message)
    head = _nccl_head(line, tag.end)
    if head is not None:
        return _nccl(line, tag, head)
    found = _python(line, tag.end) or _glog(line, tag.end) or _slurm(line, tag.end) or _summary(line, tag.end)
    if found is None:
        return Prefix(stamp=tag.stamp, host=tag.host, start=tag.end) if tag.end else None
    stamp = tag.stamp or found.stamp
    return Prefix(stamp, found.host or tag.host, found.program, found.level, found.start)


def is_nccl(line: bytes) -> bool:
    """True for a line that NCCL wrote."""
    return b"NCCL " in line and (_nccl_head(line, 0) is not None or _BARE_VERSION.match(line) is not None)


def _nccl_head(line: bytes, at: int) -> re.Match[bytes] | None:
    """NCCL's own head near an offset; most lines of a job are told apart by the missing word alone."""
    end = at + _HEAD_BYTES
    if line.find(b"NCCL ", at, end) < 0 and line.find(b"] INFO", at, end) < 0 and line.find(b"] WARN", at, end) < 0:
        return None
    return NCCL_HEAD.search(line, at, end)


def _is_message(line: bytes, at: int) -> bool:
    """True when the head of a NCCL, PyTorch or Python message begins at an offset."""
    if line.startswith(_OPENINGS, at) or NCCL_HEAD.match(line, at):
        return True
    if _time.glog(line, at) or _time.iso(line, at) or _DATED_LEVEL.match(line, at):
        return True
    if line[at : at + 1] == b"[":
        return _time.glog(line, at + 1) is not None or _time.iso(line, at + 1) is not None
    return False


def _nccl(line: bytes, tag: _lines.Launcher, head: re.Match[bytes]) -> Prefix:
    stamp = tag.stamp or _stamp_between(line, tag.end, head.start())
    level = head["level"] or head["old"]
    return Prefix(
        stamp=stamp,
        host=head["host"].decode("utf-8", "replace"),
        program="nccl",
        level=level.decode().lower(),
        start=head.end(),
    )


def _stamp_between(line: bytes, start: int, end: int) -> RawStamp | None:
    """The first date and time in the bytes before NCCL's own head."""
    for at in range(start, min(end, start + 64)):
        if line[at : at + 1].isdigit():
            read = _time.iso(line, at)
            return read.stamp if read and read.end <= end else None
    return None


def _python(line: bytes, at: int) -> Prefix | None:
    """Python logging with an ISO-like date, or vLLM's ``INFO 08-10 22:58:11 [file:1]``."""
    dated = _DATED_LEVEL.match(line, at)
    if dated is not None:
        return _month_day(dated)
    bracket = line[at : at + 1] == b"["
    read = _time.iso(line, at + bracket)
    if read is None:
        return None
    start = read.end + (bracket and line[read.end : read.end + 1] == b"]")
    level = _LEVEL.search(line, start, start + _BEFORE_LEVEL_BYTES)
    return Prefix(stamp=read.stamp, level=level[1].decode().lower() if level else None, start=start)


def _month_day(dated: re.Match[bytes]) -> Prefix | None:
    month = int(dated["month"])
    if not 1 <= month <= 12:
        return None
    name = _MONTHS[3 * month - 3 : 3 * month]
    read = _time.bsd(b"%s %s %s" % (name, dated["day"], dated["clock"]))
    level = dated["level"].decode().lower()
    return Prefix(stamp=read.stamp if read else None, level=level, start=dated.end())


def _glog(line: bytes, at: int) -> Prefix | None:
    """``[E1106 07:41:08.123 a.cpp:616] `` of PyTorch's C++, ``W0917 09:02:11.113 140301 run.py:793] `` of Python."""
    dateless = _GLOG_DATELESS.match(line, at)
    if dateless is not None:
        return Prefix(program="pytorch", level=_LETTERS[dateless["letter"]], start=dateless.end())
    at += line[at : at + 1] == b"["
    read = _time.glog(line, at)
    tail = _GLOG_TAIL.match(line, read.end) if read else None
    if read is None or tail is None:
        return None
    return Prefix(stamp=read.stamp, program="pytorch", level=_LETTERS[line[at : at + 1]], start=tail.end())


def _slurm(line: bytes, at: int) -> Prefix | None:
    found = _SLURM.match(line, at)
    if found is None:
        return None
    cancelled = _SLURM_AT.search(line, found.end(), found.end() + _HEAD_BYTES)
    read = _time.iso(cancelled["at"]) if cancelled else None
    return Prefix(
        stamp=read.stamp if read else None,
        host=cancelled["host"].decode() if cancelled else None,
        program=found["program"].decode(),
        level=found["level"].decode() if found["level"] else None,
        start=found.end(),
    )


def _summary(line: bytes, at: int) -> Prefix | None:
    """The ``time :`` line of a torchrun failure summary."""
    found = _SUMMARY.match(line, at)
    read = _time.iso(line, found.end()) if found else None
    return Prefix(stamp=read.stamp, program="torchrun", start=found.end()) if found and read else None
