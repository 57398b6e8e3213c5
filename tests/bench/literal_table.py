"""Makes ``analyzer/scan/literal_frequencies.tsv`` from healthy logs.

    python -m tests.bench.literal_table LOG... > analyzer/scan/literal_frequencies.tsv

Each log counts as one kind: a substring's frequency is its highest share of the lines of any of them.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

from analyzer.scan.literals import COMMON, GRAM, HAS_DIGIT

SAMPLE_BYTES = 2 << 20
PER = 10_000
LEAST_LINES = 200
HEADER = """\
# Substrings of four bytes that are common in healthy logs: hexadecimal, lines per 10,000 that contain them.
# Written by tests/bench/literal_table.py from kernel, syslog, NCCL and Slurm logs; substrings with digits are left out.
"""


def shares(path: Path) -> Counter[bytes]:
    """Lines per 10,000 of one log that contain each substring."""
    with path.open("rb") as file:
        lines = file.read(SAMPLE_BYTES).split(b"\n")
    found: Counter[bytes] = Counter()
    for line in lines:
        found.update({line[start : start + GRAM] for start in range(len(line) - GRAM + 1)})
    total = max(len(lines), LEAST_LINES)
    return Counter({gram: share for gram, count in found.items() if (share := count * PER // total) >= COMMON})


def main() -> None:
    """Print the table."""
    highest: Counter[bytes] = Counter()
    for name in sys.argv[1:]:
        highest |= shares(Path(name))
    kept = {gram: share for gram, share in highest.items() if not HAS_DIGIT.search(gram)}
    print(HEADER, end="")
    for gram in sorted(kept):
        print(gram.hex(), kept[gram], sep="\t")


if __name__ == "__main__":
    main()
