"""One job, its output merged in any order or kept in files of any order: the same answer."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import pytest

from analyzer.model.analysis import Diagnosis
from analyzer.options import Options
from analyzer.pipeline import run
from tests.bench import job_log

RANKS = 32
SEED = 3
CULPRIT = job_log.culprit_of(RANKS, SEED)


def _lines() -> list[str]:
    return list(job_log.lines(RANKS, 60_000, SEED))


def _by_rank(lines: Sequence[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for line in lines:
        found[line.partition(":")[0].strip()].append(line)
    return found


def _merged_anew(lines: Sequence[str], chosen: random.Random) -> list[str]:
    """Lines of ranks in another order, those of one rank in their own."""
    order = [line.partition(":")[0].strip() for line in lines]
    chosen.shuffle(order)
    queues = {rank: iter(queue) for rank, queue in _by_rank(lines).items()}
    return [next(queues[rank]) for rank in order]


def _answer(folder: Path) -> list[tuple[str, str, tuple[str, ...], tuple[str, ...], list[tuple[str, int]]]]:
    return [_told(d) for d in run([str(folder)], Options(anomaly=False)).analysis.diagnoses]


def _told(d: Diagnosis) -> tuple[str, str, tuple[str, ...], tuple[str, ...], list[tuple[str, int]]]:
    parts = [tuple(sorted(d.entities.get(kind, ()))) for kind in ("rank", "node")]
    return d.cause, d.severity, parts[0], parts[1], sorted((c.cause, c.count) for c in d.consequences)


def _write(folder: Path, files: dict[str, Sequence[str]]) -> Path:
    folder.mkdir()
    for name, lines in files.items():
        (folder / name).write_text("".join(lines), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[object, ...]]:
    return list(_answer(_write(tmp_path_factory.mktemp("job") / "whole", {"job.out": _lines()})))


def test_the_rank_and_its_fault_are_named(expected: list[tuple[object, ...]]) -> None:
    cause, severity, ranks, nodes, _ = expected[0]
    assert (cause, severity, ranks) == ("gpu-uncorrectable-ecc", "critical", (str(CULPRIT),))
    assert isinstance(nodes, tuple) and job_log.host(CULPRIT) in nodes
    assert len(expected) == 1


@pytest.mark.parametrize("seed", range(3))
def test_the_interleaving_changes_nothing(expected: list[tuple[object, ...]], tmp_path: Path, seed: int) -> None:
    mixed = _merged_anew(_lines(), random.Random(seed))
    assert _answer(_write(tmp_path / "mixed", {"job.out": mixed})) == expected


@pytest.mark.parametrize("seed", range(3))
def test_the_order_of_files_changes_nothing(expected: list[tuple[object, ...]], tmp_path: Path, seed: int) -> None:
    names = list(range(RANKS + 1))
    random.Random(seed).shuffle(names)
    parts = zip(names, _by_rank(_lines()).values(), strict=False)
    assert _answer(_write(tmp_path / "parts", {f"part{n:03}.out": lines for n, lines in parts})) == expected
