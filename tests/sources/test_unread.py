"""What is plainly of a format that is not read is called by its name, with what would be read instead."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.sources.identify import UNKNOWN_TEXT, identify
from analyzer.sources.unread import unread


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Module                  Size  Used by\nnvidia 54616064 12\n", "lsmod"),
        ("<?xml version='1.0' ?>\n<nvidia_smi_log>\n", "nvidia-smi -q -x (XML)"),
        ("processor\t: 0\nvendor_id\t: GenuineIntel\n", "/proc/cpuinfo"),
    ],
)
def test_it_is_called_by_its_name(text: str, title: str) -> None:
    assert (unread(text.encode()) or "").startswith(f"{title} is not read; what is: ")


def test_other_texts_are_of_no_known_format() -> None:
    assert identify(b"Dear colleague,\n\nit works.\n", "x").why == UNKNOWN_TEXT


@given(st.binary(max_size=300))
def test_any_bytes_are_judged(data: bytes) -> None:
    unread(data)
