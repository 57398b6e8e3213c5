"""Searches files for the patterns of a file and prints matching lines per file, like ``rg -a -c -f``.

    python -m tests.bench.rules_only [--first] [--engine NAME] [--bundle] PATTERNS FILE...

With ``--first`` it stops at the first finding and prints the seconds since the epoch. With ``--bundle`` archives are
opened and their members searched one by one.
"""

from __future__ import annotations

import argparse
import os
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from analyzer.bundle import Member, Refused, open_bundle
from analyzer.model.patterns import Hit, LinePattern
from analyzer.scan.engine import Scanner


def load_patterns(path: Path) -> list[LinePattern]:
    """One pattern a line."""
    regexes = path.read_text("utf-8").splitlines()
    return [LinePattern(index, f"pattern{index}", regex) for index, regex in enumerate(regexes)]


def _first(_: Hit) -> None:
    print(time.time(), flush=True)
    os._exit(0)


def _member_total(scanner: Scanner, member: Member | Refused) -> str:
    if isinstance(member, Refused):
        return f"{member.path}: {member.reason}"
    with member.open() as stream:
        return f"{member.path}:{sum(scanner.scan(stream, frozenset(), 0).totals.values())}"


def main() -> None:
    """Search all files, some at a time."""
    options = argparse.ArgumentParser()
    options.add_argument("--first", action="store_true")
    options.add_argument("--engine", default="auto")
    options.add_argument("--bundle", action="store_true")
    options.add_argument("paths", nargs="+", type=Path)
    chosen = options.parse_args()
    scanner = Scanner(load_patterns(chosen.paths[0]), engine=chosen.engine)

    if chosen.bundle:
        with open_bundle([str(path) for path in chosen.paths[1:]]) as bundle:
            for member in bundle.members():
                print(_member_total(scanner, member))
        return

    def search(path: Path) -> tuple[Path, int]:
        with path.open("rb", buffering=0) as stream:
            found = scanner.scan(stream, frozenset(), 0, _first if chosen.first else None)
        return path, sum(found.totals.values())

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for path, total in pool.map(search, chosen.paths[1:]):
            print(f"{path}:{total}")


if __name__ == "__main__":
    main()
