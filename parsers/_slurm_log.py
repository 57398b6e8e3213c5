"""Head of a line of slurmctld.log, slurmd.log and slurmdbd.log, for every LogTimeFormat.

Grammar (src/common/log.c ``_log_msg``): ``[stamp] [step] level: message``. Information and verbose messages have no
level; ``sched: `` belongs to the scheduler's own log and may stand before or behind the stamp.
"""

from __future__ import annotations

import re
from typing import Final

from analyzer.model.formats import Sniff
from analyzer.model.stamps import Prefix
from parsers import _time

_STAMPED: Final = re.compile(rb"(?:sched: )?\[([^\]\n]{1,120})\] ")
_STEP: Final = re.compile(rb"\[\d+(?:\+\d+)?\.(?:batch|extern|interactive|TBD|\d+)\] ")
_LEVEL: Final = re.compile(rb"(fatal|error|warning|debug[2-5]?|internal error): {1,2}")
_SCHED: Final = re.compile(rb"sched: ")
_STDERR: Final = re.compile(rb"(slurmctld|slurmdbd|slurmd|slurmstepd|slurmscriptd)(?:-[A-Za-z0-9._-]{1,64})?: ")
_CPU_TICKS: Final = re.compile(rb" *\d+")

_NAME_SCORE: Final = 30
_GRAMMAR_SCORE: Final = 25
_MARKER_SCORE: Final = 65
_SNIFFED_LINES: Final = 200


def read_prefix(line: bytes, program: str) -> Prefix | None:
    """Read the head of one line of ``program``'s log.

    Lines of the step daemon inside slurmd.log (``[1.batch] ``) are said to come from ``slurmstepd``. Returns None for
    a line without a head: the continuation of a record (the output of a prolog).
    """
    head = _STAMPED.match(line)
    if head is None:
        return _stderr_prefix(line)
    read = _stamp(head.group(1))
    if read is None and not _CPU_TICKS.fullmatch(head.group(1)):
        return None
    return _message_prefix(line, head.end(), program, read)


def sniff_daemon(head: bytes, path: str, program: str, markers: re.Pattern[bytes]) -> Sniff | None:
    """Judge whether ``head`` begins the log of ``program``, known by ``markers`` that only its messages contain."""
    named = re.search(rf"{program}(?![a-z])", path.rsplit("/", 1)[-1].lower()) is not None
    marked = markers.search(head)
    if not named and marked is None:
        return None
    lines = [line for line in head.split(b"\n")[:_SNIFFED_LINES] if line.strip()]
    stamped = sum(1 for line in lines if read_prefix(line, program) is not None)
    if not stamped or 2 * stamped < len(lines):
        return None
    score = _GRAMMAR_SCORE + _NAME_SCORE * named + _MARKER_SCORE * (marked is not None)
    reason = f'"{marked.group().decode("ascii", "replace").strip()}"' if marked else "the file name"
    return Sniff(min(score, 100), f"Slurm daemon lines and {reason}")


def _stamp(text: bytes) -> _time.Read | None:
    return _time.iso(text) or _time.bsd(text)


def _stderr_prefix(line: bytes) -> Prefix | None:
    named = _STDERR.match(line)
    if named is None:
        return None
    return _message_prefix(line, named.end(), named.group(1).decode("ascii"), None)


def _message_prefix(line: bytes, at: int, program: str, read: _time.Read | None) -> Prefix:
    step = _STEP.match(line, at)
    if step is not None:
        at, program = step.end(), "slurmstepd"
    level = _LEVEL.match(line, at)
    at = level.end() if level else at
    sched = _SCHED.match(line, at)
    return Prefix(
        stamp=read.stamp if read else None,
        program=program,
        level=level.group(1).decode("ascii") if level else None,
        start=sched.end() if sched else at,
    )
