"""Searches blocks with Aho-Corasick, where Hyperscan has no wheel."""

from __future__ import annotations

import ahocorasick_rs

from analyzer.scan.blocks import Block
from analyzer.scan.plan import NUMBER_BITS, Plan


class AhoCorasickMatcher:
    """An automaton over literals; any number of threads may search with it at once."""

    def __init__(self, plan: Plan) -> None:
        self._automaton = ahocorasick_rs.BytesAhoCorasick(
            list(plan.expressions), implementation=ahocorasick_rs.Implementation.DFA
        )

    def events(self, block: Block) -> list[int]:
        """End offset and literal of every hit, packed; overlapping literals each give one."""
        found = self._automaton.find_matches_as_indexes(block.view(), overlapping=True)
        return [end << NUMBER_BITS | number for number, _start, end in found]
