"""Output of ``sacct``: ``-P`` and ``-p`` with any delimiter, and the fixed-width form."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, Final, NamedTuple

from analyzer.model.formats import Dump, Format, Problem, Sniff
from analyzer.model.tables import MAX_TEXT, Row
from parsers._hostlist import Expander
from parsers._slurm import SLURM_JOBS
from parsers._slurm_states import job_state
from parsers._slurm_text import Line, codes, command_line, duration_s, lines, present, size, whole

FORMAT: Final = Format("sacct", "table", frozenset({"slurm"}), "Slurm accounting (sacct)")
TABLES: Final = (SLURM_JOBS,)

_NAME: Final = re.compile(r"[A-Za-z]{2,32}")
_DELIMITER: Final = re.compile(r"[A-Za-z]{2,32}([^A-Za-z\s]{1,4})")
_RULE: Final = re.compile(r"-{2,}(?: +-{2,})* *")
_JOB: Final = re.compile(r"(\d{1,12}(?:[_+](?:\d{1,9}|\[[^\]]{0,200}\]))?)(\.[\w+]{1,40})?\+?")
_BY: Final = re.compile(r"CANCELLED by (\d{1,10})")
_MAX_JOINED: Final = 50
_EARLY_LINES: Final = 5


class _Record(NamedTuple):
    line: Line
    cells: dict[str, str]


class _Columns(NamedTuple):
    """Names of the columns, and either a delimiter or the span of each in the line."""

    names: tuple[str, ...]
    delimiter: str
    spans: tuple[tuple[int, int], ...]


def sniff(head: bytes, path: str) -> Sniff | None:
    """Judge the first bytes and the path: a header line of sacct."""
    numbered = list(lines(head))
    for line, below in pairwise([*numbered, Line(0, "")]):
        if _delimited(line.text) or _fixed(line.text, below.text):
            early = line.number <= _EARLY_LINES
            named = "sacct" in path.rsplit("/", 1)[-1].lower()
            return Sniff(40 + 50 * early + 10 * named, f"line {line.number} is a header of sacct")
    return None


def parse(data: bytes, path: str) -> Dump:
    """Read every listing of the file; ``path`` is not used."""
    del path
    problems: list[Problem] = []
    hosts = Expander()
    rows = [row for record in _records(list(lines(data)), problems) for row in _rows(record, hosts, problems)]
    return Dump(rows, _counted(problems) + hosts.problems())


def _records(numbered: Sequence[Line], problems: list[Problem]) -> Iterator[_Record]:
    columns: _Columns | None = None
    at = 0
    while at < len(numbered):
        line = numbered[at]
        below = numbered[at + 1].text if at + 1 < len(numbered) else ""
        found = _delimited(line.text) or _fixed(line.text, below)
        at += 1
        if found is not None:
            columns = found
            at += not found.delimiter
        elif command_line(line.text) is not None:
            columns = None
        elif columns is not None and columns.delimiter:
            record, at = _joined(numbered, at - 1, columns)
            if record is None:
                problems.append(Problem("record has too few or too many fields", line.number))
            else:
                yield record
        elif columns is not None and line.text.strip():
            cells = (line.text[start:end].strip() for start, end in columns.spans)
            yield _Record(line, dict(zip(columns.names, cells, strict=True)))


def _joined(numbered: Sequence[Line], at: int, columns: _Columns) -> tuple[_Record | None, int]:
    """Read one delimited record, which goes on over lines where a field holds line breaks."""
    wanted = len(columns.names) - 1
    found = 0
    for end in range(at, min(at + _MAX_JOINED, len(numbered))):
        found += numbered[end].text.count(columns.delimiter)
        if not found or found > wanted + 1:
            break
        if found >= wanted:
            cells = "\n".join(line.text for line in numbered[at : end + 1]).split(columns.delimiter)
            if len(cells) == wanted + 2 and not cells[-1]:
                cells.pop()
            if len(cells) == wanted + 1:
                return _Record(numbered[at], dict(zip(columns.names, cells, strict=True))), end + 1
            break
    return None, at + 1


def _delimited(text: str) -> _Columns | None:
    found = _DELIMITER.match(text) if "JobID" in text else None
    if found is None:
        return None
    names = text.rstrip().removesuffix(found.group(1)).split(found.group(1))
    if "JobID" not in names or len(names) < 2 or not all(_NAME.fullmatch(name) for name in names):
        return None
    return _Columns(tuple(name.lower() for name in names), found.group(1), ())


def _fixed(text: str, below: str) -> _Columns | None:
    names = text.split() if "JobID" in text else []
    if "JobID" not in names or not _RULE.fullmatch(below):
        return None
    spans = tuple(found.span() for found in re.finditer("-+", below))
    if len(spans) != len(names):
        return None
    return _Columns(tuple(name.lower() for name in names), "", spans)


def _rows(record: _Record, hosts: Expander, problems: list[Problem]) -> Iterator[Row]:
    found = _JOB.fullmatch(record.cells["jobid"].strip())
    if found is None:
        problems.append(Problem("not a job number", record.line.number))
        return
    step = found.group(2)
    values = {"job": found.group(1), "step": found.group(1) + step if step else None} | _values(record.cells, hosts)
    yield Row(SLURM_JOBS.name, values, line=record.line.number, text=record.line.text[:MAX_TEXT])


def _values(cells: dict[str, str], hosts: Expander) -> dict[str, Any]:
    exit_code, exit_signal = codes(cells.get("exitcode"))
    derived_code, derived_signal = codes(cells.get("derivedexitcode"))
    by = _BY.match(cells.get("state", ""))
    requested = size(cells.get("reqmem"))
    largest = size(cells.get("maxrss"))
    node_list = present(cells.get("nodelist"))
    return {
        "name": present(cells.get("jobname")),
        "user": present(cells.get("user")),
        "account": present(cells.get("account")),
        "partition": present(cells.get("partition")),
        "state": job_state(cells["state"]) if cells.get("state") else None,
        "cancelled_by": whole(by.group(1)) if by else None,
        "exit_code": exit_code,
        "exit_signal": exit_signal,
        "derived_exit_code": derived_code,
        "derived_exit_signal": derived_signal,
        "nodes": list(hosts.expand(node_list or "")),
        "node_list": node_list,
        "reason": present(cells.get("reason")),
        "submit": present(cells.get("submit")),
        "start": present(cells.get("start")),
        "end": present(cells.get("end")),
        "elapsed_s": duration_s(cells.get("elapsed")),
        "time_limit_s": duration_s(cells.get("timelimit")),
        "req_mem_bytes": requested.size_bytes if requested else None,
        "req_mem_per": requested.per if requested else None,
        "max_rss_bytes": largest.size_bytes if largest else None,
        "tres": present(cells.get("alloctres")),
        "failed_node": present(cells.get("failednode")),
        "comment": present(cells.get("comment")),
        "command": "sacct",
    }


def _counted(problems: Sequence[Problem]) -> tuple[Problem, ...]:
    first: dict[str, Problem] = {}
    for problem in problems:
        seen = first.get(problem.text)
        first[problem.text] = Problem(problem.text, seen.line if seen else problem.line, seen.count + 1 if seen else 1)
    return tuple(first.values())
