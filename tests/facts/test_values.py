"""Captured text becomes typed values; what cannot be read becomes nothing, never an error."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.facts.values import CONVERT, MAX_HOSTS, guid, hosts, integer, pci


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("0000:3b:00", "0000:3b:00.0"),
        ("00000000:3B:00.0", "0000:3b:00.0"),
        ("3b:00.1", "0000:3b:00.1"),
        ("0008:01:00", "0008:01:00.0"),
        ("47000", "0000:47:00.0"),
        ("f000", "0000:0f:00.0"),
        ("800001000", "8000:01:00.0"),
        ("slot 3", "slot 3"),
    ],
)
def test_pci_addresses_are_normalised(text: str, address: str) -> None:
    assert pci(text) == address


def test_guids_are_normalised() -> None:
    assert guid("0x2bb0003e8d10000") == "0x02bb0003e8d10000"


def test_a_number_that_does_not_fit_is_nothing() -> None:
    assert integer("99999999999999999999") is None


@pytest.mark.parametrize("text", ["localhost", "[localhost.localdomain]", "127.0.0.1", "::1"])
def test_a_loopback_name_is_no_host(text: str) -> None:
    assert CONVERT["host"](text) is None


def test_host_lists_expand() -> None:
    assert hosts("gpu-a[01-03,7],login1") == ["gpu-a01", "gpu-a02", "gpu-a03", "gpu-a7", "login1"]


def test_a_huge_host_list_is_capped() -> None:
    assert len(hosts("n[0-99999999]")) == MAX_HOSTS


@given(st.text(), st.sampled_from(sorted(CONVERT)))
def test_any_text_is_read_without_error(text: str, kind: str) -> None:
    CONVERT[kind](text)


@given(st.text(alphabet="abc019-,[] "))
def test_any_host_list_is_read_without_error(text: str) -> None:
    assert len(hosts(text)) <= MAX_HOSTS
