"""What was read, what could not be seen, and what may be said of it."""

from __future__ import annotations

from pathlib import Path

from analyzer.model.analysis import Analysis
from analyzer.options import Options
from analyzer.pipeline import run

QUIET = "2026-03-02T10:00:00+00:00 gpu-k01 kernel: usb 1-1: new high-speed USB device number 2 using xhci_hcd\n"
XID = "[  100.000000] NVRM: Xid (PCI:0000:3b:00): 79, pid=77, name=python3, GPU has fallen off the bus.\n"


def analysed(folder: Path, files: dict[str, str], **options: str) -> Analysis:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return run([str(folder)], Options(anomaly=False, **options)).analysis  # type: ignore[arg-type]


def test_healthy_is_said_of_a_kernel_log_without_faults(tmp_path: Path) -> None:
    assert analysed(tmp_path, {"syslog": QUIET * 3}).verdict == "ok"


def test_text_that_nobody_knows_proves_nothing(tmp_path: Path) -> None:
    assert analysed(tmp_path, {"notes.txt": "nothing to see here\n" * 5}).verdict == "unknown"


def test_nothing_is_said_of_a_node_that_no_input_names(tmp_path: Path) -> None:
    assert analysed(tmp_path, {"syslog": QUIET * 3}, node="gpu-k02").verdict == "unknown"


def test_nothing_is_said_of_a_job_that_no_input_names(tmp_path: Path) -> None:
    assert analysed(tmp_path, {"syslog": QUIET * 3}, job="90417").verdict == "unknown"


def test_a_node_that_was_seen_is_healthy(tmp_path: Path) -> None:
    assert analysed(tmp_path, {"syslog": QUIET * 3}, node="GPU-K01.example.org").verdict == "ok"


def test_a_log_among_those_of_several_nodes_that_names_none_says_so(tmp_path: Path) -> None:
    other = QUIET.replace("gpu-k01", "gpu-k02")
    seen = analysed(tmp_path, {"a.log": QUIET, "b.log": other, "dmesg.txt": XID}).coverage
    problems = {item.file: item.problem for item in seen.inputs}
    assert problems == {
        "a.log": "",
        "b.log": "",
        "dmesg.txt": "names no node; its lines are joined with no other log of a node",
    }
    assert all(item.status == "read" for item in seen.inputs)


def test_the_nodes_of_a_central_log_are_those_of_its_lines(tmp_path: Path) -> None:
    both = QUIET + QUIET.replace("gpu-k01", "gpu-k02") + QUIET.replace("gpu-k01", "gpu-k03.example.org")
    seen = analysed(tmp_path, {"central.log": both}).coverage
    assert seen.inputs[0].nodes == ("gpu-k01", "gpu-k02", "gpu-k03")


def test_a_source_that_would_help_is_asked_for_once(tmp_path: Path) -> None:
    wanted = [item.needs for item in analysed(tmp_path, {"dmesg.txt": XID}).coverage.missing]
    assert len(wanted) == len(set(wanted))
