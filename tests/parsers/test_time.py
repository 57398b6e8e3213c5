"""Time stamps of every printed form."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.model.stamps import StampKind
from parsers import _time

NOON_S = datetime(2026, 3, 9, 4, 41, 27, tzinfo=UTC).timestamp()
YEARLESS_S = (31 + 29 + 8) * 86400 + 4 * 3600 + 41 * 60 + 27
READERS = (_time.iso, _time.month_first, _time.bsd, _time.ctime, _time.glog, _time.uptime)


@pytest.mark.parametrize(
    ("reader", "text", "kind", "seconds", "resolution_s"),
    [
        (_time.iso, b"2026-03-09T04:41:27", StampKind.LOCAL, NOON_S, 1.0),
        (_time.iso, b"2026-03-09 04:41:27,123", StampKind.LOCAL, NOON_S + 0.123, 1e-3),
        (_time.iso, b"2026/03/09 04:41:27", StampKind.LOCAL, NOON_S, 1.0),
        (_time.iso, b"2026-03-09T04:41:27.123456Z", StampKind.UTC, NOON_S + 0.123456, 1e-6),
        (_time.iso, b"2026-03-09T06:41:27,5+02:00", StampKind.UTC, NOON_S + 0.5, 0.1),
        (_time.iso, b"2026-03-08T23:11:27-0530", StampKind.UTC, NOON_S, 1.0),
        (_time.bsd, b"Mar  9 04:41:27", StampKind.YEARLESS, YEARLESS_S, 1.0),
        (_time.bsd, b"Mar 09 04:41:27.123456", StampKind.YEARLESS, YEARLESS_S + 0.123456, 1e-6),
        (_time.ctime, b"Mon Mar  9 04:41:27 2026", StampKind.LOCAL, NOON_S, 1.0),
        (_time.ctime, b"Mon Mar  9 04:41:27 UTC 2026", StampKind.UTC, NOON_S, 1.0),
        (_time.month_first, b"Mar 09 2026 04:41:27", StampKind.LOCAL, NOON_S, 1.0),
        (_time.glog, b"E0309 04:41:27.123456789", StampKind.YEARLESS, YEARLESS_S + 0.123456789, 1e-9),
        (_time.glog, b"E309 04:41:27.1", StampKind.YEARLESS, YEARLESS_S + 0.1, 0.1),
        (_time.uptime, b"[   12.345678]", StampKind.UPTIME, 12.345678, 1e-6),
        (_time.uptime, b"[123456.789012]", StampKind.UPTIME, 123456.789012, 1e-6),
    ],
)
def test_each_form_keeps_what_it_says_and_no_more(
    reader: Callable[[bytes, int], _time.Read | None],
    text: bytes,
    kind: StampKind,
    seconds: float,
    resolution_s: float,
) -> None:
    read = reader(b"x" + text + b" message", 1)
    assert read is not None
    assert read.stamp.kind is kind
    assert read.stamp.seconds == pytest.approx(seconds, abs=1e-6)
    assert read.stamp.resolution_s == pytest.approx(resolution_s)
    assert read.end == 1 + len(text)


@pytest.mark.parametrize("text", [b"2026-02-31T00:00:00", b"2026-13-01T00:00:00", b"0000-01-01T00:00:00"])
def test_an_impossible_date_is_no_stamp(text: bytes) -> None:
    assert _time.iso(text) is None


def test_a_leap_day_exists_in_a_yearless_stamp() -> None:
    read = _time.bsd(b"Feb 29 00:00:00")
    assert read is not None
    assert read.stamp.seconds == (31 + 28) * 86400


@given(st.binary(max_size=60), st.integers(0, 60))
def test_any_bytes_give_a_stamp_or_none(text: bytes, at: int) -> None:
    for reader in READERS:
        read = reader(text, at)
        assert read is None or at <= read.end <= len(text)
