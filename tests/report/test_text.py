"""The text report stays readable when one cause is found on many parts."""

from __future__ import annotations

import msgspec

from analyzer.model.analysis import Analysis
from analyzer.report import render


def repeated(analysis: Analysis, times: int) -> str:
    """The report of a first diagnosis found on so many parts."""
    first = analysis.diagnoses[0]
    alike = [
        msgspec.structs.replace(first, rank=rank, explanation=f"Fibre {rank} is bent.") for rank in range(1, times + 1)
    ]
    return render(msgspec.structs.replace(analysis, diagnoses=tuple(alike), earlier=()), "text", width=100)


def test_the_fix_of_a_cause_is_printed_once(analysis: Analysis) -> None:
    assert repeated(analysis, 3).count("Release the bend") == 1


def test_every_part_has_its_own_line_and_proof(analysis: Analysis) -> None:
    text = repeated(analysis, 3)

    assert [f"Fibre {rank} is bent." in text for rank in (1, 2, 3)] == [True] * 3
    assert text.count("optics/LK-0212.csv:27") == 3


def test_a_storm_of_one_cause_is_counted(analysis: Analysis) -> None:
    text = repeated(analysis, 500)

    assert "and fibre-macrobend on 492 more parts" in text
    assert "Fibre 9 is bent." not in text
