"""PCIe error records of the kernel."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers import aer_record

RECORD = """\
[ 681.1] nvidia 0000:3b:00.0: PCIe Bus Error: severity=Corrected, type=Physical Layer, (Receiver ID)
[ 681.1] nvme 0000:81:00.0: PCIe Bus Error: severity=Corrected, type=Data Link Layer, (Transmitter ID)
[ 681.1] nvidia 0000:3b:00.0:   device [10de:2330] error status/mask=000000C1/00002000
[ 681.1] nvme 0000:81:00.0:   device [144d:a80a] error status/mask=00001000/00006000
[ 681.1] nvidia 0000:3b:00.0:    [ 0] RxErr                  (First)
[ 681.1] nvidia 0000:3b:00.0:    [ 6] BadTLP
[ 681.1] nvme 0000:81:00.0:    [12] Timeout               """


def read(text: str) -> Any:
    """The only row of one record."""
    (row,) = aer_record.read([line.encode() for line in text.split("\n")], 1458)
    return row


def test_the_record_names_device_layer_and_bits() -> None:
    row = read(RECORD)
    assert row.line == 1458
    assert row.values == {
        "device": "0000:3b:00.0",
        "driver": "nvidia",
        "severity": "corrected",
        "type": "Physical Layer",
        "agent": "Receiver ID",
        "pci_id": "10de:2330",
        "status": "000000c1",
        "mask": "00002000",
        "bits": ["RxErr", "BadTLP"],
        "first_bit": "RxErr",
        "has_tlp_header": False,
    }


@pytest.mark.parametrize(
    ("printed", "severity"),
    [
        ("Corrected", "corrected"),
        ("Correctable", "corrected"),
        ("Uncorrected (Fatal)", "fatal"),
        ("Uncorrectable (Fatal)", "fatal"),
        ("Uncorrected (Non-Fatal)", "nonfatal"),
        ("Uncorrectable (Non-Fatal)", "nonfatal"),
    ],
)
def test_severities_of_old_and_new_kernels_have_one_name(printed: str, severity: str) -> None:
    row = read(f"pcieport 0000:3a:01.0: AER: PCIe Bus Error: severity={printed}, type=Transaction Layer, (Receiver ID)")
    assert row.values["severity"] == severity


def test_names_of_bits_of_older_kernels_are_those_of_newer_ones() -> None:
    head = (
        "[ 681.1] pcieport 0000:18:01.0: PCIe Bus Error: severity=Uncorrected (Fatal), type=Transaction Layer, id=1808"
    )
    lines = ["[18] Malformed TLP          (First)", "[ 4] Data Link Protocol", "[12] Poisoned TLP"]
    row = read("\n".join([head, *(f"[ 681.1] pcieport 0000:18:01.0:    {line}" for line in lines)]))
    assert (row.values["bits"], row.values["first_bit"]) == (["MalfTLP", "DLP", "TLP"], "MalfTLP")


def test_indented_lines_of_a_multi_line_record_belong_to_it() -> None:
    row = read(
        "pcieport 0000:3a:01.0: PCIe Bus Error: severity=Uncorrected (Fatal), type=Transaction Layer, (Requester ID)\n"
        "pcieport 0000:3a:01.0:   device [8086:352a] error status/mask=00004000/00100000\n"
        "                [14] CmpltTO                (First)\n"
        "pcieport 0000:3a:01.0:   TLP Header: 40000001 0000000f 00000000 00000000"
    )
    assert row.values["bits"] == ["CmpltTO"]
    assert row.values["has_tlp_header"] is True


def test_a_second_record_of_the_device_is_not_mixed_in() -> None:
    second = RECORD.split("\n", maxsplit=1)[0] + "\n[ 682.1] nvidia 0000:3b:00.0:    [ 7] BadDLLP"
    assert read(f"{RECORD}\n{second}").values["bits"] == ["RxErr", "BadTLP"]


def test_rows_hold_declared_columns_only() -> None:
    assert set(read(RECORD).values) <= set(aer_record.TABLES[0].names())


@given(st.lists(st.one_of(st.binary(max_size=80), st.sampled_from(RECORD.encode().split(b"\n"))), max_size=12))
def test_any_lines_give_rows_inside_the_record(lines: list[bytes]) -> None:
    rows = aer_record.read(lines, 100)
    assert all(100 <= row.line < 100 + len(lines) for row in rows)


def test_old_kernels_spell_bits_out_and_print_an_agent_number() -> None:
    row = read(
        "pcieport 0000:3a:01.0: PCIe Bus Error: severity=Corrected, type=Data Link Layer, id=3a08(Transmitter ID)\n"
        "pcieport 0000:3a:01.0:   device [8086:352a] error status/mask=00001001/00002000\n"
        "pcieport 0000:3a:01.0:    [ 0] Receiver Error         (First)\n"
        "pcieport 0000:3a:01.0:    [12] Replay Timer Timeout  "
    )
    assert (row.values["agent"], row.values["bits"], row.values["first_bit"]) == (
        "Transmitter ID",
        ["RxErr", "Timeout"],
        "RxErr",
    )


def test_the_header_of_a_flit_counts() -> None:
    assert aer_record.ends(b"pcieport 0000:3a:01.0:   TLP Header (Flit): 0x40000001 0x0000000f", 4)
