"""Out-of-memory report of the kernel: who asked, why it failed, what each task held, and who was killed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from analyzer.model.formats import Format
from analyzer.model.tables import Column, Row, TableSpec
from parsers import _lines

FORMAT: Final = Format(
    name="oom_report",
    kind="block",
    families=frozenset({"kernel"}),
    title="out-of-memory report of the kernel",
)
ANCHOR: Final = "invoked oom-killer: gfp_mask="
MAX_LINES: Final = 20_000

TABLES: Final = (
    TableSpec(
        name="oom_reports",
        doc="One out-of-memory report.",
        snapshot=False,
        columns=(
            Column("report_line", "int", "line of the report's first line; joins oom_tasks"),
            Column("invoked_by", "str", "process whose allocation failed", "process"),
            Column("order", "int", "size of the allocation as a power of two of pages"),
            Column("constraint", "str", "CONSTRAINT_NONE, _MEMCG, _CPUSET or _MEMORY_POLICY"),
            Column("limited_cgroup", "str", "control group whose limit was reached", "cgroup"),
            Column("killed_cgroup", "str", "control group of the victim", "cgroup"),
            Column("killed_process", "str", "name of the victim", "process"),
            Column("killed_pid", "int", "process id of the victim"),
            Column("killed_uid", "int", "user id of the victim"),
            Column("killed_rss_bytes", "int", "memory the victim held"),
            Column("cgroup_usage_bytes", "int", "memory the control group used"),
            Column("cgroup_limit_bytes", "int", "limit of the control group"),
            Column("total_bytes", "int", "memory of the node"),
            Column("free_bytes", "int", "free memory at that moment"),
            Column("shmem_bytes", "int", "shared memory (tmpfs, /dev/shm) at that moment"),
            Column("tasks", "int", "rows of the task table"),
            Column("page_bytes", "int", "page size used for the conversion"),
        ),
    ),
    TableSpec(
        name="oom_tasks",
        doc="One task of an out-of-memory report.",
        snapshot=False,
        columns=(
            Column("report_line", "int", "line of the report's first line; joins oom_reports"),
            Column("process", "str", "name, cut at 15 characters by the kernel", "process"),
            Column("pid", "int", "process id"),
            Column("uid", "int", "user id"),
            Column("rss_bytes", "int", "memory held"),
            Column("virtual_bytes", "int", "address space"),
            Column("swap_bytes", "int", "memory swapped out"),
            Column("oom_score_adj", "int", "adjustment; -1000 and -999 protect from being chosen"),
            Column("killed", "bool", "true for the victim"),
        ),
    ),
)

DEFAULT_PAGE_BYTES: Final = 4096
_PAGE_SIZES_BYTES: Final = (4096, 16_384, 65_536)
_INVOKED: Final = re.compile(rb"([^\s:\]][^\n]{0,63}?) invoked oom-killer: .{0,200}?order=(-?\d{1,3})")
_HEAD: Final = re.compile(rb"^.{0,120}?(?:\] |kernel: )")
_TASK: Final = re.compile(rb"\[ *(\d{1,10})\]((?: +-?\d{1,20}){5,10}) +(\S.{0,63})$")
_COLUMNS: Final = re.compile(rb"\[ {0,4}pid {0,4}\] +(uid +tgid +total_vm +rss.{0,120}?) +name\b")
_CHOICE: Final = re.compile(
    rb"oom-kill:constraint=(?P<constraint>CONSTRAINT_\w{1,20}),.{0,600}?"
    rb"(?:global_oom|oom_memcg=(?P<limited>[^,]{1,400})),task_memcg=(?P<cgroup>[^,]{1,400}),"
    rb"task=(?P<process>.{1,64}?),pid=(?P<pid>\d{1,10}),uid=(?P<uid>\d{1,10})"
)
_KILLED: Final = re.compile(
    rb"Killed process (?P<pid>\d{1,10}),? (?:UID \d{1,10},? )?\((?P<process>.{1,64}?)\),? "
    rb"(?:UID \d{1,10},? )?total-vm:\d{1,15}kB, anon-rss:(?P<anon>\d{1,15})kB, file-rss:(?P<file>\d{1,15})kB"
    rb"(?:, shmem-rss:(?P<shmem>\d{1,15})kB)?(?:, UID:(?P<uid>\d{1,10}))?"
)
_USAGE: Final = re.compile(rb"\bmemory: usage (\d{1,15})kB, limit (\d{1,15})kB")
_RAM: Final = re.compile(rb"(\d{1,12}) pages RAM")
_FREE: Final = re.compile(rb" free:(\d{1,12}) ")
_SHMEM: Final = re.compile(rb" shmem:(\d{1,12}) ")
_OLD_COLUMNS: tuple[str, ...] = ("uid", "tgid", "total_vm", "rss", "nr_ptes", "swapents", "oom_score_adj")


def ends(line: bytes, count: int) -> bool:
    """True at the line that names the killed process."""
    return b"Killed process " in line


def read(lines: Sequence[bytes], first_line: int) -> Sequence[Row]:
    """Read one report; lines of other messages in between are passed over."""
    report: dict[str, Any] = {"report_line": first_line}
    tasks: list[tuple[int, bytes, dict[str, Any]]] = []
    columns = _OLD_COLUMNS
    for offset, line in enumerate(lines):
        header = _COLUMNS.search(line)
        if header is not None:
            columns = tuple(name.decode() for name in header[1].split())
        task = _TASK.search(line) if header is None else None
        if task is not None:
            tasks.append((first_line + offset, line, _task(task, columns)))
        else:
            _note(line, report)
    page_bytes = _page_bytes(tasks, report)
    rows = [_task_row(place, line, task, report, page_bytes) for place, line, task in tasks]
    return [_report_row(lines, first_line, report, len(tasks), page_bytes), *rows]


def _note(line: bytes, report: dict[str, Any]) -> None:
    """Take what one line says about the report as a whole; the first word on a matter stands."""
    found: Mapping[str, Any] = {}
    if match := _INVOKED.search(line):
        name = _HEAD.sub(b"", match[0]).split(b" invoked oom-killer")[0]
        found = {"invoked_by": _lines.text(name), "order": int(match[2])}
    elif match := _CHOICE.search(line):
        found = _choice(match)
    elif match := _KILLED.search(line):
        found = _killed(match)
    elif match := _USAGE.search(line):
        found = {"cgroup_usage_bytes": int(match[1]) * 1024, "cgroup_limit_bytes": int(match[2]) * 1024}
    elif match := _RAM.search(line):
        found = {"total_pages": int(match[1])}
    else:
        pages = (("free_pages", _FREE.search(line)), ("shmem_pages", _SHMEM.search(line)))
        found = {key: int(counted[1]) for key, counted in pages if counted}
    for key, value in found.items():
        if value is not None:
            report.setdefault(key, value)


def _choice(match: re.Match[bytes]) -> dict[str, Any]:
    limited = match["limited"]
    return {
        "constraint": match["constraint"].decode(),
        "limited_cgroup": _lines.text(limited) if limited else None,
        "killed_cgroup": _lines.text(match["cgroup"]),
        "killed_process": _lines.text(match["process"]),
        "killed_pid": int(match["pid"]),
        "killed_uid": int(match["uid"]),
    }


def _killed(match: re.Match[bytes]) -> dict[str, Any]:
    held_kib = int(match["anon"]) + int(match["file"]) + int(match["shmem"] or 0)
    return {
        "killed_process": _lines.text(match["process"]),
        "killed_pid": int(match["pid"]),
        "killed_uid": int(match["uid"]) if match["uid"] else None,
        "killed_rss_bytes": held_kib * 1024,
    }


def _task(match: re.Match[bytes], columns: tuple[str, ...]) -> dict[str, Any]:
    task: dict[str, Any] = dict(zip(columns, map(int, match[2].split()), strict=False))
    task["pid"] = int(match[1])
    task["process"] = _lines.text(match[3]).strip()
    return task


def _page_bytes(tasks: Sequence[tuple[int, bytes, Mapping[str, Any]]], report: Mapping[str, Any]) -> int:
    """Page size that makes the victim's table row agree with the kilobytes it is said to have held."""
    held = report.get("killed_rss_bytes")
    pages = next((task.get("rss") for _, _, task in tasks if task["pid"] == report.get("killed_pid")), None)
    if not held or not pages:
        return DEFAULT_PAGE_BYTES
    return min(_PAGE_SIZES_BYTES, key=lambda size: abs(held / pages - size))


