"""The command as a process: usage, errors, streams."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import analyzer
from analyzer.cli import main as entry
from analyzer.cli.exits import Exit
from tests.conftest import RunCommand


def test_version(fabtriage: RunCommand) -> None:
    done = fabtriage("--version")
    assert (done.returncode, done.stdout, done.stderr) == (0, f"fabtriage {analyzer.__version__}\n", "")


def test_help_lists_every_command(fabtriage: RunCommand) -> None:
    done = fabtriage("--help")
    assert done.returncode == 0
    assert all(f"  {name} " in done.stdout for name in entry.COMMANDS)


@pytest.mark.parametrize("name", entry.COMMANDS)
def test_every_listed_command_explains_itself(name: str, fabtriage: RunCommand) -> None:
    done = fabtriage(name, "--help")
    assert (done.returncode, done.stdout.split()[:3]) == (0, ["usage:", "fabtriage", name])


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["no-such-command"],
        ["--no-such-option"],
        ["diagnose"],
        ["diagnose", "--format", "pdf", "x"],
        ["rules", "bake"],
    ],
)
def test_wrong_usage_is_one_line_with_a_remedy(arguments: list[str], fabtriage: RunCommand) -> None:
    done = fabtriage(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("fabtriage: ")
    assert done.stderr.count("\n") == 1
    assert "--help" in done.stderr


def test_control_characters_of_a_path_do_not_reach_the_terminal(fabtriage: RunCommand) -> None:
    done = fabtriage("no\x1b[31m\nfile")
    assert done.stderr == "fabtriage: nofile: no such file, folder or command (see fabtriage --help)\n"


def test_interrupt_ends_quietly(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted(_: list[str]) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(entry, "_dispatch", interrupted)
    assert entry.main([]) is Exit.INTERRUPTED
    assert capsys.readouterr() == ("", "")


def test_defect_of_the_program_is_a_failure_and_no_finding(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def defective(_: list[str]) -> int:
        raise ZeroDivisionError

    monkeypatch.setattr(entry, "_dispatch", defective)
    assert entry.main([]) is Exit.FAILED
    assert capsys.readouterr().err.endswith("fabtriage: internal error; please report the lines above\n")


def test_reader_that_goes_away_is_no_error(root: Path) -> None:
    code = """if True:
        import sys
        from analyzer.cli import main as entry
        entry._dispatch = lambda _: print("x" * 10_000_000)
        sys.exit(entry.main([]))"""
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=root
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == Exit.PIPE
