"""Samples of error lines that nothing knows: no pattern matches them and no multi-line record holds them."""

from __future__ import annotations

import io

import polars as pl

from analyzer.model.patterns import SourceScan
from analyzer.scan.blocks import BlockReader
from analyzer.scan.onepass import Applicable, OnePass, Options


def without_known(scan: SourceScan, applicable: Applicable) -> pl.DataFrame:
    """Template counts of a scan in which ``sample`` is null for every line that something knows.

    The samples are searched again by themselves: of the pass over the source only the first and last hits of each
    pattern are kept.

    Args:
        scan: A finished pass, with counts.
        applicable: The patterns of that pass.
    """
    counts: pl.DataFrame = scan.counts
    if counts["sample"].null_count() == counts.height:
        return counts
    samples = counts.filter(pl.col("sample").is_not_null()).unique("template", maintain_order=True)
    known = _matched(samples["sample"].to_list(), applicable) | _inside_records(scan, samples)
    rest = [number for place, number in enumerate(samples["template"].to_list()) if place not in known]
    unknown = pl.col("template").is_in(pl.Series(rest, dtype=pl.UInt64).implode())
    return counts.with_columns(pl.when(unknown).then(pl.col("sample")).alias("sample"))


def _matched(lines: list[bytes], applicable: Applicable) -> set[int]:
    reader = BlockReader(io.BytesIO(b"".join(line + b"\n" for line in lines)))
    one_pass = OnePass(applicable, Options(len(lines), counts=False), 0, None, None)
    for block in reader:
        one_pass.feed(block)
    found = one_pass.finish(reader, "")
    numbers = {hit.line for hit in found.hits} | {hit.first_line for hit in found.blocks}
    for frame in found.bulk.values():
        numbers.update(frame["line"].to_list())
    return {number - 1 for number in numbers}


def _inside_records(scan: SourceScan, samples: pl.DataFrame) -> set[int]:
    covered = {line for hit in scan.blocks for line in range(hit.first_line, hit.first_line + len(hit.lines))}
    return {place for place, line in enumerate(samples["first_line"].to_list()) if line in covered}
