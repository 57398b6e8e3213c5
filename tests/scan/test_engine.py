"""The scan finds what a plain search of every line finds, however the bytes are cut."""

from __future__ import annotations

import gzip
import io
import random
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analyzer.model.patterns import MAX_TEXT, Hit
from analyzer.scan.engine import Scanner
from tests.scan.reference import ENGINES, KERNEL, as_plain, pattern, patterns, plain_hits, scan, split_lines

XID = r"NVRM: Xid \(PCI:(?P<gpu>[0-9a-f:]+)\): (?P<xid>\d+)"
SAMPLE = (
    XID,
    r"Out of memory: Killed process (?P<pid>\d+) \((?P<name>[^)]+)\)",
    r"node (?P<node>\S+) reason set to: (?P<reason>.+)",
    r"(?i)fatal (?P<what>error|fault)",
    r"^\[ *(?P<uptime>\d+\.\d+)\] (?P<word>\w+)",
    r"\s(?P<tail>\d+)$",
    r"^$|never\b",
    r"(?P<a>[a-f]+)\W(?P<b>x)?",
    r"(\d\d)(?P<named>:)(?:(?P<optional>y)|z)?",
    r"mlx5_core (?P<bdf>\S+): .{0,40}(?P<why>health|cable)",
)
EVENT = b"[   12.000001] NVRM: Xid (PCI:0000:%02x:00): 79, pid=1"
BLOCK_SIZES = (64, 1000, 4096, 65_536, 1 << 20)


def hostile_log() -> bytes:
    """Line ends of both kinds, bytes outside UTF-8, NUL, empty and huge lines, half records, no last newline."""
    chosen = random.Random(3)
    kinds = (
        lambda: EVENT % chosen.randrange(256) + chosen.choice([b"", b"\r"]),
        lambda: b"bad \xff\xfe utf8 " + EVENT % 7,
        lambda: b"nul \x00 " + EVENT % 9 + b"\r\r",
        lambda: b"",
        lambda: b"Out of memory: Killed process 12 (pyth\non)",
        lambda: b"Out of memory: Killed process 13 (python)",
        lambda: b"node gpu-r01-n01 reason set to: \xc3\xa9chec\r",
        lambda: b"FATAL Error 12\r",
        lambda: b"mlx5_core 0000:3b:00.0: device's health compromised",
        lambda: b"filler " + str(chosen.random()).encode(),
        lambda: b"filler 10:zz 10:y",
    )
    lines = [chosen.choice(kinds)() for _ in range(1500)]
    for place in range(0, 1500, 150):
        lines[place] = b"y" * chosen.randrange(200_000) + EVENT % 3 + b"z" * 5000
    return b"\n".join(lines) + b"\n" + EVENT % 1


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("block_bytes", BLOCK_SIZES)
def test_it_equals_the_plain_search_on_hostile_input(engine: str, block_bytes: int) -> None:
    data, wanted = hostile_log(), patterns(*SAMPLE)
    scanner = Scanner(wanted, engine=engine, cap_per_pattern=10**6, block_bytes=block_bytes)  # type: ignore[arg-type]
    found = scan(data, scanner)
    assert as_plain(found.hits) == plain_hits(data, wanted)
    assert (found.lines, found.size_bytes) == (len(split_lines(data)), len(data))
    assert found.problems == []


PIECES = st.sampled_from(
    [b"\n", b"\r\n", b"\r", b"\x00", b"\xff", b"NVRM: Xid (PCI:", b"0000:3b:00): 79", b"fatal ", b"Error", b" 12", b"x"]
)


