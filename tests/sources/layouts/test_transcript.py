"""Sessions, collections of scripts and tickets fall into the outputs pasted into them; a pure log stays whole."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.sources.identify import identify
from analyzer.sources.layouts.choose import Layout, early_layout, marked_layout

IBSTAT = (
    "CA 'mlx5_0'\n\tCA type: MT4129\n\tNumber of ports: 1\n\tFirmware version: 28.39.1002\n"
    "\tNode GUID: 0x02aa000320f38200\n\tPort 1:\n\t\tState: Active\n\t\tPhysical state: LinkUp\n"
)
KERNEL = "[  100.000000] mlx5_core 0000:1a:00.0: firmware version: 28\n[  200.000000] NVRM: loading\n"
SMI = "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.\n"
NCCL = "cn001:100:100 [0] NCCL INFO Bootstrap : Using eth0:10.0.0.1<0>\n" * 3
OUTPUTS = {"ibstat": IBSTAT, "dmesg": KERNEL, "nvidia-smi": SMI}
PARSERS = {"ibstat": "ibstat", "dmesg": "dmesg", "nvidia-smi": "nvidia_smi"}


def laid_out(text: str) -> Layout | None:
    data = text.encode()
    whole = identify(data, "x.txt")
    cut = early_layout(data, "x.txt", whole)
    return cut(data) if cut else marked_layout(data, "x.txt", whole)


def known(text: str) -> dict[str, tuple[str | None, str]]:
    """Node and first line of every part of a known format, by its parser."""
    layout = laid_out(text)
    assert layout is not None
    lines = text.split("\n")
    return {
        p.identified.parser: (p.part.node, lines[p.part.numbering.line(1) - 1].rstrip("\r"))
        for p in layout.pieces
        if p.identified.parser
    }


FIRST = {PARSERS[name]: text.split("\n")[0] for name, text in OUTPUTS.items()}
SHAPES = [
    "[root@cn001 ~]# {}\n",
    "root@cn001:~# {}\n",
    "(base) ops@cn001:/tmp$ sudo {}\n",
    "cn001:~ # {}\n",
    "$ {}\n",
    "# {}\n",
    "# $ {}\n",
    "+ {}\n",
    "=== {} ===\n",
    "==== {} on cn001 ====\n",
    "----- {} -----\n\n",
    "##########\n# {}\n##########\n",
    "### {}\n",
    "**{}**\n",
    "Output of {}:\n",
    "{}:\n",
    "[{}]\n",
    "*** {}\n",
]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("order", list(itertools.permutations(OUTPUTS)))
def test_outputs_are_found_behind_any_heading_in_any_order(shape: str, order: tuple[str, ...]) -> None:
    found = known("".join(shape.format(name) + OUTPUTS[name] for name in order))
    node = "cn001" if "cn001" in shape else None
    assert found == {parser: (node, first) for parser, first in FIRST.items()}


def test_a_prompts_node_holds_until_the_next() -> None:
    text = (
        f"[root@cn001 ~]# ibstat\n{IBSTAT}[root@cn001 ~]# ssh cn002 dmesg -T\n{KERNEL}[root@cn003 ~]# nvidia-smi\n{SMI}"
    )
    assert {parser: node for parser, (node, _) in known(text).items()} == {
        "ibstat": "cn001",
        "dmesg": "cn002",
        "nvidia_smi": "cn003",
    }


def test_logs_of_several_nodes_under_headings() -> None:
    layout = laid_out("".join(f"==== cn{n:03} ====\n{KERNEL}" for n in range(1, 4)))
    assert layout is not None
    assert [(p.part.node, p.part.numbering.lines.tolist()) for p in layout.pieces] == [
        ("cn001", [2, 3]),
        ("cn002", [5, 6]),
        ("cn003", [8, 9]),
    ]


def test_a_printed_file_is_of_the_files_format() -> None:
    syslog = "Mar  9 04:41:27 cn001 kernel: NVRM: loading\nMar  9 04:41:28 cn001 systemd[1]: Started x.\n"
    text = f"[root@cn001 ~]# tail -2 /var/log/messages\n{syslog}[root@cn001 ~]# ibstat\n{IBSTAT}"
    text += f"==> /var/log/kern.log <==\n{syslog}"
    layout = laid_out(text)
    assert layout is not None
    assert [(p.part.title, p.identified.parser) for p in layout.pieces] == [
        ("messages", "syslog"),
        ("ibstat", "ibstat"),
        ("kern.log", "syslog"),
    ]


def test_nodes_between_rulers_share_what_they_printed() -> None:
    text = (
        f"---------------\ncn[001-002] (2)\n---------------\n{IBSTAT}---------------\ncn003\n---------------\n{KERNEL}"
    )
    layout = laid_out(text)
    assert layout is not None
    assert [(p.part.node, p.identified.parser, p.part.numbering.line(1)) for p in layout.pieces] == [
        ("cn001", "ibstat", 4),
        ("cn002", "ibstat", 4),
        ("cn003", "dmesg", 15),
    ]


def test_outputs_inside_a_jobs_log_are_taken_out_and_the_log_stays_whole() -> None:
    text = f"{NCCL}+ ibstat\n{IBSTAT}{NCCL}+ dmesg\n{KERNEL}{NCCL}"
    layout = laid_out(text)
    assert layout is not None
    lines = {p.identified.parser: p.part.numbering.lines.tolist() for p in layout.pieces}
    assert lines == {"nccl": [1, 2, 3, 13, 14, 15, 19, 20, 21], "ibstat": [*range(5, 13)], "dmesg": [17, 18]}


def test_outputs_announced_in_prose() -> None:
    text = f"Hello,\n\nwe see this in dmesg on node cn007:\n\n{KERNEL}\nand ibstat says:\n\n{IBSTAT}\nBest regards\n"
    assert known(text) == {"dmesg": ("cn007", FIRST["dmesg"]), "ibstat": ("cn007", FIRST["ibstat"])}


def test_outputs_pasted_without_a_word() -> None:
    assert {*known(f"Hello,\n\nplease look:\n\n{KERNEL}\n{IBSTAT}\nRegards\n")} == {"dmesg", "ibstat"}


def test_fenced_blocks() -> None:
    assert {*known(f"Hello\n```\n{KERNEL}```\nand\n```text\n{IBSTAT}```\nbye\n")} == {"dmesg", "ibstat"}


@pytest.mark.parametrize(
    "text",
    [
        KERNEL * 20,
        KERNEL + "[  300.000000] ---[ end trace 0000000000000000 ]---\n" + KERNEL,
        NCCL + "+ srun python train.py\n" + NCCL,
        NCCL + "=== step 100 ===\n" + NCCL + "# dmesg is clean\n" + NCCL,
        IBSTAT,
        "[root@cn001 ~]# dmesg\n" + KERNEL,
        "Dear all,\n\nplease run dmesg and ibstat:\n\nthank you\n",
        "# free memory is low\n# cat photos\n$5 > $4\n",
        "key: value\n# a comment\nother: 1\n",
    ],
)
def test_a_text_of_one_kind_stays_whole(text: str) -> None:
    assert laid_out(text) is None


LINES = [
    "$ ibstat",
    "[a@b ~]# ",
    "=== cn001 ===",
    "CA 'mlx5_0'",
    "[1.000000] x",
    "```",
    "text",
    "",
    "----",
    "+ dmesg",
    "\x00",
]


@given(st.lists(st.sampled_from(LINES), max_size=40))
def test_parts_are_disjoint_runs_of_the_file(lines: list[str]) -> None:
    layout = laid_out("\n".join(lines))
    taken = [n for p in layout.pieces for n in p.part.numbering.lines.tolist()] if layout else []
    assert len(taken) == len(set(taken))
    assert all(1 <= number <= len(lines) for number in taken)
