"""``ibdiagnet2.log``: severities of findings."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from parsers import ibdiagnet

LOG = b"Load Plugins from:\n-I- Discovery finished successfully\n-E- Link: S1/N1/P19<-->leaf-02/U1/P20 - Unexpected\n"


def test_the_severity_is_the_level() -> None:
    heads = [ibdiagnet.prefix(line) for line in LOG.splitlines()]
    assert [head and (head.level, head.start, head.stamp) for head in heads] == [
        None,
        ("info", 4, None),
        ("error", 4, None),
    ]


def test_several_marked_lines_decide_the_format() -> None:
    assert ibdiagnet.sniff(LOG, "x") is not None
    assert ibdiagnet.sniff(b"-E- alone\n", "ibdiagnet2.log") is None


@given(st.binary(max_size=100))
def test_any_bytes_are_a_line(line: bytes) -> None:
    head = ibdiagnet.prefix(line)
    assert head is None or head.start <= len(line)
