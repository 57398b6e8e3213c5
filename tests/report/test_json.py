"""The JSON report is the whole analysis, in the published names."""

from __future__ import annotations

import json

import msgspec

from analyzer.model.analysis import Analysis
from analyzer.report import render


def test_reserved_words_have_their_published_names(analysis: Analysis) -> None:
    report = json.loads(render(analysis, "json"))
    assert report["window"]["from"] == "2026-03-09T04:41:27.000Z"
    assert report["coverage"]["missing"][0]["for"] == "fibre-macrobend"


def test_an_analysis_survives_the_round_trip(analysis: Analysis) -> None:
    assert msgspec.json.decode(render(analysis, "json"), type=Analysis) == analysis


def test_a_trace_event_has_no_line(analysis: Analysis) -> None:
    proof = json.loads(render(analysis, "json"))["diagnoses"][0]["evidence"][2]
    assert (proof["event"], proof["line"]) == (3, None)
