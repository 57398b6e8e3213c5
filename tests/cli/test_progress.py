"""Progress is for people at a terminal, and only for them."""

from __future__ import annotations

import io
from typing import NamedTuple

import pytest

from analyzer.cli.progress import ProgressLine


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class _Step(NamedTuple):
    stage: str
    done: int
    total: int


def _show(stream: io.StringIO, *, quiet: bool = False, verbose: bool = False) -> None:
    with ProgressLine(quiet=quiet, verbose=verbose, stream=stream) as progress:
        progress(_Step("scan", 3, 12))


def test_terminal_gets_one_line_that_is_erased_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    stream = _Terminal()
    _show(stream)
    assert stream.getvalue() == "\r\x1b[Kscan 3 of 12\r\x1b[K"


def test_line_fits_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "8")
    stream = _Terminal()
    _show(stream)
    assert "scan 3 \r" in stream.getvalue()


def test_dumb_terminal_gets_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    stream = _Terminal()
    _show(stream)
    assert stream.getvalue() == ""


def test_pipe_gets_nothing() -> None:
    stream = io.StringIO()
    _show(stream)
    assert stream.getvalue() == ""


def test_quiet_terminal_gets_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    stream = _Terminal()
    _show(stream, quiet=True)
    assert stream.getvalue() == ""


def test_verbose_tells_each_stage_once(capsys: pytest.CaptureFixture[str]) -> None:
    with ProgressLine(quiet=False, verbose=True, stream=io.StringIO()) as progress:
        for done in (1, 2):
            progress(_Step("scan", done, 2))
    assert capsys.readouterr().err.count("scan") == 1
