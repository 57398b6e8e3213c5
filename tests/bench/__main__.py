"""Prints how the scan and the whole command compare with ripgrep, and what they need.

    python -m tests.bench [--patterns FILE] [--size-mb 1000] [--large-mb 2000] [--folder DIR] [--only NAME...]

Ratios are medians of five interleaved runs, of CPU-seconds first: how many times as much ripgrep needs.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from tests.bench import archives, corpus
from tests.bench.measure import in_turns, ratio_row, run
from tests.bench.patterns import choose, matcher, matching_lines, unnamed

PYTHON = sys.executable
RULES_ONLY = (PYTHON, "-m", "tests.bench.rules_only")
COMMAND = (PYTHON, "-m", "analyzer")
SIZE_LIMITS = ("--regex-size-limit=2G", "--dfa-size-limit=2G")
"""Above its defaults ripgrep refuses this many patterns with Unicode classes."""

SMALL_MEMBERS = 10_000
SHARES = {"0.1 %": 0.001, "1 %": 0.01}


class Setting(NamedTuple):
    """What all measurements share: a folder for logs, the patterns as files and as texts, sizes in megabytes."""

    folder: Path
    pattern_file: Path
    ripgrep_file: Path
    regexes: list[str]
    size_mb: int
    large_mb: int
    rounds: int

    def mixed(self, title: str) -> list[Path]:
        """The mixed logs in which this share of lines matches."""
        scanner = matcher(self.regexes)

        def matches(texts: Sequence[str]) -> list[bool]:
            found = matching_lines(scanner, "\n".join(texts).encode())
            return [number in found for number in range(1, len(texts) + 1)]

        folder = self.folder / title.replace(" ", "").replace("%", "percent")
        present = sorted(folder.glob("*.log"))
        return present or corpus.write_mixed(folder, self.size_mb, SHARES[title], matches)

    def ripgrep(self, paths: Sequence[Path], *options: str) -> list[str | Path]:
        """Count lines that match any of the patterns."""
        return ["rg", "-a", "-c", *SIZE_LIMITS, *options, "-f", self.ripgrep_file, *paths]

    def rules_only(self, paths: Sequence[Path], *options: str) -> list[str | Path]:
        """The scan alone, for the same patterns."""
        return [*RULES_ONLY, *options, self.pattern_file, *paths]


def rules_only(setting: Setting) -> None:
    """The scan without anything after it, against ripgrep with and without Unicode classes."""
    for title in SHARES:
        paths = setting.mixed(title)
        _check_counts(setting, paths[0])
        ours = setting.rules_only(paths)
        costs = in_turns({"scan": ours, "rg": setting.ripgrep(paths, "--no-unicode")})
        print(ratio_row(f"rules only, {title} hits, against rg --no-unicode", costs["scan"], costs["rg"]))
        costs = in_turns({"scan": ours, "rg": setting.ripgrep(paths)}, setting.rounds)
        print(ratio_row(f"rules only, {title} hits, against rg -a -c -f", costs["scan"], costs["rg"]))


def fallback(setting: Setting) -> None:
    """The engine for machines without Hyperscan."""
    paths = setting.mixed("0.1 %")
    costs = in_turns(
        {"scan": setting.rules_only(paths, "--engine", "ahocorasick"), "rg": setting.ripgrep(paths, "--no-unicode")}, 3
    )
    print(ratio_row("rules only, Aho-Corasick, 0.1 % hits, against rg --no-unicode", costs["scan"], costs["rg"]))


def dense(setting: Setting) -> None:
    """A log on which patterns hit most lines."""
    path = setting.folder / "dense" / "nccl.log"
    if not path.exists():
        corpus.write_dense(path, setting.size_mb // 4)
    costs = in_turns({"scan": setting.rules_only([path]), "rg": setting.ripgrep([path], "--no-unicode")}, 3)
    print(ratio_row("rules only, NCCL log at level INFO, against rg --no-unicode", costs["scan"], costs["rg"]))


def whole(setting: Setting) -> None:
    """The whole diagnosis, with and without the counts that the models need."""
    paths = setting.mixed("0.1 %")
    folder = paths[0].parent
    costs = in_turns(
        {
            "diagnose": [*COMMAND, "diagnose", folder, "--format", "json"],
            "rules": [*COMMAND, "diagnose", folder, "--format", "json", "--no-anomaly"],
            "rg": setting.ripgrep(paths, "--no-unicode"),
        },
        3,
    )
    print(ratio_row("whole diagnosis with counts, 0.1 % hits, rg --no-unicode", costs["diagnose"], costs["rg"]))
    print(ratio_row("whole diagnosis --no-anomaly, 0.1 %, rg --no-unicode", costs["rules"], costs["rg"]))


def memory(setting: Setting) -> None:
    """Peak memory on one large log."""
    path = corpus.write_repeated(setting.folder / "large.log", setting.mixed("0.1 %")[0], setting.large_mb)
    try:
        scan = run(setting.rules_only([path]))
        diagnosis = run([*COMMAND, "diagnose", path, "--format", "json"])
    finally:
        path.unlink()
    print(f"{f'peak memory, {setting.large_mb} MB log, rules only':<58} {scan.peak_mb:.0f} MB")
    print(f"{f'peak memory, {setting.large_mb} MB log, whole diagnosis':<58} {diagnosis.peak_mb:.0f} MB (floor 250)")


def streaming(setting: Setting) -> None:
    """Searching the members of a tar.gz as it is decompressed, against ripgrep on the same file."""
    archive = archives.pack(setting.folder / "logs.tar.gz", setting.mixed("0.1 %"))
    ours = setting.rules_only([archive], "--bundle")
    costs = in_turns({"scan": ours, "rg": setting.ripgrep([archive], "--no-unicode", "-z")}, 3)
    print(ratio_row("tar.gz, 0.1 % hits, against rg -z --no-unicode (floor 2)", costs["scan"], costs["rg"]))


def small_members(setting: Setting) -> None:
    """Ten thousand small files: what each is, and the whole diagnosis."""
    for path in archives.write_small(setting.folder / "many", SMALL_MEMBERS):
        for arguments in (["sources"], ["diagnose", "--format", "json"]):
            cost = run([*COMMAND, *arguments, path])
            title = f"{arguments[0]}, {SMALL_MEMBERS:,} small members, {path.name}"
            print(f"{title:<58} {cost.wall_s:.1f} s, cpu {cost.cpu_s:.1f} s, {cost.peak_mb:.0f} MB (floor 10 s)")


def archive_memory(setting: Setting) -> None:
    """Peak memory of streaming a small and a large archive: it must not grow with the content."""
    source = setting.mixed("0.1 %")[0]
    for size_mb in (100, setting.large_mb):
        log = corpus.write_repeated(setting.folder / f"log-{size_mb}.log", source, size_mb)
        archive = archives.pack(setting.folder / f"log-{size_mb}.tar.gz", [log])
        log.unlink()
        scan, diagnosis = run(setting.rules_only([archive], "--bundle")), run([*COMMAND, "diagnose", archive])
        archive.unlink()
        title = f"peak memory, tar.gz of {size_mb} MB"
        print(f"{title:<58} scan {scan.peak_mb:.0f} MB, whole diagnosis {diagnosis.peak_mb:.0f} MB (floor 250)")


def first_finding(setting: Setting) -> None:
    """From the start of the process to the first hit."""
    paths = setting.mixed("0.1 %")
    waits = []
    for _ in range(5):
        start = time.time()
        waits.append(float(run(setting.rules_only(paths[:1], "--first")).output) - start)
    print(f"{'first finding of the scan':<58} {sorted(waits)[2] * 1000:.0f} ms (floor 400)")


def starts(setting: Setting) -> None:
    """Whole processes that do little."""
    small = setting.folder / "small"
    small.mkdir(exist_ok=True)
    for path in setting.mixed("0.1 %"):
        with path.open("rb") as file:
            (small / path.name).write_bytes(file.read(500_000))
    for title, arguments, floor in (
        ("--version", ["--version"], 120),
        ("--help", ["--help"], 120),
        ("diagnose, 2 MB bundle", ["diagnose", str(small)], 500),
        ("diagnose --no-anomaly, 2 MB bundle", ["diagnose", "--no-anomaly", str(small)], 500),
    ):
        cost = in_turns({"ours": [*COMMAND, *arguments]})["ours"]
        print(f"{title:<58} {cost.wall_s * 1000:.0f} ms, cpu {cost.cpu_s * 1000:.0f} ms (floor {floor})")


MEASUREMENTS: dict[str, Callable[[Setting], None]] = {
    measurement.__name__: measurement
    for measurement in (
        rules_only,
        fallback,
        dense,
        whole,
        memory,
        streaming,
        small_members,
        archive_memory,
        first_finding,
        starts,
    )
}


def _check_counts(setting: Setting, path: Path) -> None:
    """Make sure that both count the same lines before their costs are compared."""
    ours = len(matching_lines(matcher(setting.regexes), path.read_bytes()))
    theirs = run(setting.ripgrep([path])).output.strip().rpartition(":")[2]
    note = "" if str(ours) == theirs else "   DIFFERENT"
    print(f"{path.name}: {ours} matching lines, rg {theirs or 'failed'}{note}")


def main() -> None:
    """Make the logs and measure."""
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    options = argparse.ArgumentParser(prog="python -m tests.bench", description="Compare with ripgrep.")
    options.add_argument("--patterns", type=Path, help="file with one pattern a line; default: those of the rules")
    options.add_argument("--size-mb", type=int, default=1000, help="size of the mixed logs together")
    options.add_argument("--large-mb", type=int, default=2000, help="size of the log for peak memory")
    options.add_argument("--rounds", type=int, default=5, help="runs against rg with Unicode classes, which is slow")
    options.add_argument("--folder", type=Path, help="where to keep the logs; default: a temporary folder")
    options.add_argument("--only", nargs="+", choices=MEASUREMENTS, default=list(MEASUREMENTS))
    chosen = options.parse_args()
    if shutil.which("rg") is None:
        raise SystemExit("ripgrep (rg) is not installed")
    with tempfile.TemporaryDirectory(prefix="fabtriage-bench-") as temporary:
        folder = chosen.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        regexes = choose(chosen.patterns)
        pattern_file = Path(temporary) / "patterns"
        pattern_file.write_text("".join(f"{regex}\n" for regex in regexes), "utf-8")
        ripgrep_file = Path(temporary) / "patterns-without-names"
        ripgrep_file.write_text("".join(f"{unnamed(regex)}\n" for regex in regexes), "utf-8")
        print(f"{len(regexes)} patterns, {chosen.size_mb} MB of mixed logs")
        setting = Setting(folder, pattern_file, ripgrep_file, regexes, chosen.size_mb, chosen.large_mb, chosen.rounds)
        for name in chosen.only:
            MEASUREMENTS[name](setting)


if __name__ == "__main__":
    main()
