from __future__ import annotations

import os
import pickle
import struct
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parsers import _plain_pickle
from parsers._plain_pickle import PlainPickleError

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**100), 2**100) | st.floats(allow_nan=False) | st.text() | st.binary(),
    lambda inner: st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


def _holds_bytes(value: Any) -> bool:
    """Protocol 2 writes bytes as a call of a codec."""
    if isinstance(value, dict):
        return any(map(_holds_bytes, value.values()))
    return any(map(_holds_bytes, value)) if isinstance(value, list | tuple) else isinstance(value, bytes)


class _Caller:
    def __reduce__(self) -> tuple[Any, tuple[str]]:
        return os.system, ("echo run > /tmp/ran",)


@given(PLAIN, st.integers(3, 5))
def test_plain_values_come_back_as_they_were(value: Any, protocol: int) -> None:
    assert _plain_pickle.load(pickle.dumps(value, protocol)) == value


@given(PLAIN.filter(lambda value: not _holds_bytes(value)))
def test_protocol_2_that_needs_no_call_for_bytes_is_read(value: Any) -> None:
    assert _plain_pickle.load(pickle.dumps(value, 2)) == value


def test_keys_become_texts() -> None:
    assert _plain_pickle.load(pickle.dumps({3: [0, 1]}, 2)) == {"3": [0, 1]}


@pytest.mark.parametrize("protocol", range(6))
def test_a_pickle_that_calls_something_is_refused(protocol: int) -> None:
    with pytest.raises(PlainPickleError):
        _plain_pickle.load(pickle.dumps({"entries": [_Caller()]}, protocol))


@pytest.mark.parametrize(
    "code", [b"c", b"\x93", b"R", b"i", b"o", b"b", b"\x81", b"\x92", b"\x82", b"\x83", b"\x84", b"P", b"Q", b"\x97"]
)
def test_opcodes_that_import_call_or_refer_outside_do_not_exist(code: bytes) -> None:
    with pytest.raises(PlainPickleError, match="is not one of plain values"):
        _plain_pickle.load(b"\x80\x02" + code + b"os\nsystem\n.")


@pytest.mark.parametrize(
    "data",
    [
        b"\x80\x02X" + struct.pack("<I", 2**31) + b"x.",
        b"\x80\x04\x8d" + struct.pack("<Q", 2**62) + b"x.",
        b"\x80\x02\x8b" + struct.pack("<I", 2**30) + b".",
        b"\x80\x02h\x07.",
        b"\x80\x02.",
        b"\x80\x02}",
        b"",
    ],
)
def test_sizes_beyond_the_data_and_missing_parts_are_damage(data: bytes) -> None:
    with pytest.raises(PlainPickleError):
        _plain_pickle.load(data)


def test_a_memo_number_costs_no_memory() -> None:
    assert _plain_pickle.load(b"\x80\x02]r\xff\xff\xff\xffj\xff\xff\xff\xff.") == []


def test_keys_that_may_all_collide_are_refused() -> None:
    with pytest.raises(PlainPickleError, match="key that is neither"):
        _plain_pickle.load(pickle.dumps({(-1, -2): 1}, 2))


def test_the_number_of_containers_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_plain_pickle, "MAX_CONTAINERS", 10)
    with pytest.raises(PlainPickleError, match="too many lists"):
        _plain_pickle.load(b"\x80\x02" + b"]" * 11 + b".")


def test_the_number_of_steps_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_plain_pickle, "MAX_OPCODES", 10)
    with pytest.raises(PlainPickleError, match="too many steps"):
        _plain_pickle.load(b"\x80\x02" + b"N" * 20 + b".")


@settings(max_examples=300)
@given(st.binary(max_size=200) | st.binary(max_size=200).map(lambda data: b"\x80\x02" + data + b"."))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        _plain_pickle.load(data)
    except PlainPickleError:
        return
