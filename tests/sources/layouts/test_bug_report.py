"""``nvidia-bug-report.log`` falls into the sections that the script wrote."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.sources.identify import identify
from analyzer.sources.layouts.bug_report import is_bug_report, sections
from analyzer.sources.layouts.choose import early_layout

RULER = "_" * 44
HEAD = (
    f"{RULER}\n\nStart of NVIDIA bug report log file.  Please include this file, along\nwith a description\n\n"
    "nvidia-bug-report.sh Version: 34275499\n\nDate: Tue Nov 10 04:02:11 UTC 2026\n"
    "uname: Linux gpu-a07 5.15.0-118-generic #128-Ubuntu SMP x86_64 GNU/Linux\ncommand line flags: \n\n"
)
REPORT = (
    HEAD
    + f"{RULER}\n\n*** /etc/issue\n*** ls: -rw-r--r-- 1 root root 26 /etc/issue\nUbuntu 22.04\n\n"
    + f"{RULER}\n\n*** /var/log/nvidia-installer.log does not exist\n\n"
    + f"{RULER}\n\nScanning kernel log files for NVIDIA kernel messages:\n\n  /var/log/messages:\n"
    + "Nov 10 04:02:52 gpu-a07 kernel: NVRM: Xid (PCI:0000:c3:00): 79, GPU has fallen off the bus.\n\n"
    + f"{RULER}\n\ndmesg:\n\n[    1.000000] Linux version 5.15\n[    2.000000] NVRM: loading\n"
    + f"{RULER}\n\n/usr/bin/nvidia-smi --query\n\n\n==============NVSMI LOG==============\n\nAttached GPUs : 0\n\n"
    + "/usr/bin/nvidia-smi nvlink --status\n\nNo devices were found\n\n"
    + f"{RULER}\n\nEnd of NVIDIA bug report log file.\n"
)


def found(report: str) -> dict[str, tuple[int, str]]:
    """First line in the file and first line of text per title."""
    return {
        part.title: (part.numbering.line(1), part.data.decode().split("\n")[0])
        for part in sections(report.encode())
        if part.title
    }


def line_of(report: str, text: str) -> int:
    return next(n for n, line in enumerate(report.split("\n"), 1) if line.startswith(text))


def test_each_section_has_the_lines_of_the_file() -> None:
    assert found(REPORT) == {
        "issue": (line_of(REPORT, "Ubuntu"), "Ubuntu 22.04"),
        "messages": (line_of(REPORT, "Nov 10"), REPORT.split("\n")[line_of(REPORT, "Nov 10") - 1]),
        "dmesg": (line_of(REPORT, "[    1.0"), "[    1.000000] Linux version 5.15"),
        "nvidia-smi_--query": (line_of(REPORT, "====="), "==============NVSMI LOG=============="),
        "nvidia-smi_nvlink_--status": (line_of(REPORT, "No devices"), "No devices were found"),
    }


def test_every_section_is_of_the_node_that_uname_names() -> None:
    assert {part.node for part in sections(REPORT.encode())} == {"gpu-a07"}


def test_older_reports_print_a_path_without_stars_in_front() -> None:
    assert sections((HEAD + f"{RULER}\n\n/etc/issue\nUbuntu 9.10\n").encode())


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_the_order_of_the_sections_does_not_matter(end: str) -> None:
    head, *parts = re.split(rf"(?={RULER}\n)", REPORT)[1:]
    shuffled = (head + "".join(reversed(parts))).replace("\n", end)
    assert {title: text for title, (_, text) in found(shuffled).items()} == {
        title: text + end[:-1] for title, (_, text) in found(REPORT).items()
    }


def test_formats_are_told_by_content() -> None:
    data = REPORT.encode()
    cut = early_layout(data, "x.log", identify(data, "x.log"))
    assert cut is not None
    layout = cut(data)
    assert layout is not None
    assert {p.identified.parser for p in layout.pieces} == {"syslog", "dmesg", "nvidia_smi", None}
    assert layout.name == "nvidia-bug-report"


def test_a_log_that_mentions_the_script_is_no_report() -> None:
    assert not is_bug_report(b"[1.0] NVRM: If possible, please run nvidia-bug-report.sh as root\n")


@given(st.binary(max_size=600))
def test_any_bytes_after_the_head_give_parts_with_lines_of_the_file(data: bytes) -> None:
    whole = HEAD.encode() + data
    lines = whole.count(b"\n") + 1
    for part in sections(whole):
        assert len(part.numbering.lines) == part.data.count(b"\n") + (not part.data.endswith(b"\n"))
        assert 1 <= part.numbering.line(1) <= lines
