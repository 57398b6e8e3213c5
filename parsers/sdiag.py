"""Output of ``sdiag``, one or several in a file."""

from __future__ import annotations

import re
from typing import Any, Final

from analyzer.model.formats import Dump, Format, Problem, Sniff
from analyzer.model.tables import MAX_TEXT, Row
from parsers._sdiag import SDIAG, SDIAG_RPC
from parsers._slurm_text import Line, command_line, lines, whole

FORMAT: Final = Format("sdiag", "table", frozenset({"slurm"}), "Slurm controller statistics (sdiag)")
TABLES: Final = (SDIAG, SDIAG_RPC)

_START: Final = re.compile(r"sdiag output at .{0,80}\((\d{1,12})\)")
_SINCE: Final = re.compile(r"Data since .{0,80}\((\d{1,12})\)")
_FIGURE: Final = re.compile(r"\s*([A-Z][A-Za-z ()]{1,60}?):\s+(\d{1,18})$")
_LATENCY: Final = re.compile(r"Latency for 1000 calls to gettimeofday\(\): (\d{1,12}) microseconds")
_RPC: Final = re.compile(
    r"\s+(\S{1,64})\s+\( *(\d{1,10})\) +count: *(\d{1,18}) +ave_time: *(\d{1,18}) +total_time: *(\d{1,18})(.*)$"
)
_EXTRA: Final = re.compile(r"(queued|dropped): *(\d{1,18})")

_GENERAL: Final = {
    "Server thread count": "server_threads",
    "Agent queue size": "agent_queue",
    "Agent count": "agent_count",
    "Agent thread count": "agent_threads",
    "DBD Agent queue size": "dbd_agent_queue",
    "Jobs submitted": "jobs_submitted",
    "Jobs started": "jobs_started",
    "Jobs completed": "jobs_completed",
    "Jobs canceled": "jobs_canceled",
    "Jobs failed": "jobs_failed",
    "Jobs pending": "jobs_pending",
    "Jobs running": "jobs_running",
}
_MAIN: Final = {
    "Last cycle": "main_last_us",
    "Max cycle": "main_max_us",
    "Mean cycle": "main_mean_us",
    "Total cycles": "main_cycles",
    "Last queue length": "main_queue",
}
_BACKFILL: Final = {
    "Last cycle": "backfill_last_us",
    "Max cycle": "backfill_max_us",
    "Mean cycle": "backfill_mean_us",
    "Total cycles": "backfill_cycles",
    "Last depth cycle": "backfill_depth",
    "Last queue length": "backfill_queue",
}
_SECTIONS: Final[tuple[tuple[str, str], ...]] = (
    ("Main schedule statistics", "main"),
    ("Backfilling stats", "backfill"),
    ("Remote Procedure Call statistics by message type", "type"),
    ("Remote Procedure Call statistics by user", "user"),
    ("Pending RPC statistics", "pending"),
)


class _Snapshot:
    """One output while it is read."""

    def __init__(self, number: int, line: Line, at_s: float) -> None:
        self.line = line
        self.values: dict[str, Any] = {"snapshot": number, "at_s": at_s, "since_s": None}
        self.section = "general"
        self.calls: list[tuple[Line, dict[str, Any]]] = []

    def rows(self) -> list[Row]:
        at_s = self.values["at_s"]
        shared = {key: self.values[key] for key in ("snapshot", "at_s", "since_s")}
        head = Row(SDIAG.name, self.values, line=self.line.number, text=self.line.text[:MAX_TEXT], stamp_s=at_s)
        calls = (
            Row(SDIAG_RPC.name, shared | call, line=line.number, text=line.text[:MAX_TEXT], stamp_s=at_s)
            for line, call in self.calls
        )
        return [head, *calls]


def sniff(head: bytes, path: str) -> Sniff | None:
    """Judge the first bytes: ``sdiag output at``; the path is not looked at."""
    del path
    for line in lines(head):
        if _START.match(line.text):
            return Sniff(100 if line.number <= 5 else 50, f'line {line.number} is "sdiag output at"')
    return None


def parse(data: bytes, path: str) -> Dump:
    """Read every output in the file; ``path`` is not used."""
    del path
    snapshots: list[_Snapshot] = []
    for line in lines(data):
        start = _START.match(line.text)
        if start is not None:
            snapshots.append(_Snapshot(len(snapshots), line, float(start.group(1))))
        elif command_line(line.text) is not None and snapshots:
            snapshots[-1].section = "over"
        elif snapshots:
            _read_line(snapshots[-1], line)
    cut = [found for found in snapshots if "server_threads" not in found.values]
    problems = (Problem("output without a thread count", cut[0].line.number, len(cut)),) if cut else ()
    rows = [row for snapshot in snapshots for row in snapshot.rows()]
    return Dump(rows, problems, taken_s=snapshots[-1].values["at_s"] if snapshots else None)


def _read_line(snapshot: _Snapshot, line: Line) -> None:
    for title, section in _SECTIONS:
        if line.text.startswith(title):
            snapshot.section = section
            return
    if snapshot.section in ("type", "user"):
        call = _call(line.text, snapshot.section)
        if call is not None:
            snapshot.calls.append((line, call))
        return
    _read_figure(snapshot, line.text)


def _read_figure(snapshot: _Snapshot, text: str) -> None:
    since = _SINCE.match(text)
    if since is not None:
        snapshot.values["since_s"] = float(since.group(1))
        return
    latency = _LATENCY.match(text)
    if latency is not None:
        snapshot.values["gettimeofday_us"] = int(latency.group(1))
        return
    names = {"general": _GENERAL, "main": _MAIN, "backfill": _BACKFILL}.get(snapshot.section, {})
    figure = _FIGURE.match(text)
    if figure is not None and figure.group(1) in names:
        snapshot.values.setdefault(names[figure.group(1)], int(figure.group(2)))


def _call(text: str, kind: str) -> dict[str, Any] | None:
    found = _RPC.match(text)
    if found is None:
        return None
    name, number, count, mean, total, rest = found.groups()
    extra = {key: whole(value) for key, value in _EXTRA.findall(rest)}
    return {
        "kind": kind,
        "name": name,
        "user": name if kind == "user" else None,
        "number": int(number),
        "count": int(count),
        "ave_us": int(mean),
        "total_us": int(total),
        "queued": extra.get("queued"),
        "dropped": extra.get("dropped"),
    }
