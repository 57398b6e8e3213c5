"""Which known name somebody may have meant."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.diagnose.near_names import nearest

_KNOWN = ("NCCL_NSOCKS_PERTHREAD", "NCCL_NET_GDR_LEVEL", "NCCL_IB_HCA", "NCCL_IB_TC")


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("NCCL_NSOCKETS_PERTHREAD", "NCCL_NSOCKS_PERTHREAD"),
        ("NCCL_IB_HCAS", "NCCL_IB_HCA"),
        ("NCCL_GDR_LEVEL", "NCCL_NET_GDR_LEVEL"),
    ],
)
def test_a_misspelt_name_has_a_near_one(name: str, meant: str) -> None:
    assert nearest([name], _KNOWN, 2) == {name: meant}


@pytest.mark.parametrize("name", ["NCCL_IB_HCA", "NCCL_FASTRAK_NUM_FLOWS", "NCCL_GDR", "X" * 100, ""])
def test_known_and_far_names_have_none(name: str) -> None:
    assert nearest([name], _KNOWN, 2) == {}


@given(st.text(max_size=120), st.lists(st.text(max_size=30), max_size=5))
def test_any_text_has_a_known_name_or_none(name: str, known: list[str]) -> None:
    assert set(nearest([name], known, 2).values()) <= set(known)