def _task_row(place: int, line: bytes, task: Mapping[str, Any], report: Mapping[str, Any], page_bytes: int) -> Row:
    values = {
        "report_line": report["report_line"],
        "process": task["process"],
        "pid": task["pid"],
        "uid": task.get("uid"),
        "rss_bytes": _scaled(task.get("rss"), page_bytes),
        "virtual_bytes": _scaled(task.get("total_vm"), page_bytes),
        "swap_bytes": _scaled(task.get("swapents"), page_bytes),
        "oom_score_adj": task.get("oom_score_adj"),
        "killed": task["pid"] == report.get("killed_pid"),
    }
    return Row(table="oom_tasks", values=values, line=place, text=_lines.text(line))


def _report_row(lines: Sequence[bytes], first_line: int, report: Mapping[str, Any], tasks: int, page_bytes: int) -> Row:
    values = {name: value for name, value in report.items() if not name.endswith("_pages")}
    for name in ("total", "free", "shmem"):
        values[f"{name}_bytes"] = _scaled(report.get(f"{name}_pages"), page_bytes)
    values |= {"tasks": tasks, "page_bytes": page_bytes}
    return Row(table="oom_reports", values=values, line=first_line, text=_lines.text(lines[0]) if lines else "")


def _scaled(pages: int | None, page_bytes: int) -> int | None:
    return None if pages is None else pages * page_bytes
