"""The patterns to measure with."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from analyzer.errors import FabtriageError
from analyzer.model.patterns import LinePattern
from analyzer.rulebook.load import load
from analyzer.rulebook.patterns import line_patterns
from analyzer.rules_folder import rules_dir
from analyzer.scan.engine import Scanner

GENERATED = 400
WORDS = ("retrain", "flap", "timeout", "stalled", "corrupt", "overrun", "mismatch", "denied", "unreachable", "overheat")
BASE = (
    r"NVRM: Xid \(PCI:(?P<gpu>[0-9a-f:.]+)\): (?P<xid>\d+)",
    r"nvidia-nvswitch(?P<switch>\d+): SXid \(PCI:(?P<pci>[0-9a-f:.]+)\): (?P<sxid>\d+)",
    r"pcieport (?P<port>\S+): AER: (?P<kind>[^:]+) error received: (?P<device>\S+)",
    r"mlx5_core (?P<hca>\S+): .{0,80}health compromised",
    r"Out of memory: Killed process (?P<pid>\d+) \((?P<name>[^)]+)\)",
    r"NET/IB : (?P<hca>\S+) Got async event : (?P<event>.+)",
    r"Got completion from peer (?P<peer>\S+) with status=(?P<status>\d+)",
    r"Watchdog caught collective operation timeout: WorkNCCL\(SeqNum=(?P<seq>\d+), OpType=(?P<op>\w+)",
    r"error: Nodes (?P<nodes>\S+) not responding",
    r"update_node: node (?P<node>\S+) reason set to: (?P<reason>.+)",
    r"requeue job JobId=(?P<job>\d+) due to failure of node (?P<node>\S+)",
)


def shipped() -> list[str]:
    """Patterns of the shipped rules, with their named groups; none when the rules do not load."""
    try:
        rulebook = load([rules_dir()])
    except FabtriageError as error:
        print(f"generated patterns, because the shipped rules do not load: {error}", file=sys.stderr)
        return []
    return list(dict.fromkeys(pattern.regex for pattern in line_patterns(rulebook)))


def generated() -> list[str]:
    """Some real shapes and a few hundred of one form."""
    many = (
        rf"subsys{number:03d}[\w-]* (?:lane|port|unit) (?P<unit>\d+) .{{0,40}}{WORDS[number % 10]}"
        for number in range(GENERATED)
    )
    return [*BASE, *many]


def choose(path: Path | None) -> list[str]:
    """From a file if one is named, else the shipped ones, else generated ones."""
    return path.read_text("utf-8").splitlines() if path else shipped() or generated()


def unnamed(regex: str) -> str:
    """The pattern with plain groups: ripgrep joins all patterns, and in one expression a name may stand only once."""
    return re.sub(r"\(\?P<\w+>", "(", regex)


def matcher(regexes: Sequence[str]) -> Scanner:
    """A scanner that keeps every hit."""
    patterns = [LinePattern(index, "pattern", regex) for index, regex in enumerate(regexes)]
    return Scanner(patterns, cap_per_pattern=10**9)


def matching_lines(scanner: Scanner, content: bytes) -> set[int]:
    """Numbers of the lines that some pattern matches."""
    return {hit.line for hit in scanner.scan(io.BytesIO(content), frozenset(), 0).hits}
