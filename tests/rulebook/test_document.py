from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.rulebook.document import Document, DocumentError, read


def refused(text: str | bytes) -> tuple[int, str]:
    with pytest.raises(DocumentError) as caught:
        read(text.encode() if isinstance(text, str) else text)
    return caught.value.line, caught.value.text


@pytest.mark.parametrize(
    ("plain", "value"),
    [
        ("null", None),
        ("true", True),
        ("false", False),
        ("12", 12),
        ("-3", -3),
        ("0.25", 0.25),
        ("2.5e-4", 2.5e-4),
        ("yes", "yes"),
        ("on", "on"),
        ("~", "~"),
        ("0310", "0310"),
        ("0x1f", "0x1f"),
        ("1_000", "1_000"),
        ("12:30:45", "12:30:45"),
        ("2026-11-30", "2026-11-30"),
        ("1e5", "1e5"),
        ("'12'", "12"),
        ('""', ""),
        (".nan", ".nan"),
    ],
)
def test_only_a_few_plain_scalars_are_not_text(plain: str, value: object) -> None:
    assert read(f"key: {plain}\n".encode()).value == {"key": value}


def test_every_node_knows_its_line() -> None:
    document = read(b"a:\n  - x\n  - b: 1\n    c: 2\n")

    assert document.lines == {
        (): 1, ("a",): 1, ("a", 0): 2, ("a", 1): 3, ("a", 1, "b"): 3, ("a", 1, "c"): 4,
    }  # fmt: skip


def test_a_missing_path_has_the_line_of_its_nearest_ancestor() -> None:
    assert Document({}, {(): 1, ("a",): 7}).line(("a", "gone", 3)) == 7


@pytest.mark.parametrize(
    ("text", "line", "part"),
    [
        ("a: 1\nb: 2\na: 3\n", 3, "duplicate key `a`; first on line 1"),
        ("a: &x 1\n", 1, "anchor &x"),
        ("a: 1\nb: *x\n", 2, "*x"),
        ("a: 1\nb: !!str 2\n", 2, "tag tag:yaml.org,2002:str"),
        ("a:\n  !python/name:os.system x\n", 2, "tag"),
        ("a: 1\nb:\n", 2, "`b` is empty"),
        ("? [x, y]\n: 1\n", 1, "a key must be plain text"),
        ("a: 1\n---\nb: 2\n", 2, "second document"),
        ("", 1, "empty file"),
        ("a: [1, 2\n", 2, "not YAML"),
        ("a: 1\nb: \x01\n", 2, "not YAML"),
    ],
)
def test_what_is_outside_the_subset_is_refused_with_its_line(text: str, line: int, part: str) -> None:
    at, why = refused(text)

    assert at == line
    assert part in why


def test_bytes_that_are_not_utf8_are_refused_with_their_line() -> None:
    assert refused(b"a: 1\nb: \xff\n") == (2, "not UTF-8")


def test_deep_nesting_is_refused() -> None:
    assert "nested deeper" in refused("[" * 100 + "]" * 100)[1]


def _lines(data: bytes) -> set[int]:
    try:
        return set(read(data).lines.values())
    except DocumentError as error:
        return {error.line}


@given(st.binary(max_size=300))
def test_any_bytes_give_a_document_or_one_error_within_the_text(data: bytes) -> None:
    assert _lines(data) <= set(range(1, data.count(b"\n") + data.count(b"\r") + 3))
