"""The command on a real terminal: what it leaves behind and how it ends."""

from __future__ import annotations

import os
import pty
import select
import sys
import termios
import time
from pathlib import Path

import pytest

from analyzer.cli.exits import Exit
from tests.conftest import ROOT

pytestmark = pytest.mark.slow
_PATIENCE_S = 60


@pytest.mark.usefixtures("small_rules")
@pytest.mark.parametrize(
    ("text", "key", "status"),
    [
        ("[    5.000000] example: port 3 down, code 79\n" * 3, "q", Exit.FOUND),
        ("[    5.000000] example: all is well\n" * 3, "q", Exit.CLEAR),
    ],
)
def test_leaves_the_terminal_as_it_was(text: str, key: str, status: Exit, tmp_path: Path) -> None:
    (tmp_path / "dmesg.txt").write_text(text, encoding="utf-8")
    master, slave = pty.openpty()
    before = termios.tcgetattr(slave)
    process = os.posix_spawn(
        sys.executable,
        [sys.executable, "-m", "analyzer", str(tmp_path)],
        {**os.environ, "TERM": "xterm-256color", "PYTHONPATH": str(ROOT), "COLUMNS": "100", "LINES": "30"},
        file_actions=[(os.POSIX_SPAWN_DUP2, slave, stream) for stream in (0, 1, 2)],
        setsid=True,
    )
    _read_until(master, b"Inputs")
    os.write(master, key.encode())
    left = _read_until(master, b"\x1b[?1049l")
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == status
    assert b"Traceback" not in left
    assert termios.tcgetattr(slave) == before
    os.close(master)
    os.close(slave)


def _read_until(master: int, marker: bytes) -> bytes:
    seen = b""
    end_s = time.monotonic() + _PATIENCE_S
    while marker not in seen:
        assert time.monotonic() < end_s, seen
        if select.select([master], [], [], 1)[0]:
            seen += os.read(master, 65536)
    return seen
