"""``ibqueryerrors``: counters above the threshold, by default every counter that is not zero; ports without are absent.

``-r`` adds each port's link and ``--data`` its traffic. A scan without an answer from the subnet manager prints a
warning and nothing else: no row of ``ib_checks`` means that nothing was checked.
"""

from __future__ import annotations

import re
from typing import Any, Final

from analyzer.model.formats import Dump, Sniff
from analyzer.model.tables import Row
from parsers import _fabric, _fabric_text, _ib_counters, _ib_ends, _sm_answers
from parsers._fabric_text import Line

FORMAT: Final = _fabric.fabric_format("ibqueryerrors", "InfiniBand port counters above the threshold (ibqueryerrors)")
TABLES: Final = (_fabric.IB_COUNTERS, _fabric.IB_LINKS, _fabric.IB_CHECKS, _fabric.SM_INFO)

_NODE: Final = re.compile(r'\s*(?:Errors|Data Counters) for (?:(0x[0-9a-fA-F]{1,16}) )?"(.*)"\s*')
_PORT: Final = re.compile(r"\s*GUID (0x[0-9a-fA-F]{1,16}) port\s+(ALL|\d+):(.*)")
_COUNTER: Final = re.compile(r"\[(\w{1,64}) == (\d{1,20})(?: \(([^)\]]{0,20})\))?\]")
_SUMMARY: Final = re.compile(r"## Summary: (\d+) nodes checked, (\d+) bad nodes found")
_PORTS: Final = re.compile(r"##\s+(\d+) ports checked, (\d+) ports have errors beyond threshold")
_DATA: Final = frozenset({"PortXmitData", "PortRcvData", "PortXmitPkts", "PortRcvPkts"})


def sniff(head: bytes, path: str) -> Sniff | None:
    """Recognise ``Errors for …``, a counter line or the summary."""
    lines = _fabric_text.head_lines(head)
    for line in lines:
        if _NODE.fullmatch(line.text) or _SUMMARY.match(line.text):
            return _fabric_text.claim(97, f"begins {line.text.strip()[:24]!r}", head, line.number)
    named = "ibqueryerrors" in path.rsplit("/", 1)[-1]
    return (
        Sniff(80, "file name, and an error of a query to the subnet manager")
        if named and any(_sm_answers.failure(line.text) for line in lines[:5])
        else None
    )


def parse(data: bytes, path: str) -> Dump:
    """Read counters, links (``-r``) and the summary; lines ``port ALL`` are totals and only counted."""
    reader = _Reader()
    for line in _fabric_text.lines(data):
        reader.take(line)
    reader.end()
    return Dump(reader.rows, reader.unread.problems())


class _Reader:
    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.unread = _fabric_text.Unread()
        self._desc: str | None = None
        self._kind: str | None = None
        self._guid: str | None = None
        self._totals = 0
        self._check: dict[str, Any] = {}
        self._check_line: Line | None = None

    def take(self, line: Line) -> None:
        node, port = _NODE.fullmatch(line.text), _PORT.fullmatch(line.text)
        if node:
            self._guid = node[1]
            self._desc = node[2].strip()
            self._kind = "switch" if node[1] else "ca"
        elif port:
            self._take_counters(line, port[1], port[2], port[3])
        elif _ib_ends.is_link_end(line.text):
            self._take_link(line)
        elif line.text.startswith("##"):
            self._take_summary(line)
        elif answer := _sm_answers.failure_row("ibqueryerrors", line):
            self.rows.append(answer)
        else:
            self.unread.add_unless_noise(line)

    def _take_counters(self, line: Line, guid: str, port: str, rest: str) -> None:
        self._guid = guid
        number = _fabric_text.whole(port)
        if port == "ALL":
            self._totals += 1
            return
        if number is None:
            self.unread.add("damaged counter line", line)
            return
        place = _ib_counters.port_columns(guid, self._desc, self._kind, number, None)
        found = _COUNTER.findall(rest)
        for counter, value, human in found:
            wide = bool(human) and counter not in _DATA
            whole = _fabric_text.whole(value) or 0
            self.rows.append(_ib_counters.counter_row(line, place, counter, whole, wide=wide))
        if len(found) != rest.count("["):
            self.unread.add("damaged counter line", line)

    def _take_link(self, line: Line) -> None:
        end = _ib_ends.read(line.text)
        if end is None:
            self.unread.add("damaged link line", line)
            return
        values = _ib_ends.row_values(end, self._guid, self._desc, self._kind)
        self.rows.append(_fabric_text.row("ib_links", line, {**values, "listing": "errors"}, values["host"]))

    def _take_summary(self, line: Line) -> None:
        summary, ports = _SUMMARY.match(line.text), _PORTS.match(line.text)
        if summary:
            self.end()
            self._check_line = line
            self._check = {
                "nodes_checked": _fabric_text.whole(summary[1]),
                "bad_nodes": _fabric_text.whole(summary[2]),
            }
        elif ports:
            self._check["ports_checked"] = _fabric_text.whole(ports[1])
            self._check["bad_ports"] = _fabric_text.whole(ports[2])
        elif line.text.startswith("## Thresholds:"):
            self._check["thresholds"] = line.text.partition(":")[2].strip()
        elif line.text.startswith("## Suppressed:"):
            self._check["suppressed"] = line.text.partition(":")[2].split()

    def end(self) -> None:
        """Close the summary read so far, if there is one."""
        if self._check_line is not None:
            values = {"tool": "ibqueryerrors", **self._check, "totals_skipped": self._totals}
            self.rows.append(_fabric_text.row("ib_checks", self._check_line, values))
            self._totals = 0
        self._check, self._check_line = {}, None
