"""Nodes, boots and times of what was found are resolved by the segment it stands in."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np

from analyzer.facts.moments import Moments, resolve
from analyzer.facts.reading import Reading
from analyzer.model.stamps import Prefix, RawStamp, StampKind
from analyzer.model.tables import Row
from analyzer.options import Options
from tests.facts.builders import PATTERNS, hit, reading


def resolved(*readings: Reading) -> Moments:
    return resolve(readings, PATTERNS, "", Options())


def kernel_log(path: str, *lines: tuple[int, float]) -> Reading:
    """A log of lines found, by number and uptime; one at 0 opens a boot."""
    hits = [hit(line, pattern=int(at_s == 0.0), text=f"{at_s}") for line, at_s in lines]
    log = reading(path=path, hits=hits)
    log.prefix = _uptime
    return log


def _uptime(line: bytes) -> Prefix:
    return Prefix(RawStamp(StampKind.UPTIME, float(line)))


def test_a_line_is_of_the_node_that_its_folder_names() -> None:
    assert resolved(reading(path="nodes/cn012/dmesg.txt")).of_line(0, 7).node == "cn012"


def test_a_dump_says_itself_on_which_node_it_was_taken() -> None:
    assert resolved(reading(node="CN012.cluster.example")).of_line(0, 7).node == "cn012"


def test_sources_carry_their_segments() -> None:
    (source,) = resolved(reading(path="nodes/cn012/dmesg.txt")).sources
    assert [(segment.node, segment.first_line) for segment in source.segments] == [("cn012", 1)]


def test_a_second_boot_begins_where_the_uptime_starts_anew() -> None:
    moments = resolved(kernel_log("nodes/cn012/dmesg.txt", (1, 5.0), (2, 900.0), (3, 0.0), (4, 5.0)))
    assert [moments.of_line(0, line).clock for line in (2, 4)] == ["cn012/0", "cn012/1"]


def test_lines_that_were_not_looked_at_are_placed_by_their_segment() -> None:
    moments = resolved(kernel_log("nodes/cn012/dmesg.txt", (1, 900.0), (3, 0.0), (4, 5.0)))
    lines = moments.of_lines(0, np.asarray([2, 9]))
    assert (lines.segment.tolist(), lines.node) == ([0, 1], ["cn012", "cn012"])


def test_a_row_has_the_time_at_which_its_dump_was_taken() -> None:
    taken_s = datetime(2026, 3, 2, tzinfo=UTC).timestamp()
    placed = resolved(reading(taken_s=taken_s)).of_row(0, Row("gpus", {}, line=3))
    assert placed.time_us == round(taken_s * 1e6)


def test_a_time_that_the_row_states_goes_before_it() -> None:
    placed = resolved(reading(taken_s=1e9)).of_row(0, Row("gpus", {}, line=3, stamp_s=2e9))
    assert placed.time_us == 2_000_000_000_000_000


def test_a_node_that_the_row_states_goes_before_that_of_the_source() -> None:
    placed = resolved(reading(path="nodes/cn012/log.txt")).of_row(0, Row("gpus", {}, line=3, node="CN013"))
    assert placed.node == "cn013"


def test_a_snapshot_without_a_date_has_no_time() -> None:
    assert resolved(reading()).of_row(0, Row("gpus", {}, line=3)).time_us is None


def test_one_node_has_one_name() -> None:
    moments = resolved(reading(0, "nodes/cn012/a.txt"), reading(1, "b.txt", node="cn012.cluster.example"))
    assert {moments.of_line(index, 1).node for index in (0, 1)} == {"cn012"}