@pytest.mark.parametrize("engine", ENGINES)
@given(pieces=st.lists(PIECES, max_size=60), block_bytes=st.integers(1, 200), cap=st.sampled_from([2, 3, 1000]))
def test_it_equals_the_plain_search_on_any_input(engine: str, pieces: list[bytes], block_bytes: int, cap: int) -> None:
    data, wanted = b"".join(pieces), patterns(*SAMPLE)
    scanner = Scanner(wanted, engine=engine, cap_per_pattern=cap, block_bytes=block_bytes)  # type: ignore[arg-type]
    found = scan(data, scanner)
    expected = plain_hits(data, wanted)
    by_pattern = [[hit for hit in expected if hit.pattern == one.index] for one in wanted]
    kept = {hit for hits in by_pattern for hit in (hits[: cap - cap // 2] + hits[len(hits) - cap // 2 :])}
    assert found.totals == {one.index: len(hits) for one, hits in zip(wanted, by_pattern, strict=True) if hits}
    if len(expected) <= cap:
        assert as_plain(found.hits) == expected
    assert set(as_plain(found.hits)) == kept if all(len(hits) >= cap for hits in by_pattern if hits) else True
    assert found.lines == len(split_lines(data))


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("line_end", [b"\n", b"\r\n"])
def test_a_storm_keeps_its_first_and_last_hits_and_its_exact_number(engine: str, line_end: bytes) -> None:
    data = b"".join(EVENT % (number % 256) + line_end for number in range(5000))
    scanner = Scanner(patterns(XID, r"pid=(?P<pid>\d+)"), engine=engine, cap_per_pattern=11, block_bytes=10_000)  # type: ignore[arg-type]
    found = scan(data, scanner)
    lines = [hit.line for hit in found.hits if hit.pattern == 0]
    assert lines == [1, 2, 3, 4, 5, 6, 4996, 4997, 4998, 4999, 5000]
    assert found.totals == {0: 5000, 1: 5000}
    assert found.hits[-1].captures == (b"1",)


@pytest.mark.parametrize("engine", ENGINES)
def test_patterns_that_share_a_common_literal_are_told_apart_in_a_storm(engine: str) -> None:
    kinds = (b"Xid 79 a", b"Xid 94 b\xff", "Xid 13 é".encode(), b"Xid 79")
    data = b"".join(kinds[number % 4] + b"\n" for number in range(6000))
    wanted = patterns(r"Xid (?P<xid>79)", r"Xid (?P<xid>\d+) \w$", r"Xid (?P<xid>94) b(?P<rest>.?)", r"Xid 1000")
    scanner = Scanner(wanted, engine=engine, cap_per_pattern=10**6, block_bytes=4096)  # type: ignore[arg-type]
    found = scan(data, scanner)
    assert as_plain(found.hits) == plain_hits(data, wanted)
    assert found.totals == {0: 3000, 1: 1500, 2: 1500}


def test_hits_of_many_patterns_stand_in_file_order() -> None:
    found = scan(b"a1 b2\nb3\na4\n", Scanner(patterns(r"b\d", r"a\d")))
    assert [(hit.line, hit.pattern) for hit in found.hits] == [(1, 0), (1, 1), (2, 0), (3, 1)]


def test_the_text_of_a_hit_is_cut_but_its_fields_are_found_beyond_the_cut() -> None:
    found = scan(b"x" * 3000 + b" code=7\n", Scanner(patterns(r"code=(?P<code>\d+)")))
    assert found.hits == [Hit(0, 1, 0, b"x" * MAX_TEXT, (b"7",))]


def test_a_pattern_is_tried_only_on_sources_of_its_families() -> None:
    wanted = [pattern(0, "alpha", families=KERNEL), pattern(1, "alpha"), pattern(2, "alpha", families=frozenset("n"))]
    found = scan(b"alpha\n", Scanner(wanted))
    assert found.totals == {0: 1, 1: 1}


def test_lines_are_counted_when_no_pattern_applies() -> None:
    found = scan(b"a\nb\nc", Scanner([pattern(0, "a", families=frozenset({"nccl"}))]))
    assert (found.lines, found.size_bytes, found.hits) == (3, 5, [])


def test_each_kept_hit_is_announced_once() -> None:
    announced: list[Hit] = []
    data = b"".join(b"event %d\n" % number for number in range(100))
    scanner = Scanner(patterns(r"event (?P<n>\d+)"), cap_per_pattern=4)
    found = scanner.scan(io.BytesIO(data), KERNEL, 3, on_hit=announced.append)
    assert announced == found.hits
    assert found.source == 3


def test_a_pass_can_be_cancelled_between_blocks() -> None:
    answers = iter([False, True])
    scanner = Scanner(patterns("b"), block_bytes=4)
    found = scanner.scan(io.BytesIO(b"b\nb\nb\nb\n"), KERNEL, 0, cancelled=lambda: next(answers))
    assert (found.stopped, found.totals) == ("cancelled", {0: 2})


def test_what_a_broken_stream_gave_is_kept_with_the_reason() -> None:
    packed = gzip.compress(b"".join(b"event %d\n" % number for number in range(9000)))
    found = Scanner(patterns("event 12$")).scan(gzip.GzipFile(fileobj=io.BytesIO(packed[:-2000])), KERNEL, 0)
    assert found.totals == {0: 1}
    assert found.stopped.startswith("Compressed file ended")


def test_a_line_beyond_the_limit_counts_as_a_problem() -> None:
    scanner = Scanner(patterns("start", "end"), block_bytes=64, line_limit_bytes=128)
    found = scan(b"start" + b"x" * 1000 + b"end\nend\n", scanner)
    assert [(hit.pattern, hit.line, hit.offset) for hit in found.hits] == [(0, 1, 0), (1, 2, 1009)]
    assert [problem.count for problem in found.problems] == [1]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_pattern_without_any_literal_is_tried_on_every_line(engine: str) -> None:
    wanted = patterns(r"(?P<all>.*)", r"\d", "b")
    data = b"a\n\nb2\r\n"
    found = scan(data, Scanner(wanted, engine=engine))  # type: ignore[arg-type]
    assert as_plain(found.hits) == plain_hits(data, wanted)


def test_threads_share_a_scanner() -> None:
    data = hostile_log()
    scanner = Scanner(patterns(*SAMPLE))
    alone = scan(data, scanner)
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda _: scan(data, scanner), range(8)))
    assert all(found.hits == alone.hits and found.totals == alone.totals for found in together)


@pytest.mark.parametrize("engine", ENGINES)
def test_an_untrusted_pattern_may_use_more_than_the_common_subset(engine: str) -> None:
    wanted = [pattern(0, r"(?<=Xid )(?P<xid>\d++)(?! ok)", trusted=False), pattern(1, r"\p{Lu}id", trusted=False)]
    found = scan(b"Xid 79\nXid 79 ok\n", Scanner(wanted, engine=engine))  # type: ignore[arg-type]
    assert [(hit.pattern, hit.line, hit.captures) for hit in found.hits] == [(0, 1, (b"79",)), (1, 1, ()), (1, 2, ())]


def test_a_pattern_that_explodes_is_given_up_and_said_so() -> None:
    wanted = [pattern(0, r"^(?:a|aa|aaa)+$", trusted=False)]
    found = scan(b"a" * 60 + b"b\n", Scanner(wanted))
    assert found.hits == []
    assert [(problem.text, problem.count) for problem in found.problems] == [
        ("pattern of event0 took too long on a line", 1)
    ]
