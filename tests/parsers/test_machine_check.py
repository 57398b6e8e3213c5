"""Machine checks in the kernel's, mcelog's and rasdaemon's words."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers import machine_check

KERNEL = """\
[ 681.1] mce: [Hardware Error]: CPU 12: Machine Check: 0 Bank 7: 8c00004000010090
[ 681.1] mce: [Hardware Error]: TSC 0 ADDR 2f31c4d000 MISC 200001c082801086
[ 681.1] mce: [Hardware Error]: PROCESSOR 0:50657 TIME 1773031287 SOCKET 1 APIC 20 microcode 5003604"""
MCELOG = """\
Hardware event. This is not a software error.
MCE 0
CPU 4 BANK 8 TSC 8a7b6c5d4e
MISC 10008088014401040 ADDR 1f2e3d4c00
MCA: MEMORY CONTROLLER RD_CHANNEL0_ERR
STATUS 8c00004000010090 MCGSTATUS 0
CPUID Vendor Intel Family 6 Model 85"""
RASDAEMON = (
    "rasdaemon[911]:           <idle>-0     [012]     0.000001: mce_record:           2026-03-09 04:41:27 +0000 "
    "bank=7, status= 8c00004000010090, Corrected error, mci=Error_overflow, mca= MEMORY CONTROLLER RD_CHANNEL0_ERR, "
    "cpu_type= Intel Xeon, cpu= 12, socketid= 1, addr= 2f31c4d000"
)


def read(text: str) -> list[Any]:
    return list(machine_check.read([line.encode() for line in text.split("\n")], 40))


def test_the_kernel_prints_three_lines() -> None:
    (row,) = read(KERNEL)
    assert row.line == 40
    assert row.values == {
        "reporter": "kernel",
        "cpu": 12,
        "bank": 7,
        "status": "8c00004000010090",
        "address": "0000002f31c4d000",
        "processor": "0:50657",
        "stated_s": 1773031287,
        "socket": 1,
        "microcode": "5003604",
        "corrected": True,
        "overflow": False,
        "context_corrupt": False,
        "error_code": 0x90,
    }


def test_mcelog_spreads_a_record_over_lines() -> None:
    values = read(MCELOG)[0].values
    assert (values["reporter"], values["cpu"], values["bank"]) == ("mcelog", 4, 8)
    assert (values["status"], values["address"]) == ("8c00004000010090", "0000001f2e3d4c00")
    assert values["text_of_error"] == "MEMORY CONTROLLER RD_CHANNEL0_ERR"


def test_rasdaemon_prints_one_line() -> None:
    values = read(RASDAEMON)[0].values
    assert (values["reporter"], values["cpu"], values["bank"], values["socket"]) == ("rasdaemon", 12, 7, 1)
    assert (values["status"], values["address"]) == ("8c00004000010090", "0000002f31c4d000")


@pytest.mark.parametrize(
    ("status", "corrected", "overflow", "context_corrupt"),
    [
        ("8c00004000010090", True, False, False),
        ("be00000000800400", False, False, True),
        ("fe00000000800400", False, True, True),
    ],
)
def test_bits_of_the_status_are_read(status: str, corrected: bool, overflow: bool, context_corrupt: bool) -> None:
    values = read(f"mce: [Hardware Error]: CPU 0: Machine Check Exception: 5 Bank 4: {status}")[0].values
    assert (values["corrected"], values["overflow"], values["context_corrupt"]) == (
        corrected,
        overflow,
        context_corrupt,
    )


def test_the_next_record_is_not_mixed_in() -> None:
    first = KERNEL.split("\n", maxsplit=1)[0]
    assert "address" not in read(f"{first}\n{KERNEL.replace('CPU 12', 'CPU 13')}")[0].values


def test_a_record_without_a_status_is_left_out() -> None:
    assert read("Hardware event. This is not a software error.\nMCE 0") == []


@given(
    st.lists(st.one_of(st.binary(max_size=90), st.sampled_from((KERNEL + MCELOG).encode().split(b"\n"))), max_size=9)
)
def test_any_lines_give_rows_inside_the_record(lines: list[bytes]) -> None:
    assert all(100 <= row.line < 100 + len(lines) for row in machine_check.read(lines, 100))
