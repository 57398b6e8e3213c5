"""Report of the kernel about itself, with a stack: oops, BUG, warning, panic, lock-up, RCU stall, blocked task."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

from analyzer.model.formats import Format
from analyzer.model.tables import Column, Row, TableSpec
from parsers import _lines

FORMAT: Final = Format(
    name="kernel_trace",
    kind="block",
    families=frozenset({"kernel"}),
    title="report of the kernel with a stack (oops, lock-up, blocked task)",
)
ANCHOR: Final = (
    r"BUG: unable to handle |BUG: kernel NULL pointer |kernel BUG at |general protection fault|"
    r"Unable to handle kernel |"
    r"BUG: soft lockup - CPU#|Watchdog detected hard LOCKUP on cpu|self-detected stall on CPU|"
    r"detected stalls on CPUs/tasks|INFO: task .{1,40} blocked for more than |WARNING: CPU: |WARNING: at |"
    r"Kernel panic - not syncing: "
)
MAX_LINES: Final = 160

TABLES: Final = (
    TableSpec(
        name="kernel_traces",
        doc="One report of the kernel about itself, with the stack it printed.",
        snapshot=False,
        columns=(
            Column("kind", "str", "oops, bug, soft_lockup, hard_lockup, rcu_stall, hung_task, warning or panic"),
            Column("detail", "str", "what the first line says"),
            Column("process", "str", "task that was running or is blocked, cut at 15 characters", "process"),
            Column("pid", "int", "its process id"),
            Column("cpu", "int", "processor that reports"),
            Column("stuck_s", "int", "seconds for which the processor or the task has made no progress"),
            Column("function", "str", "where the processor stood (RIP, pc), without offset"),
            Column("module", "str", "module of that function, else of the first frame that lies in one"),
            Column("frames", "strs", "functions of the stack, innermost first, without guesses (?)"),
            Column("modules", "strs", "modules of the frames, innermost first"),
            Column("kernel", "str", "kernel release printed with it"),
            Column("tainted", "str", "taint letters; null when not tainted or not printed"),
            Column("modules_loaded", "int", "modules linked in, if they are listed"),
        ),
    ),
)

_KINDS: Final = (
    (
        re.compile(
            rb"BUG: soft lockup - CPU#(?P<cpu>\d{1,5}) stuck for (?P<stuck>\d{1,6})s! "
            rb"\[(?P<process>.{1,40}?):(?P<pid>\d{1,10})\]"
        ),
        "soft_lockup",
    ),
    (re.compile(rb"Watchdog detected hard LOCKUP on cpu (?P<cpu>\d{1,5})"), "hard_lockup"),
    (re.compile(rb"self-detected stall on CPU|detected stalls on CPUs/tasks"), "rcu_stall"),
    (
        re.compile(rb"INFO: task (?P<process>.{1,40}?):(?P<pid>\d{1,10}) blocked for more than (?P<stuck>\d{1,6}) s"),
        "hung_task",
    ),
    (re.compile(rb"WARNING: (?:CPU: (?P<cpu>\d{1,5}) PID: (?P<pid>\d{1,10}) )?at "), "warning"),
    (re.compile(rb"Kernel panic - not syncing: "), "panic"),
    (re.compile(rb"kernel BUG at "), "bug"),
    (re.compile(rb"BUG: |general protection fault|Unable to handle kernel "), "oops"),
)
_ANCHOR: Final = re.compile(ANCHOR.encode())
_TASK: Final = re.compile(
    rb"CPU: (?P<cpu>\d{1,5}) (?:UID: \d{1,10} )?PID: (?P<pid>\d{1,10}) Comm: (?P<process>.{1,40}?) "
    rb"(?:Kdump: loaded )?(?:Tainted: (?P<tainted>[A-Z ]{1,40}?)|Not tainted) +(?P<kernel>\d\S{1,80})"
)
_AT: Final = re.compile(
    rb"(?:RIP: (?:[0-9a-f]{4}:)?|\bpc : |RIP \[<[0-9a-f]{1,16}>\] )"
    rb"(?:\[<[0-9a-f]{1,16}>\] +){0,2}"
    rb"(?P<function>[A-Za-z_][\w.]{0,120})\+0x[0-9a-f]{1,8}/0x[0-9a-f]{1,8}(?: \[(?P<module>[\w-]{1,64})\])?"
)
_FRAME: Final = re.compile(
    rb"(?:^|[\]:;>] ) {0,8}(?:\[<[0-9a-f]{1,16}>\] )?(?P<guess>\? )?"
    rb"(?P<function>[A-Za-z_][\w.]{0,120})\+0x[0-9a-f]{1,8}/0x[0-9a-f]{1,8}"
    rb"(?: \[(?P<module>[\w-]{1,64})(?: [^\]]{1,64})?\])?\s*$"
)
_STALL: Final = re.compile(
    rb"\(t=(?P<jiffies>\d{1,12}) jiffies |\bdetected by (?P<cpu>\d{1,5}), t=(?P<other>\d{1,12}) jiffies"
)
_MODULES: Final = re.compile(rb"Modules linked in: ?(.*)")
_END: Final = re.compile(rb"---\[ end |</TASK>")
_MAX_FRAMES: Final = 40
_MAX_DETAIL: Final = 300


def ends(line: bytes, count: int) -> bool:
    """True where the kernel marks the end of a report or of the task's stack."""
    return _END.search(line) is not None


