"""``nvlink_rates``: growth of NVLink error counters between listings."""

from __future__ import annotations

import polars as pl

from analyzer.facts.derived import nvlink_rates
from analyzer.facts.store import polars_schema, table_schema
from parsers import _gpu, nvlink

SCHEMA = polars_schema(table_schema(_gpu.NVLINKS))


def listing(crc: int, replay: int = 0) -> str:
    head = "GPU 3: NVIDIA A100-SXM4-80GB (UUID: GPU-a3c0ffee-0000-4000-8000-000000000003)\n"
    return head + f"\t Link 7: Replay Errors: {replay}\n\t Link 7: CRC Errors: {crc}"


def rates(*listings: str) -> pl.DataFrame:
    rows = [
        {**row.values, "source": source, "segment": 0, "line": row.line, "text": row.text}
        for source, text in enumerate(listings)
        for row in nvlink.read([line.encode() for line in text.split("\n")], 1)
        if row.table == "gpu_nvlinks"
    ]
    return nvlink_rates.derive({"gpu_nvlinks": pl.DataFrame(rows, schema=SCHEMA)})


def crc(frame: pl.DataFrame, *columns: str) -> list[tuple[object, ...]]:
    return frame.filter(pl.col("counter") == "crc").select(columns).rows()


def test_growth_is_counted_from_the_older_listing() -> None:
    assert crc(rates(listing(500), listing(30)), "errors", "listing", "delta", "growth", "line") == [
        (500, 1, 470, 470, 3),
        (30, 0, None, 470, 3),
    ]


def test_totals_that_stand_still_did_not_grow() -> None:
    assert crc(rates(listing(31), listing(31)), "growth") == [(0,), (0,)]


def test_one_listing_tells_nothing_of_growth() -> None:
    assert crc(rates(listing(31)), "delta", "growth", "listings") == [(None, None, 1)]


def test_counters_cleared_between_listings_are_not_subtracted() -> None:
    assert crc(rates(listing(10, 400), listing(500, 2)), "delta", "growth") == [(None, None), (None, None)]
