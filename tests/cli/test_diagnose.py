"""What the command asks of the analysis, and what it does with the answer."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest

import analyzer
from analyzer.cli.main import main
from analyzer.errors import InputError
from analyzer.model.analysis import Analysis, Severity
from analyzer.options import Options, Progress
from tests.cli.builders import analysis

Captured = pytest.CaptureFixture[str]


class _Answer(NamedTuple):
    analysis: Analysis


class Backend(ModuleType):
    """Stands for the analysis: notes what it is asked, answers by the input's name."""

    def __init__(self) -> None:
        super().__init__("analyzer.pipeline")
        self.asked: list[tuple[list[str], Options]] = []

    def run(self, paths: Sequence[str], options: Options, on_progress: Callable[[Progress], None]) -> _Answer:
        self.asked.append((list(paths), options))
        on_progress(Progress("reading", 1, 2))
        name = Path(paths[0]).name
        if name == "broken":
            raise InputError("no such file or folder", where=paths[0])
        found: tuple[Severity, ...] = ("warning",) if name.startswith("found") else ()
        return _Answer(analysis(*found, status="partial" if name == "cut" else "read", file=paths[0]))


@pytest.fixture
def backend(monkeypatch: pytest.MonkeyPatch) -> Backend:
    fake = Backend()
    monkeypatch.setitem(sys.modules, fake.__name__, fake)
    monkeypatch.setattr(analyzer, "pipeline", fake, raising=False)
    return fake


def test_all_inputs_are_one_bundle(backend: Backend) -> None:
    main(["diagnose", "a", "b", "-"])
    assert [paths for paths, _ in backend.asked] == [["a", "b", "-"]]


def test_each_input_is_a_bundle_of_its_own_if_asked(backend: Backend) -> None:
    main(["diagnose", "--each", "a", "b"])
    assert [paths for paths, _ in backend.asked] == [["a"], ["b"]]


def test_nothing_is_chosen_unless_the_user_says_so(backend: Backend) -> None:
    main(["diagnose", "a"])
    assert backend.asked[0][1] == Options()


def test_every_choice_reaches_the_analysis(backend: Backend, tmp_path: Path) -> None:
    window = ["--since", "1970-01-02", "--until", "1970-01-03T00:00Z", "--timezone", "+01:00", "--year", "2026"]
    scope = ["--job", "90417", "--node", "n1"]
    main(["diagnose", "a", *window, *scope, "--rules", str(tmp_path), "--no-anomaly", "--no-rules"])
    assert backend.asked[0][1] == Options(
        since_s=82_800.0,
        until_s=172_800.0,
        timezone="+01:00",
        year=2026,
        job="90417",
        node="n1",
        rules=tmp_path,
        anomaly=False,
        shipped_rules=False,
    )


@pytest.mark.usefixtures("backend")
@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["clean"], 0),
        (["found"], 1),
        (["found", "--fail-on", "critical"], 0),
        (["found", "--fail-on", "never"], 0),
        (["broken"], 2),
        (["cut"], 3),
        (["--each", "clean", "found", "broken"], 1),
        (["--each", "clean", "broken"], 3),
        (["--each", "clean", "clean"], 0),
    ],
)
def test_exit_status(arguments: list[str], status: int) -> None:
    assert main(["diagnose", *arguments]) == status


@pytest.mark.usefixtures("backend")
def test_report_alone_is_on_standard_output(capsys: Captured) -> None:
    main(["diagnose", "found", "--format", "json"])
    captured = capsys.readouterr()
    assert json.loads(captured.out)["diagnoses"][0]["cause"] == "port-flaps"
    assert captured.err == ""


@pytest.mark.usefixtures("backend")
def test_report_goes_to_the_named_file_instead(tmp_path: Path, capsys: Captured) -> None:
    target = tmp_path / "report.json"
    assert main(["diagnose", "found", "--format", "json", "-o", str(target)]) == 1
    assert json.loads(target.read_bytes())["schema_version"] == 1
    assert capsys.readouterr().out == ""


@pytest.mark.usefixtures("backend")
def test_reports_of_each_go_into_the_named_folder_under_the_inputs_names(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    main(["diagnose", "--each", "x/found.tar.gz", "y/found.tar.gz", "-", "--format", "json", "-o", str(folder)])
    assert sorted(path.name for path in folder.iterdir()) == [
        "found.tar.gz-2.json",
        "found.tar.gz.json",
        "stdin.json",
    ]


@pytest.mark.usefixtures("backend")
def test_a_broken_input_does_not_keep_the_others_from_being_reported(capsys: Captured) -> None:
    main(["diagnose", "--each", "broken", "found", "--format", "json"])
    captured = capsys.readouterr()
    assert captured.err == "fabtriage: broken: no such file or folder\n"
    assert json.loads(captured.out)["coverage"]["inputs"][0]["file"] == "found"


@pytest.mark.usefixtures("backend")
def test_unwritable_target_is_one_line(tmp_path: Path, capsys: Captured) -> None:
    target = tmp_path / "none" / "report.txt"
    assert main(["diagnose", "clean", "-o", str(target)]) == 2
    assert capsys.readouterr().err.startswith(f"fabtriage: {target}: No such file or directory (")


def test_input_is_never_replaced_by_the_report(backend: Backend, tmp_path: Path) -> None:
    log = tmp_path / "dmesg.txt"
    log.write_text("precious\n", encoding="utf-8")
    assert main(["diagnose", str(log), "-o", str(log)]) == 2
    assert backend.asked == []
    assert log.read_text(encoding="utf-8") == "precious\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ["--since", "soon"],
        ["--timezone", "Atlantis/City"],
        ["--since", "2026-01-02", "--until", "2026-01-01"],
        ["--year", "last"],
        ["--year", "99999"],
        ["--rules", "no-such-folder"],
    ],
)
def test_wrong_choice_is_refused_before_anything_is_read(
    arguments: list[str], backend: Backend, capsys: Captured
) -> None:
    assert main(["diagnose", "a", *arguments]) == 2
    assert backend.asked == []
    assert arguments[-1] in capsys.readouterr().err


@pytest.mark.usefixtures("backend")
def test_verbose_tells_the_stages_on_standard_error(capsys: Captured) -> None:
    main(["diagnose", "clean", "-v"])
    assert "reading" in capsys.readouterr().err


def test_paths_alone_are_diagnosed(backend: Backend, tmp_path: Path) -> None:
    assert main([str(tmp_path)]) == 0
    assert backend.asked == [([str(tmp_path)], Options())]


@pytest.mark.usefixtures("backend")
@pytest.mark.parametrize(
    ("environment", "colored"),
    [({}, False), ({"FORCE_COLOR": "1"}, True), ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False)],
)
def test_colour_is_for_terminals_and_never_against_the_users_will(
    environment: dict[str, str], colored: bool, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    main(["diagnose", "found"])
    assert ("\x1b[" in capsys.readouterr().out) is colored


@pytest.mark.usefixtures("backend")
def test_file_gets_no_colour(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    target = tmp_path / "report.txt"
    main(["diagnose", "found", "-o", str(target)])
    assert b"\x1b" not in target.read_bytes()
