from __future__ import annotations

import tomllib
from importlib import resources

import pytest
from hypothesis import given
from hypothesis import strategies as st

import parsers
from analyzer.sources.identify import BINARY, TEXT, block_names, identify, parser

IBSTAT = (
    b"CA 'mlx5_0'\n\tCA type: MT4123\n\tNumber of ports: 1\n\tFirmware version: 20.35.1012\n\tHardware version: 0\n"
    b"\tNode GUID: 0x02aa000320f38200\n\tSystem image GUID: 0x02aa000320f38200\n\tPort 1:\n\t\tState: Active\n"
    b"\t\tPhysical state: LinkUp\n\t\tRate: 200\n\t\tBase lid: 7\n\t\tLMC: 0\n\t\tSM lid: 1\n"
    b"\t\tCapability mask: 0xa651e848\n\t\tPort GUID: 0x02aa000320f38201\n\t\tLink layer: InfiniBand\n"
)
DMESG = b"[    0.000000] Linux version 5.15.0\n[    0.610000] rtc_cmos 00:01: registered\n" * 20
SYSLOG = b"Mar  9 04:41:27 cn001 kernel: NVRM: loading\nMar  9 04:41:28 cn001 systemd[1]: Started x.\n" * 20
SLURMD = b"[2026-01-08T16:25:38.153] slurmd version 22.05.8 started\n[2026-01-08T16:25:38.155] CPUs=2 Boards=1\n"


@pytest.mark.parametrize(
    ("head", "path", "name"),
    [
        (IBSTAT, "nodes/cn001/ibstat.txt", "ibstat"),
        (IBSTAT, "something-else.log", "ibstat"),
        (DMESG, "dmesg.txt", "dmesg"),
        (DMESG, "kern.log", "dmesg"),
        (SYSLOG, "messages", "syslog"),
        (SYSLOG, "x.tar.gz!top/dmesg.txt", "syslog"),
        (SLURMD, "slurmd-gpu-c03.log", "slurmd"),
    ],
)
def test_content_decides_whatever_the_name(head: bytes, path: str, name: str) -> None:
    found = identify(head, path)
    assert found.format is not None
    assert (found.format.name, found.parser) == (name, name)
    assert found.why
    assert found.families == found.format.families


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig"])
def test_a_byte_order_mark_does_not_hide_the_format(encoding: str) -> None:
    assert identify(IBSTAT.decode().encode(encoding), "ibstat.txt").parser == "ibstat"


def test_a_block_of_nul_before_a_log_does_not_hide_it() -> None:
    assert identify(bytes(4096) + SYSLOG, "messages").parser == "syslog"


def test_a_log_behind_a_long_banner_is_found_in_the_longer_head() -> None:
    banner = b"".join(b"banner line %d of the collector %s\n" % (number, b"-" * 60) for number in range(120))
    assert identify(banner + SYSLOG * 20, "collected.txt").parser == "syslog"


def test_text_of_no_known_format_stays_text() -> None:
    found = identify(b"Dear colleague,\n\nthe switch was replaced on Monday.\n", "notes.txt")
    assert (found.format, found.parser, found.families) == (TEXT, None, frozenset({"text"}))


def test_binary_data_is_unrecognised() -> None:
    found = identify(bytes(range(256)) * 16, "core.1234")
    assert (found.format, found.parser, found.why) == (None, None, BINARY)


def test_an_empty_file_is_read_with_no_lines() -> None:
    assert identify(b"", "dmesg.txt").why == "empty file"


def test_every_hint_names_a_parser_that_reads_whole_members() -> None:
    hints = tomllib.loads(resources.files("analyzer.sources").joinpath("hints.toml").read_text("utf-8"))
    for name in hints["file_names"]:
        assert name in parsers.names()
        assert callable(parser(name).sniff)


@given(head=st.binary(max_size=400), path=st.text(max_size=40))
def test_any_bytes_are_identified_without_an_error(head: bytes, path: str) -> None:
    assert identify(head, path).why


def test_the_parsers_of_records_inside_logs_are_all_listed() -> None:
    modules = {name: parser(name) for name in parsers.names()}
    blocks = {name for name, module in modules.items() if hasattr(module, "FORMAT") and module.FORMAT.kind == "block"}
    assert set(block_names()) == blocks
