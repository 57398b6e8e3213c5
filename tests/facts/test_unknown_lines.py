"""Kinds of error lines that nothing knows, over all logs."""

from __future__ import annotations

from pathlib import Path

from analyzer.options import Options
from analyzer.pipeline import run


def test_one_kind_of_line_in_two_logs_is_listed_once_with_its_first_place(tmp_path: Path) -> None:
    for node in ("n1", "n2"):
        lines = [f"Mar  4 10:00:0{second} {node} kernel: zorb0: hatch {second} failed" for second in range(3)]
        (tmp_path / f"{node}.log").write_text("\n".join(lines) + "\n")

    found = run([str(tmp_path)]).analysis.not_understood

    assert [(kind.template, kind.count) for kind in found] == [("zorb#: hatch # failed", 6)]
    assert found[0].example == {"file": "n1.log", "line": 1}


def test_without_counts_nothing_is_listed(tmp_path: Path) -> None:
    (tmp_path / "n1.log").write_text("Mar  4 10:00:00 n1 kernel: zorb0: hatch 1 failed\n")

    assert not run([str(tmp_path)], Options(anomaly=False)).analysis.not_understood


def test_an_unknown_error_accuses_nobody(tmp_path: Path) -> None:
    (tmp_path / "n1.log").write_text("Mar  4 10:00:00 n1 kernel: zorb0: hatch 1 failed\n")

    assert not run([str(tmp_path)]).analysis.diagnoses
