"""Every kernel message that a rule knows gives the same rows, whatever the form of the log it stands in."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from analyzer.facts.store import Store
from analyzer.pipeline import Options, run
from analyzer.rulebook.load import load
from analyzer.rules_folder import rules_dir
from parsers import dmesg, syslog
from tests.rules.kernel_forms import FORMS, NODE, REFERENCE, Message, Written

_APART_S = 0.25
_FIRST_S = 100.0
_PLACE = frozenset({"source", "segment", "line", "event", "text", "time", "uncertainty_s", "clock", "clock_s", "copy"})
Rows = set[tuple[Any, ...]]


@cache
def messages() -> tuple[Message, ...]:
    """Samples of all events that a kernel log may show, and the kernel lines of all examples, without their heads."""
    rulebook = load([rules_dir()])
    known = [event for event in rulebook.events.values() if "kernel" in event.formats]
    # An inline pattern has all lines that its cause's examples cite for samples, those of other logs too.
    samples = [s for event in known for s in event.samples if any(re.search(line, s) for line in event.lines)]
    written = [
        line
        for cause in rulebook.causes.values()
        for example in cause.examples
        for name, text in example.files.items()
        if re.search(r"dmesg|kern\.log", name)
        for line in text.split("\n")
    ]
    texts = dict.fromkeys(_message(line.encode()) for line in (*samples, *written) if line.strip())
    # A statement of the true time would move the clock of the whole log.
    kept = [text for text in texts if text and not text.startswith((b" ", b"{", b"--")) and b"clock" not in text]
    return tuple((_FIRST_S + _APART_S * number, text) for number, text in enumerate(kept))


def _message(line: bytes) -> bytes:
    prefix = dmesg.prefix(line) or syslog.prefix(line)
    return (line[prefix.start :] if prefix else line).rstrip()


def rows_of(written: Written, folder: Path) -> Rows:
    """Event, number of the message and fields of every row."""
    data, places = written
    path = folder / "nodes" / NODE / "kernel.txt"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    number_of = {place: number for number, place in enumerate(places)}
    return _rows(run([str(folder)], Options(anomaly=False, context_lines=0)).store, number_of)


def _rows(store: Store, number_of: dict[int, int]) -> Rows:
    found: Rows = set()
    for name in store.names():
        if "." not in name:
            continue
        for row in store.frame(name).iter_rows(named=True):
            fields = tuple((key, str(value)) for key, value in sorted(row.items()) if key not in _PLACE)
            found.add((name, number_of.get(row["line"], -row["line"]), *fields))
    return found


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Rows:
    return rows_of(REFERENCE(messages()), tmp_path_factory.mktemp("plain"))


@pytest.mark.parametrize("form", FORMS)
def test_a_form_of_the_kernel_log_gives_the_rows_of_the_plain_one(form: str, plain: Rows, tmp_path: Path) -> None:
    found = rows_of(FORMS[form](messages()), tmp_path)

    assert {row[:2] for row in plain ^ found} == set()


def test_the_messages_are_many(plain: Rows) -> None:
    assert len(messages()) > 300
    assert len({row[0] for row in plain}) > 100