def read(lines: Sequence[bytes], first_line: int) -> Sequence[Row]:
    """Read one report; it ends where the next one begins."""
    found = next(((form, kind) for form, kind in _KINDS if lines and form.search(lines[0])), None)
    if found is None:
        return []
    form, kind = found
    values: dict[str, Any] = {"kind": kind, "detail": _detail(lines[0]), "frames": [], "modules": []}
    opening = form.search(lines[0])
    _note(values, opening.groupdict() if opening else {})
    for line in _own(lines):
        _take(line, values)
    values["module"] = values.get("module") or next(iter(values["modules"]), None)
    return [Row(table="kernel_traces", values=values, line=first_line, text=_lines.text(lines[0]))]


def _own(lines: Sequence[bytes]) -> Iterable[bytes]:
    """Lines of the report itself, those that rsyslog folded into one taken apart."""
    for number, line in enumerate(lines):
        pieces = line.split(b"#012")
        if number and _ANCHOR.search(pieces[0]) and b"Kernel panic" not in pieces[0]:
            return
        yield from pieces


def _detail(line: bytes) -> str:
    anchor = _ANCHOR.search(line)
    return _lines.text(line[anchor.start() if anchor else 0 :].split(b"#012")[0])[:_MAX_DETAIL].strip()


def _take(line: bytes, values: dict[str, Any]) -> None:
    if task := _TASK.search(line):
        _note(values, task.groupdict())
    elif at := _AT.search(line):
        _note(values, at.groupdict())
    elif frame := _FRAME.search(line):
        _frame(frame, values)
    elif modules := _MODULES.search(line):
        values.setdefault("modules_loaded", len(modules[1].split(b" [")[0].split()))
    elif stall := _STALL.search(line):
        _note(values, {"cpu": stall["cpu"]})


def _frame(frame: re.Match[bytes], values: dict[str, Any]) -> None:
    if frame["guess"] or len(values["frames"]) >= _MAX_FRAMES:
        return
    values["frames"].append(frame["function"].decode())
    module = frame["module"].decode() if frame["module"] else None
    if module and module not in values["modules"]:
        values["modules"].append(module)


def _note(values: dict[str, Any], found: dict[str, bytes | None]) -> None:
    """Take what a line states; the first word on a matter stands."""
    for name, value in found.items():
        if value is None:
            continue
        text = _lines.text(value).strip()
        key = "stuck_s" if name == "stuck" else name
        values.setdefault(
            key, int(text) if key in ("cpu", "pid", "stuck_s") else "".join(text.split()) if key == "tainted" else text
        )
