"""The qualifiers of a symptom: catalogue look-up, counts per part, states that last, the odd one among peers."""

from __future__ import annotations

import polars as pl

from analyzer.diagnose.near_names import nearest
from analyzer.facts.store import Schema, Store
from analyzer.rulebook.duration import seconds
from analyzer.rulebook.expressions import catalogue
from analyzer.rulebook.schema import Count, Lasts, Lookup, Odd


def looked_up(frame: pl.DataFrame, lookup: Lookup, where: str | None, store: Store) -> pl.DataFrame:
    """Rows whose catalogue entry satisfies ``where``; the catalogue's columns are named ``<catalogue>_<column>``."""
    entries = catalogue(lookup.catalogue, store.rulebook.catalogues[lookup.catalogue])
    code = entries.columns[0]
    named = entries.unique(subset=code, keep="first").with_columns(pl.col(code).cast(frame.schema[lookup.key]))
    joined = frame.join(named, left_on=lookup.key, right_on=code, how="left", maintain_order="left")
    if lookup.nearest is not None:
        meant = nearest(frame[lookup.key].drop_nulls(), named[code].drop_nulls().to_list(), lookup.nearest)
        close = pl.col(lookup.key).replace_strict(meant, default=None, return_dtype=pl.String)
        joined = joined.with_columns(close.alias(f"{lookup.catalogue}_nearest"))
    return joined.filter(pl.sql_expr(where).fill_null(value=False)) if where else joined


def counted(rows: pl.DataFrame, count: Count, schema: Schema) -> pl.DataFrame:
    """Rows whose part (``per``) has at least ``min`` of them, inside ``within`` of one another if given.

    With ``of``, a part is counted once for each value of that column or kind, where it first shows.
    """
    keys = _columns(count.per, schema)
    stamp = pl.coalesce(pl.col("time").dt.epoch("us").cast(pl.Float64) / 1e6, pl.col("clock_s"))
    told = rows.with_columns(stamp.alias("_t")).sort("_t", nulls_last=True, maintain_order=True)
    if count.of is not None:
        told = told.unique([*keys, *_columns((count.of,), schema)], keep="first", maintain_order=True)
    enough = _enough(count)
    parts = told.with_columns((enough.over(keys) if keys else enough).alias("_enough")).filter("_enough")
    if not keys:
        return rows if parts.height else rows.clear()
    return rows.join(parts.select(keys).unique(), on=keys, how="semi", nulls_equal=True).sort("row")


def _enough(count: Count) -> pl.Expr:
    if count.within is None:
        return pl.len() >= count.min
    ahead = pl.col("_t").shift(-(count.min - 1)) - pl.col("_t")
    return (ahead <= seconds(count.within)).fill_null(value=False).any()


def lasting(rows: pl.DataFrame, lasts: Lasts, ended: pl.DataFrame | None, schema: Schema) -> pl.DataFrame:
    """Rows that no ending row of the same parts follows sooner than ``min``."""
    if ended is None or not ended.height:
        return rows
    keys = [name for name, info in schema.items() if info.entity and name in ended.columns]
    keys = [key for key in keys if not isinstance(rows.schema[key], pl.List)]
    limit_s = seconds(lasts.min)
    begun = _timed(rows, keys).sort("_t", maintain_order=True)
    over = _timed(ended, keys).select("_t", "_key", pl.col("_t").alias("_end")).sort("_t", maintain_order=True)
    joined = begun.join_asof(over, on="_t", by="_key", strategy="forward", check_sortedness=False)
    brief = (pl.col("_end") - pl.col("_t") < limit_s).fill_null(value=False)
    return joined.filter(~brief).sort("row").select(rows.columns)


def odd_ones(rows: pl.DataFrame, odd: Odd) -> pl.DataFrame:
    """Rows whose value differs from the majority of their peers; all of them when there is no majority.

    The added column ``majority`` is false where the peers only differ and nobody can be named.
    """
    among = list(odd.among)
    known = rows.filter(pl.col(odd.value).is_not_null())
    sizes = known.group_by([*among, odd.value]).agg(pl.len().alias("_same"))
    total = known.with_columns(pl.len().over(among) if among else pl.len().alias("len"))
    total = total.rename({"len": "_peers"}).join(sizes, on=[*among, odd.value], nulls_equal=True, maintain_order="left")
    top = pl.col("_same").max()
    total = total.with_columns((top.over(among) if among else top).alias("_top"))
    majority = pl.col("_top") * 2 > pl.col("_peers")
    enough = pl.col("_peers") >= odd.min_peers
    differs = pl.col("_same") < pl.col("_top")
    split = ~(majority & enough) & (pl.col("_same") < pl.col("_peers"))
    marked = total.with_columns((majority & enough).alias("majority"))
    return marked.filter((majority & enough & differs) | split).drop("_same", "_peers", "_top").sort("row")


def _timed(rows: pl.DataFrame, keys: list[str]) -> pl.DataFrame:
    stamp = pl.coalesce(pl.col("time").dt.epoch("us").cast(pl.Float64) / 1e6, pl.col("clock_s"))
    parts = [pl.col(key).cast(pl.String).fill_null("") for key in keys] or [pl.lit("")]
    return rows.with_columns(stamp.alias("_t"), pl.concat_str(parts, separator="\x1f").alias("_key")).filter(
        pl.col("_t").is_not_null()
    )


def _columns(per: tuple[str, ...], schema: Schema) -> list[str]:
    """Columns behind a list of column names and entity kinds."""
    columns: dict[str, None] = {}
    for name in per:
        if name in schema:
            columns[name] = None
        else:
            columns.update({column: None for column, info in schema.items() if info.entity == name})
    return list(columns)
