"""Catalogues of GPU codes and rules fit together: every code has a verdict, and the rules know no other code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import pytest

from analyzer.model.analysis import Diagnosis
from analyzer.pipeline import Options, run
from analyzer.rulebook import codes
from analyzer.rulebook.codes import Entry
from analyzer.rulebook.load import load
from analyzer.rulebook.schema import Rulebook
from analyzer.rules_folder import rules_dir

CATALOGUES = ("xid", "sxid", "nvlink5_subcodes", "xid74_bits")
_DATED = re.compile(r"\d{4}-\d\d-\d\d: \S")
_NAMED = re.compile(r"\b(s?xid) ?(?:=|IN) ?\(?([\d, ]+)\)?")
_DECODED = range(144, 151)
"""Codes whose verdict is that of the words behind them."""
_TEXTS = {"154": "GPU recovery action changed from 0x0 (None) to 0x1 (GPU Reset Required)"}
STATES = {"fatal": "Fatal", "link fatal": "Fatal", "non-fatal": "Nonfatal"}


@cache
def rulebook() -> Rulebook:
    return load([rules_dir()])


def entries(catalogue: str) -> list[Entry]:
    return codes.entries(rulebook().catalogues[catalogue])


def lines() -> dict[str, tuple[str, str]]:
    """Per node a line that shows one entry, and the slug of its verdict."""
    return {name: found for name, found in _lines() if found[1]}


def _lines() -> Iterator[tuple[str, tuple[str, str]]]:
    for row in entries("xid"):
        if int(row["code"]) not in _DECODED:
            text = _TEXTS.get(row["code"], "text")
            yield (
                f"x{row['code']}",
                (f"NVRM: Xid (PCI:0000:3b:00): {row['code']}, pid=4711, name=app, {text}", row["slug"]),
            )
    for row in entries("sxid"):
        state = "Non-fatal" if row["slug"] in rulebook().benign else "Fatal"
        text = f"nvidia-nvswitch1: SXid (PCI:0000:06:00.0): {row['code']}, {state}, Link 07 text"
        yield f"s{row['code']}", (text, row["slug"])
    for row in entries("xid74_bits"):
        words = ", ".join(hex(1 << int(row["bit"]) if place == int(row["register"]) else 0) for place in range(1, 8))
        text = f"NVRM: Xid (PCI:0000:3b:00): 74, pid=4711, name=app, NVLink: fatal error detected on link 9({words})"
        yield row["key"], (text, row["slug"])
    for number, row in enumerate(entries("nvlink5_subcodes")):
        mask = row["intrinfo_v2"].replace("-", "0")
        words = f"(0x{int(mask, 2):08x} {row['error_status'] or '0x0'} 0x0 0x0 0x0 0x0)"
        unit = row["unit"].rsplit("/", 1)[-1]
        text = f"NVRM: Xid (PCI:0000:3b:00): {row['xid']}, {unit} {STATES[row['severity']]} XC0 i0 Link 03 {words}"
        yield f"n{number}", (text, row["slug"])


@pytest.fixture(scope="module")
def diagnoses(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Diagnosis]]:
    """Diagnoses per node of a bundle in which each node shows one code, many lines of it."""
    folder = tmp_path_factory.mktemp("codes")
    for node, (text, _) in lines().items():
        path = folder / "nodes" / node / "dmesg.txt"
        path.parent.mkdir(parents=True)
        path.write_text("".join(f"[  100.{number:06}] {text}\n" for number in range(40)))
    found: dict[str, list[Diagnosis]] = {node: [] for node in lines()}
    for diagnosis in run([str(folder)], Options(anomaly=False, context_lines=0)).analysis.diagnoses:
        for node in diagnosis.entities.get("node", ()):
            found[node].append(diagnosis)
    return found


@pytest.mark.parametrize("catalogue", CATALOGUES)
def test_every_code_has_a_verdict_or_a_dated_exception(catalogue: str) -> None:
    known = {*rulebook().causes, *rulebook().benign}
    wrong = [codes.key_of(row) for row in entries(catalogue) if row["slug"] not in known]
    assert [
        key for key in wrong if not any(_DATED.match(row["exception"]) for row in codes.named(entries(catalogue), key))
    ] == []


@pytest.mark.parametrize("catalogue", CATALOGUES)
def test_every_code_has_meaning_revision_and_known_sources(catalogue: str) -> None:
    for row in entries(catalogue):
        assert row["meaning"], codes.key_of(row)
        assert row["revision"], codes.key_of(row)
        assert row["generations"], codes.key_of(row)
        assert set(row["source"].split()) <= set(rulebook().references), codes.key_of(row)


@pytest.mark.parametrize("catalogue", CATALOGUES)
def test_no_code_is_listed_twice(catalogue: str) -> None:
    keys = [codes.key_of(row) for row in entries(catalogue)]
    assert len(keys) == len(set(keys))


def test_every_verdict_is_reached_by_a_line_with_the_code(diagnoses: dict[str, list[Diagnosis]]) -> None:
    missed = {
        node: (slug, [d.cause for d in diagnoses[node]])
        for node, (_, slug) in lines().items()
        if slug in rulebook().causes and not any(_names(d, slug) for d in diagnoses[node])
    }
    assert [f"{node} {found}" for node, found in missed.items()] == []


def test_codes_that_need_no_action_give_no_warning(diagnoses: dict[str, list[Diagnosis]]) -> None:
    alarmed = {
        node: [d.cause for d in diagnoses[node] if d.severity != "info"]
        for node, (_, slug) in lines().items()
        if slug in rulebook().benign
    }
    assert {node: causes for node, causes in alarmed.items() if causes} == {}


def _names(diagnosis: Diagnosis, slug: str) -> bool:
    return slug in (diagnosis.cause, *(effect.cause for effect in diagnosis.consequences))


def test_rules_name_only_codes_of_the_catalogues() -> None:
    known = {name: {codes.key_of(row) for row in entries(name)} for name in ("xid", "sxid")}
    unknown = [
        (slug, catalogue, code)
        for slug, where in _conditions()
        for catalogue, listed in _NAMED.findall(where)
        for code in re.findall(r"\d+", listed)
        if code not in known[catalogue]
    ]
    assert unknown == []


def _conditions() -> Iterator[tuple[str, str]]:
    for slug, cause in rulebook().causes.items():
        for where in (*(s.where for s in cause.symptoms.values()), *(e.where for e in cause.explains)):
            if where:
                yield slug, where
    for slug, signature in rulebook().benign.items():
        if signature.where:
            yield slug, signature.where


def test_actions_of_the_catalogues_have_a_meaning() -> None:
    actions = {codes.key_of(row) for row in entries("vendor_actions")}
    columns = ("action", "investigate", "second_action")
    used = {row[column] for name in CATALOGUES for row in entries(name) for column in columns if row.get(column)}
    assert used == actions
