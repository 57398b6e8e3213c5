"""Output of ``ps`` in any layout that names a process state and a command."""

from __future__ import annotations

from typing import Any, Final

from analyzer.model.formats import Dump, Format, Problem, Sniff
from analyzer.model.tables import MAX_TEXT, Column, Row, TableSpec
from parsers._slurm_columns import Header, cells, header
from parsers._slurm_text import command_line, duration_s, lines, present, whole

FORMAT: Final = Format("ps", "table", frozenset({"host"}), "process list (ps)")

PROCESSES: Final = TableSpec(
    "processes",
    "one row per process",
    (
        Column("pid", "int", "process number", "process"),
        Column("user", "str", "owner", "user"),
        Column("stat", "str", "state as printed, e.g. D, Sl, R+"),
        Column("blocked", "bool", "true in uninterruptible sleep (D): waits in the kernel and cannot be killed"),
        Column("wchan", "str", "kernel function it waits in"),
        Column("elapsed_s", "int", "seconds since its start"),
        Column("command", "str", "command line"),
    ),
)
TABLES: Final = (PROCESSES,)

_NAMES: Final = frozenset(
    {
        "USER", "UID", "PID", "PPID", "PGID", "SID", "LWP", "NLWP", "S", "STAT", "WCHAN", "ELAPSED", "TIME", "COMMAND",
        "CMD", "%CPU", "%MEM", "C", "VSZ", "RSS", "TTY", "START", "STIME", "STARTED", "NI", "PRI", "F", "ADDR", "SZ",
        "PSR", "CLS", "RTPRIO",
    }
)  # fmt: skip
_REQUIRED: Final = frozenset({"PID"})
_EARLY_LINES: Final = 5


def sniff(head: bytes, path: str) -> Sniff | None:
    """Judge the first bytes and the path: a header line of ps with a state and a command."""
    for line in lines(head):
        if _header(line.text) is not None:
            named = path.rsplit("/", 1)[-1].lower().startswith("ps")
            return Sniff(40 + 45 * (line.number <= _EARLY_LINES) + 10 * named, f"line {line.number} is a header of ps")
    return None


def parse(data: bytes, path: str) -> Dump:
    """Read every listing of the file; ``path`` is not used."""
    del path
    columns: Header | None = None
    rows: list[Row] = []
    misfits: list[int] = []
    for line in lines(data):
        found = _header(line.text)
        if found is not None:
            columns = found
        elif not line.text.strip() or command_line(line.text) is not None:
            columns = None
        elif columns is not None:
            values = cells(line.text, columns)
            if values is None or whole(values["PID"]) is None:
                misfits.append(line.number)
                continue
            rows.append(Row(PROCESSES.name, _values(values), line=line.number, text=line.text[:MAX_TEXT]))
    problems = (Problem("line does not fit the columns", misfits[0], len(misfits)),) if misfits else ()
    return Dump(rows, problems)


def _header(text: str) -> Header | None:
    found = header(text, _NAMES, _REQUIRED, ())
    if found is None or found.names[-1] not in ("COMMAND", "CMD") or not {"S", "STAT"} & set(found.names):
        return None
    return found


def _values(values: dict[str, str]) -> dict[str, Any]:
    stat = values.get("STAT", values.get("S", ""))
    elapsed = values.get("ELAPSED")
    return {
        "pid": whole(values["PID"]),
        "user": present(values.get("USER") or values.get("UID")),
        "stat": stat,
        "blocked": stat.startswith("D"),
        "wchan": None if values.get("WCHAN") == "-" else present(values.get("WCHAN")),
        "elapsed_s": whole(elapsed) if elapsed and elapsed.isdigit() else duration_s(elapsed),
        "command": values.get("COMMAND", values.get("CMD", "")).strip(),
    }
