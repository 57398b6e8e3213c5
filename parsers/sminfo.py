"""``sminfo``: the subnet manager that answers a host, or that none does."""

from __future__ import annotations

import re
from typing import Final

from analyzer.model.formats import Dump, Sniff
from analyzer.model.tables import Row
from parsers import _fabric, _fabric_text, _sm_answers

FORMAT: Final = _fabric.fabric_format("sminfo", "subnet manager as a host reaches it (sminfo)")
TABLES: Final = (_fabric.SM_INFO,)

_ANSWER: Final = re.compile(
    r"sminfo: sm lid (\d+) sm guid (0x[0-9a-fA-F]{1,16}), activity count (\d+) priority (\d+) state (\d+)"
    r"(?: (?:SMINFO_)?(\w+))?"
)
_STATES: Final = ("NOTACTIVE", "DISCOVERING", "STANDBY", "MASTER")


def sniff(head: bytes, path: str) -> Sniff | None:
    """Recognise the tool's only answer, or its error."""
    for line in _fabric_text.head_lines(head, 20):
        if line.text.startswith(("sminfo: sm lid ", "sminfo: iberror")):
            return _fabric_text.claim(98, "begins 'sminfo:'", head, line.number)
    named = "sminfo" in path.rsplit("/", 1)[-1]
    failed = any(_sm_answers.query_failure(line.text) for line in _fabric_text.head_lines(head, 5))
    return Sniff(80, "file name, and an error of a query to the subnet manager") if named and failed else None


def parse(data: bytes, path: str) -> Dump:
    """Read one ``sm_info`` row per answer or failure."""
    unread = _fabric_text.Unread()
    rows: list[Row] = []
    for line in _fabric_text.lines(data):
        answer = _ANSWER.match(line.text.strip())
        failed = _sm_answers.failure_row("sminfo", line, _sm_answers.query_failure(line.text))
        if answer:
            values = {
                "tool": "sminfo",
                "ok": True,
                "lid": _fabric_text.whole(answer[1]),
                "guid": answer[2],
                "guid_id": _fabric_text.guid_id(answer[2]),
                "activity": _fabric_text.whole(answer[3]),
                "priority": _fabric_text.whole(answer[4]),
                "state": answer[6] or state_name(_fabric_text.whole(answer[5])),
            }
            rows.append(_fabric_text.row("sm_info", line, values))
        elif failed:
            rows.append(failed)
        else:
            unread.add_unless_noise(line)
    return Dump(rows, unread.problems())


def state_name(number: int | None) -> str | None:
    """Name of a manager's state, from its number (InfiniBand specification, SMInfo attribute)."""
    return _STATES[number] if number is not None and number < len(_STATES) else None
