"""Text from a log or a file's name appears as plain text in every format."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.model.analysis import Analysis
from analyzer.report import FORMATS, render
from analyzer.report.json import escaped
from tests.hostile_text import HOSTILE, MARKUP, STEERING, poisoned


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("width", [40, 10_000])
def test_no_format_lets_a_log_steer_the_terminal(analysis: Analysis, form: str, width: int) -> None:
    assert STEERING.isdisjoint(render(poisoned(analysis), form, width=width))


def test_colours_of_the_report_are_its_own(analysis: Analysis) -> None:
    shown = render(poisoned(analysis), "text", width=10_000, color=True)
    assert "\x1b[31mred" not in shown and "\x1b]" not in shown and "\x1b[2J" not in shown


def test_markup_stands_in_the_text_as_it_was_written(analysis: Analysis) -> None:

    assert render(poisoned(analysis), "text", width=10_000).count(MARKUP) > 20


def test_json_says_exactly_what_the_log_said(analysis: Analysis) -> None:
    document = json.loads(render(poisoned(analysis), "json"))
    assert document["diagnoses"][0]["evidence"][0]["text"].endswith(f" {HOSTILE}")


@given(st.text())
def test_an_escaped_document_means_the_same(text: str) -> None:
    document = escaped(json.dumps({"text": text}, ensure_ascii=False))
    assert json.loads(document) == {"text": text}
    assert STEERING.isdisjoint(document)
