"""Output of ``journalctl``: its short forms, and the forms of several fields an entry (JSON, export, verbose)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from analyzer.model.formats import Format, Sniff
from analyzer.model.stamps import Prefix
from parsers import _journal_forms, _lines, _syslog_head

FORMAT: Final = Format(
    name="journal",
    kind="lines",
    families=frozenset({"kernel", "syslog", "slurm", "munge", "mysql", "fabric", "gpu", "site"}),
    title="systemd journal (journalctl)",
)

_HEADER: Final = re.compile(
    rb"(?m)^-- (?:Journal begins at|Logs begin at|Boot [0-9a-f]{32}|Reboot) ?[^\n]{0,200}--\r?$"
)
_SHORT_DAY: Final = re.compile(rb"[A-Z][a-z]{2} 0\d \d\d:\d\d:\d\d|[A-Z][a-z]{2} \d\d \d\d:\d\d:\d\d\.\d{6} ")
_SHORT_ISO: Final = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[+-]\d\d:?\d\d|\.\d{6}[+-]\d{4}) ")
_SHORT_FULL: Final = re.compile(rb"[A-Z][a-z]{2} \d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{6})? [A-Z+-]")
_SHORT_UNIX: Final = re.compile(rb"\d{9,11}\.\d{6} ")
_MONOTONIC: Final = re.compile(
    rb"\[ *\d{1,10}\.\d{6}(?: <[ \d.]{1,24}>)?\] [A-Za-z0-9][\w.-]{0,63} (?:kernel|[A-Za-z_(][\w.@()-]{0,40}\[\d+\]): "
)
_ENTRY_HEADS: Final = (
    (re.compile(rb'(?m)^[\x1e ]{0,4}(?:data: )?\{"[^\n]{0,20000}"__REALTIME_TIMESTAMP" ?:'), "JSON"),
    (re.compile(rb'(?m)^[\x1e ]{0,4}\{\s{1,20}"[A-Z_][A-Z0-9_]{0,63}" :[^}]{0,8000}"__REALTIME_TIMESTAMP" :'), "JSON"),
    (re.compile(rb'(?m)^[\x1e ]{0,4}(?:data: )?\{ ?"__REALTIME_TIMESTAMP" ?:'), "JSON"),
    (re.compile(rb"(?m)^__CURSOR=s=[0-9a-f]{32};[^\n]{0,300}\n__REALTIME_TIMESTAMP=\d"), "export"),
    (re.compile(rb"(?m)^" + _journal_forms.VERBOSE_HEAD.pattern), "verbose"),
)
"""How an entry of the forms with several fields begins."""
_HEAD_BYTES: Final = 1 << 14
_READERS: Final = {
    "JSON": _journal_forms.from_json,
    "export": _journal_forms.from_export,
    "verbose": _journal_forms.from_verbose,
}


def sniff(head: bytes, path: str) -> Sniff | None:
    """Judge by journalctl's own header lines and by the stamps that syslog daemons do not write."""
    form = _form(head)
    if form is not None:
        return Sniff(score=96, why=f"entries as journalctl writes them in its {form} form")
    hits, total = _lines.share(head, prefix)
    if hits == 0 or hits * 2 < total:
        return None
    own, _ = _lines.share(head, _is_own)
    if _HEADER.search(head):
        return Sniff(score=60 + 36 * hits // total, why="journalctl header line")
    if own * 3 < hits and "journal" not in path.lower():
        return Sniff(score=40, why=f"{hits} of {total} lines have time, host and program")
    return Sniff(score=60 + 32 * hits // total, why=f"{hits} of {total} lines in a journalctl output form")


def rewriter(head: bytes) -> Callable[[Iterable[bytes]], Iterator[bytes]] | None:
    """Reader of forms with several fields an entry, by the first bytes; None for the short forms."""
    form = _form(head)
    return None if form is None else _READERS[form]


def prefix(line: bytes) -> Prefix | None:
    """Read one line of any of the short forms; those of other forms have been rewritten as such."""
    if line[:1] == b"[":
        return _syslog_head.monotonic(line)
    return _syslog_head.wall(line)


def _form(head: bytes) -> str | None:
    return next((name for form, name in _ENTRY_HEADS if form.search(head, 0, _HEAD_BYTES)), None)


def _is_own(line: bytes) -> bool:
    return any(form.match(line) for form in (_SHORT_DAY, _SHORT_ISO, _SHORT_FULL, _SHORT_UNIX, _MONOTONIC))
