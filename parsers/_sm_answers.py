"""What the fabric tools print when no subnet manager (SM) or subnet administration (SA) answers them."""

from __future__ import annotations

import re
from typing import Any, Final

from analyzer.model.tables import Row
from parsers import _fabric_text
from parsers._fabric_text import Line

_FAILURES: Final = (
    (False, "not_found", re.compile(r"No SM/SA found on port")),
    (False, "not_found", re.compile(r"Failed to bind to the SA")),
    (False, "timeout", re.compile(r"Query SA failed: Connection timed out")),
    (False, "timeout", re.compile(r"sa call path_query failed")),
    (False, "timeout", re.compile(r"sminfo: iberror: (?:\[[^\]]*\] )?(?:[\w: ]*)failed: query")),
    (None, "failed", re.compile(r"Query SA failed")),
    (
        None,
        "no_device",
        re.compile(r"can't open UMAD port|Failed to open '.{0,80}' port|failed to open umad|umad_init"),
    ),
    (None, "denied", re.compile(r"(?:sminfo|saquery|ibqueryerrors|iblinkinfo)\b.{0,60}Permission denied")),
)
_NO_ANSWER: Final = re.compile(r"mad_rpc\w*: _do_madrpc failed; dport \((?:Lid (\d+)|DR path)")


class Failure:
    """A failed attempt: ``ok`` False when nobody answered, None when the program could not ask."""

    def __init__(self, ok: bool | None, reason: str, lid: int | None = None) -> None:
        self.ok, self.reason, self.lid = ok, reason, lid


def failure(text: str) -> Failure | None:
    """The failure that a line states, if any."""
    for ok, reason, pattern in _FAILURES:
        if pattern.search(text):
            return Failure(ok, reason)
    return None


def query_failure(text: str) -> Failure | None:
    """As ``failure``, and a request without an answer too: in ``sminfo`` every request goes to the manager."""
    silent = _NO_ANSWER.search(text)
    if silent:
        return Failure(False, "timeout", _fabric_text.whole(silent[1]))
    return failure(text)


def failure_row(tool: str, line: Line, found: Failure | None = None) -> Row | None:
    """An ``sm_info`` row for a line that states a failure; None for other lines."""
    found = found or failure(line.text)
    if found is None:
        return None
    values: dict[str, Any] = {"tool": tool, "ok": found.ok, "reason": found.reason, "lid": found.lid}
    return _fabric_text.row("sm_info", line, values)
