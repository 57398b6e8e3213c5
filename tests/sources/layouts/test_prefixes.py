"""Prefixes of launchers and collectors are taken off, and the lines of each node or rank put together."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.sources.identify import identify
from analyzer.sources.layouts.choose import Layout, early_layout
from analyzer.sources.layouts.prefixes import separate, shapes

IBSTAT = [
    "CA 'mlx5_0'", "\tCA type: MT4129", "\tNumber of ports: 1", "\tFirmware version: 28.39.1002",
    "\tNode GUID: 0x02aa000320f38200", "\tPort 1:", "\t\tState: Active", "\t\tPhysical state: LinkUp",
]  # fmt: skip
KERNEL = ["[  100.000000] mlx5_core 0000:1a:00.0: firmware version: 28", "[  200.000000] NVRM: loading"]


def laid_out(text: str) -> Layout | None:
    data = text.encode()
    cut = early_layout(data, "x.txt", identify(data, "x.txt"))
    return cut(data) if cut else None


def behind(text: str) -> dict[str | None, tuple[str | None, list[int]]]:
    """Format and lines of the file per node."""
    layout = laid_out(text)
    assert layout is not None
    return {p.part.node: (p.identified.parser, p.part.numbering.lines.tolist()) for p in layout.pieces}


def test_a_dump_behind_host_prefixes_is_read_per_host() -> None:
    text = "".join(f"cn001: {one}\ncn002: {one}\n" for one in IBSTAT)
    assert behind(text) == {"cn001": ("ibstat", [*range(1, 17, 2)]), "cn002": ("ibstat", [*range(2, 17, 2)])}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (" 0: ", "11: "),
        ("[1,0]<stdout>:", "[1,11]<stderr>: "),
        ("[0] ", "[11] "),
        ("[pod/worker-0/main] ", "[pod/worker-1/main] "),
    ],
)
def test_ranks_and_pods_are_told_apart(first: str, second: str) -> None:
    layout = laid_out("".join(f"{first}{line}\n{second}{line}\n" for line in KERNEL))
    assert layout is not None
    assert [(p.identified.parser, p.part.numbering.lines.tolist()) for p in layout.pieces] == [
        ("dmesg", [1, 3]),
        ("dmesg", [2, 4]),
    ]


def test_a_container_runtimes_parts_of_a_line_are_joined() -> None:
    stamp = "2026-11-10T04:02:52.123456789Z stdout"
    text = f"{stamp} P {KERNEL[0][:30]}\n{stamp} F {KERNEL[0][30:]}\n{stamp} F {KERNEL[1]}\n"
    layout = laid_out(text)
    assert layout is not None
    (piece,) = layout.pieces
    assert piece.part.data.decode().split("\n") == [*KERNEL, ""]
    assert piece.part.numbering.lines.tolist() == [1, 3]


def test_dockers_json_lines_are_unpacked() -> None:
    text = "".join(json.dumps({"log": line + "\n", "stream": "stdout", "time": "x"}) + "\n" for line in KERNEL)
    layout = laid_out(text)
    assert layout is not None
    assert layout.pieces[0].part.data.decode().split("\n") == [*KERNEL, ""]


def test_noise_of_the_launcher_belongs_to_no_node() -> None:
    text = "".join(f"cn001: {line}\n" for line in KERNEL * 4) + "pdsh@head: cn002: ssh exited with exit code 255\n"
    assert behind(text) == {"cn001": ("dmesg", list(range(1, 9)))}


def test_prefixes_inside_prefixes() -> None:
    stamp = "2026-11-10T04:02:52.123456789Z stdout F "
    assert behind("".join(f"cn001: {stamp}{line}\n" for line in KERNEL)) == {"cn001": ("dmesg", [1, 2])}


@pytest.mark.parametrize(
    "text",
    [
        "\n".join(KERNEL) + "\n",
        "State: Active\nRate: 200\nLID: 7\nName: cn001\n",
        "slurmd: debug:  Log file re-opened\nslurmd: error: Node configuration differs\n",
        "srun: error: cn001: task 3: Killed\n",
        "cn001: 1\ncn002: 1\ncn003: 0\n",
        "mlx5_0: port 1 is up\nmlx5_1: port 1 is up\n",
    ],
)
def test_other_texts_stay_whole(text: str) -> None:
    assert laid_out(text) is None


@given(st.lists(st.sampled_from(["cn001: a", "cn002: ", "plain", "", "\x00", "cn001: [1.0] x"]), max_size=30))
def test_the_lines_of_the_parts_are_lines_of_the_file(lines: list[str]) -> None:
    data = "\n".join(lines).encode()
    for shape, _ in shapes(data):
        for part in separate(data, shape):
            numbers = part.numbering.lines.tolist()
            assert numbers == sorted(numbers)
            assert all(1 <= number <= len(lines) for number in numbers)
            assert len(numbers) == part.data.count(b"\n")
