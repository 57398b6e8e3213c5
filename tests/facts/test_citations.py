"""A place written into a derived row is read back as it was."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from analyzer.facts.citations import citation, citations, place_of

_NUMBER = st.none() | st.integers(1, 10**9)


@given(st.integers(0, 10**6), _NUMBER, _NUMBER)
def test_a_place_is_read_back(source: int, line: int | None, event: int | None) -> None:
    assert place_of(citation({"source": source, "line": line, "event": event})) == (source, line, event)


def test_a_line_has_no_event() -> None:
    assert citation({"source": 3, "line": 7}) == "3:7:0"


def test_each_place_is_cited_once() -> None:
    assert citations([{"source": 0, "line": line} for line in (9, 7, 9)]) == ["0:9:0", "0:7:0"]
