"""Pages about causes and error codes."""

from __future__ import annotations

import pytest

from analyzer.cli.main import main

pytestmark = pytest.mark.usefixtures("small_rules")
Captured = pytest.CaptureFixture[str]


def _explain(capsys: Captured, *subject: str) -> list[str]:
    assert main(["explain", *subject]) == 0
    return capsys.readouterr().out.splitlines()


def test_page_says_how_a_cause_shows(capsys: Captured) -> None:
    assert "  - root: example.port_down where errno IN (7, 79)" in _explain(capsys, "port-flaps")


def test_page_gives_the_fix_in_order_with_its_risk_and_command(capsys: Captured) -> None:
    page = _explain(capsys, "port-flaps")
    start = page.index("Fix")
    assert page[start + 1 : start + 4] == [
        "  1. Take the node out of scheduling.  [disruptive]",
        "       $ scontrol update nodename={node} state=drain reason=triage",
        "  2. Reseat the cable.",
    ]


def test_page_names_the_source_of_each_fact(capsys: Captured) -> None:
    page = _explain(capsys, "port-flaps")
    assert "  - Example driver; port_down(); drivers/example/port.c; v1.2; read 2026-01-02" in page


def test_page_keeps_to_the_width_of_the_terminal(capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    page = _explain(capsys, "port-flaps")
    assert max(len(line) for line in page if "$ " not in line) <= 40


def test_other_name_leads_to_the_same_page(capsys: Captured) -> None:
    assert _explain(capsys, "flapping-port") == _explain(capsys, "port-flaps")


def test_cause_without_a_rule_says_so(capsys: Captured) -> None:
    page = _explain(capsys, "fan-stopped")
    assert (page[0], page[-1]) == ("fan-stopped (cause, layer cooling)", "No rule looks for this yet.")


def test_code_shows_its_catalogue_entry_and_the_causes_that_look_at_it(capsys: Captured) -> None:
    page = _explain(capsys, "errno", "79")
    assert page[:4] == ["errno 79", "", "  name: EPORT", "  meaning: the port lost its peer"]
    assert page[4:] == ["", "Causes (fabtriage explain CAUSE)", "  - port-flaps"]


def test_code_names_the_cause_it_stands_for(capsys: Captured) -> None:
    assert _explain(capsys, "errno", "81")[-1] == "  - fan-stopped"


def test_code_that_no_cause_looks_at_has_only_its_entry(capsys: Captured) -> None:
    assert _explain(capsys, "errno", "80") == ["errno 80", "", "  name: EOTHER"]


@pytest.mark.parametrize(
    ("subject", "hint"),
    [
        (["port-flap"], "did you mean port-flaps?"),
        (["zzz"], "fabtriage rules list"),
        (["xid", "79"], "known: errno"),
        (["errno", "82"], "nearest: 79 or 80 or 81"),
        (["errno", "79/x"], "has no details"),
        (["errno", "79", "0x1"], "has no details"),
        (["a", "b", "c"], "fabtriage rules list"),
    ],
)
def test_unknown_subject_is_one_line_with_a_hint(subject: list[str], hint: str, capsys: Captured) -> None:
    assert main(["explain", *subject]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert hint in error


@pytest.mark.parametrize(("typed", "meant"), [("79", "xid 79"), ("xid79", "xid 79"), ("SXid-20034", "SXid 20034")])
def test_a_bare_code_is_told_how_to_ask(typed: str, meant: str, capsys: Captured) -> None:
    assert main(["explain", typed]) == 2
    assert f"did you mean explain {meant}?" in capsys.readouterr().err
