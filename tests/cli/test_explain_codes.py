"""Pages about every code of the shipped catalogues."""

from __future__ import annotations

import re
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.cli.main import main
from analyzer.rulebook import codes
from analyzer.rulebook.load import load
from analyzer.rulebook.schema import Rulebook
from analyzer.rules_folder import rules_dir

WIDTH = 80
SECTIONS = ("Who says what", "Our verdict", "Sources")


@cache
def rulebook() -> Rulebook:
    return load([rules_dir()])


def keys(catalogue: str) -> list[str]:
    return [codes.key_of(row) for row in codes.entries(rulebook().catalogues[catalogue])]


def subjects() -> list[tuple[str, ...]]:
    """What a user asks for each entry of each catalogue."""
    details = codes.entries(rulebook().catalogues["nvlink5_subcodes"])
    bits = codes.entries(rulebook().catalogues["xid74_bits"])
    return [
        *(("xid", key) for key in keys("xid")),
        *(("sxid", key) for key in keys("sxid")),
        *(
            ("xid", f"{row['xid']}/{row['unit'].split('/')[0]}.{row['subcode']}.{row['error_status']}")
            for row in details
        ),
        *(("xid", "74", *words_of_bit(int(row["register"]), int(row["bit"]))) for row in bits),
    ]


def words_of_bit(register: int, bit: int) -> list[str]:
    return [hex(1 << bit if number == register else 0) for number in range(1, 8)]


def page(capsys: pytest.CaptureFixture[str], *subject: str) -> list[str]:
    assert main(["explain", *subject]) == 0
    return capsys.readouterr().out.splitlines()


@pytest.fixture(autouse=True)
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(WIDTH))


def test_every_code_has_a_page_that_fits_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("analyzer.rulebook.load.load", lambda _folders: rulebook())
    for subject in subjects():
        lines = page(capsys, *subject)
        long = [line for line in lines if len(line) > WIDTH and not line.lstrip().startswith("$ ")]
        assert long == [], subject
        assert [name for name in SECTIONS if name not in lines] == [], subject
        assert not any(re.search(r"\{\w+\}|None\b", line) for line in lines[:6]), subject


def test_a_page_holds_meaning_generations_opinions_and_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    lines = page(capsys, "xid", "63")
    assert lines[0] == "Xid 63: INFOROM_PAGE_RETIREMENT_EVENT"
    assert "  Seen on:                     A100 H100 B100 GB200" in lines
    assert "  gpud:                        Fatal: reboot, inspect hardware" in lines
    assert "  NVSentinel:                  nonfatal" in lines
    assert lines[lines.index("Our verdict") + 1].startswith("  - Bad memory row")
    assert "Fix" in lines
    assert "Verify" in lines


def test_a_harmless_code_says_that_nothing_is_to_be_done(capsys: pytest.CaptureFixture[str]) -> None:
    assert any(line.startswith("  - Needs no action: ") for line in page(capsys, "xid", "106"))


@pytest.mark.parametrize(
    ("subject", "title"),
    [
        (("149/4",), "Xid 149, NETIR_LINK_EVT/NETIR_LINK_DOWN, sub-code 4, status 0x00000000"),
        (("149", "0x004505c6", "0x00000000"), "Xid 149, NETIR_LINK_EVT/NETIR_LINK_DOWN, sub-code 4, status 0x00000000"),
        (
            ("149", "(0x021425c6", "0x00000000", "0x0)"),
            "Xid 149, NETIR_LINK_EVT/NETIR_LINK_DOWN, sub-code 33, status 0x00000000",
        ),
        (("149", "0x02100011"), "Xid 149, NETIR_LINK_EVT/NETIR_LINK_DOWN, sub-code 33, status 0x00000000"),
        (("144/SAW_MVB/0x2",), "Xid 144, SAW_MVB, sub-code 0, status 0x00000002"),
        (("74", "0x0,", "0x0,", "0x10000"), "Xid 74, word 3, bit 16"),
        (("074", "(0x10, 0x0)"), "Xid 74, word 1, bit 4"),
    ],
)
def test_words_of_the_line_select_the_detail(
    subject: tuple[str, ...], title: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert title in page(capsys, "xid", *subject)


def test_bits_that_the_catalogue_does_not_name_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert page(capsys, "xid", "74", "0x0", "0x4")[-1] == "  - word 2, bit 2"


def test_words_without_a_bit_say_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert page(capsys, "xid", "74", "0x0", "0x0")[-1] == "  - No bit is set in these words."


@pytest.mark.parametrize(
    ("subject", "hint"),
    [
        (("xid", "80000"), "nearest: 174 or 175 or 176"),
        (("sxid", "1"), "nearest: 10001 or 10002 or 10003"),
        (("xid", "79/1"), "ask for xid 79 alone"),
        (("xid", "144/nothing"), "nearest: "),
        (("xid", "74", "words"), "as the line does"),
        (("xid", "144", "0xffffffff"), "no such detail"),
        (("xid", "x"), "nearest: "),
    ],
)
def test_an_unknown_code_is_one_line_with_the_nearest(
    subject: tuple[str, ...], hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", *subject]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert hint in error


@given(st.lists(st.integers(0, 2**32 - 1), max_size=8))
def test_any_words_select_details_or_none(words: list[int]) -> None:
    layout = codes.layouts()["xid"]
    for part in layout.details:
        rows = codes.entries(rulebook().catalogues[part.catalogue])
        assert len(codes.chosen_by_words(rows, part, words)) <= len(rows)
