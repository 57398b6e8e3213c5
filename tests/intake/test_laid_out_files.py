"""A file of several outputs gives the diagnosis of the separate files, cited at the lines of the one file."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest

from analyzer.model.analysis import Analysis
from analyzer.options import Options
from analyzer.pipeline import run
from tests.conftest import ROOT

SAMPLES = ROOT / "sample_logs" / "incidents"
REPORT = (SAMPLES / "bug-report-gpu-off-bus" / "input" / "nvidia-bug-report.log").read_text(encoding="utf-8")
PDSH = (SAMPLES / "pdsh-dmesg-gpu-off-bus" / "input" / "dmesg-all.txt").read_text(encoding="utf-8")


def analysed(path: Path) -> Analysis:
    return run([str(path)], Options(anomaly=False)).analysis


def causes(analysis: Analysis) -> list[tuple[str, tuple[str, ...]]]:
    return [(d.cause, tuple(d.entities.get("node", ()))) for d in analysis.diagnoses]


def cites_its_lines(analysis: Analysis, text: str) -> bool:
    """Whether every quoted line stands at its number in the file."""
    lines = text.split("\n")
    return all(lines[e.line - 1] == e.text for d in analysis.diagnoses for e in d.evidence if e.line is not None)


def test_any_order_of_the_sections_of_a_bug_report_is_the_same_diagnosis(tmp_path: Path) -> None:
    head, *sections = re.split(r"(?=_{44}\n\n)", REPORT)[1:]
    turned = head + "".join(reversed(sections))
    (tmp_path / "nvidia-bug-report.log").write_text(turned, encoding="utf-8")
    found = analysed(tmp_path)
    assert causes(found)[0] == ("gpu-fallen-off-bus", ("gpu-a07",))
    assert cites_its_lines(found, turned)


def test_a_truncated_bug_report_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    packed = gzip.compress(REPORT.encode())
    (tmp_path / "nvidia-bug-report.log.gz").write_bytes(packed[: len(packed) * 4 // 5])
    found = analysed(tmp_path)
    (item,) = found.coverage.inputs
    assert (item.status, item.problem, item.format) == ("partial", "truncated gzip data", "nvidia-bug-report")
    assert causes(found)[0][0] == "gpu-fallen-off-bus"


def test_one_file_of_many_nodes_is_as_the_files_of_the_nodes(tmp_path: Path) -> None:
    together, apart = tmp_path / "together", tmp_path / "apart"
    together.mkdir()
    (together / "dmesg-all.txt").write_text(PDSH, encoding="utf-8")
    for line in PDSH.splitlines():
        node, _, text = line.partition(": ")
        (apart / node).mkdir(parents=True, exist_ok=True)
        with (apart / node / "dmesg.txt").open("a", encoding="utf-8") as file:
            file.write(text + "\n")
    found = analysed(together)
    assert causes(found) == causes(analysed(apart))
    assert cites_its_lines(found, PDSH)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-8-sig"])
def test_a_windows_laptops_encoding_changes_nothing(encoding: str, tmp_path: Path) -> None:
    (tmp_path / "dmesg-all.txt").write_bytes(PDSH.replace("\n", "\r\n").encode(encoding))
    found = analysed(tmp_path)
    assert causes(found)[0] == ("gpu-fallen-off-bus", ("gpu-a07",))
    assert cites_its_lines(found, PDSH)


def test_coverage_lists_every_part_with_its_format(tmp_path: Path) -> None:
    (tmp_path / "nvidia-bug-report.log").write_text(REPORT, encoding="utf-8")
    (item,) = analysed(tmp_path).coverage.inputs
    assert isinstance(item.parts, tuple)
    assert [part.format for part in item.parts if part.status == "read"] == [
        "syslog",
        "journal",
        "journal",
        "dmesg",
        "nvidia_smi",
        "nvidia_smi",
        "ibstat",
    ]
    assert item.lines == REPORT.count("\n")
