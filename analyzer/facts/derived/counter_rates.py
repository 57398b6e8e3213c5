"""``counter_rates``: the counters of one port in one row, its peer, and the growth since the reading before."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import polars as pl

from analyzer.facts.derived._shape import shaped
from analyzer.model.tables import PLACE, Column, TableSpec

NEEDS: Final = ("ib_counters", "ib_links")

_ERRORS: Final = {
    "SymbolErrorCounter": "symbol_error",
    "LinkErrorRecoveryCounter": "link_recovery",
    "LinkDownedCounter": "link_downed",
    "PortRcvErrors": "rcv_errors",
    "PortRcvRemotePhysicalErrors": "rcv_remote_physical",
    "PortRcvSwitchRelayErrors": "rcv_switch_relay",
    "PortXmitDiscards": "xmit_discards",
    "PortXmitConstraintErrors": "xmit_constraint",
    "PortRcvConstraintErrors": "rcv_constraint",
    "LocalLinkIntegrityErrors": "local_link_integrity",
    "ExcessiveBufferOverrunErrors": "buffer_overrun",
    "VL15Dropped": "vl15_dropped",
    "QP1Dropped": "qp1_dropped",
    "PortXmitWait": "xmit_wait",
}
_TRAFFIC: Final = {
    "PortXmitData": "xmit_data",
    "PortRcvData": "rcv_data",
    "PortXmitPkts": "xmit_packets",
    "PortRcvPkts": "rcv_packets",
}
_COUNTERS: Final = {**_ERRORS, **_TRAFFIC}
_COLUMNS: Final = tuple(_COUNTERS.values())

_COMPARED: Final = ("symbol_error", "link_downed", "rcv_errors", "local_link_integrity", "xmit_discards")

SPEC: Final = TableSpec(
    "counter_rates",
    "All counters of one port in one reading; a counter that the reading does not list is null",
    (
        Column("port_id", "str", "<node description>/<port> as printed", "port"),
        Column("guid_id", "str", "port GUID, of a switch port the switch's", "guid"),
        Column("lid", "int", "LID"),
        Column("port", "int", "port number"),
        Column("host", "str", "host", "node"),
        Column("hca", "str", "adapter", "nic"),
        Column("switch", "str", "switch", "switch"),
        Column("link_id", "str", "the port's link", "link"),
        Column("peer_port_id", "str", "port at the other end", "port"),
        Column("peer_guid", "str", "GUID at the other end", "guid"),
        Column("peer_port", "int", "port number at the other end"),
        Column("peer_host", "str", "host at the other end", "node"),
        Column("peer_switch", "str", "switch at the other end", "switch"),
        *(Column(column, "int", f"{counter}, total since the last clear") for counter, column in _COUNTERS.items()),
        Column("saturated", "strs", "columns that stand at their maximum: at least that many"),
        *(
            Column(f"{column}_elsewhere", "int", f"other links with an end that counts half as much {column} or more")
            for column in _COMPARED
        ),
        Column("reading", "int", "which reading of the port, from 0 in order of age"),
        Column("readings", "int", "readings of the port"),
        Column("moments", "int", "readings that list the same counters, the most of them; 1: all may be of one moment"),
        Column("order", "str", "how readings were ordered: time, or growth (counters only grow) without times"),
        Column("interval_s", "float", "seconds since the reading before; null without times"),
        *(Column(f"{column}_delta", "int", f"growth of {column} since the reading before") for column in _COLUMNS),
    ),
)

_PORT: Final = ("guid_id", "port")
_PEER: Final = ("link_id", "peer_port_id", "peer_guid", "peer_port", "peer_host", "peer_switch")
_NAMES: Final = ("port_id", "host", "hca", "switch")


def derive(frames: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Pivot counters per port and reading, join the peer, and subtract the reading before.

    Args:
        frames: ``ib_counters`` and ``ib_links`` with the place columns.

    Returns:
        One row per port and reading; line and text are those of its first error counter that is not zero. A counter
        missing from a report of counters above a threshold grew from 0; one missing elsewhere is unknown.
    """
    links = frames["ib_links"].filter(pl.col("diff").ne_missing("<")).sort(pl.col("listing") != "full", "source")
    readings = _readings(_identified(frames["ib_counters"], links))
    peers = links.filter(pl.col("guid_id").is_not_null()).unique(_PORT, keep="first", maintain_order=True)
    joined = readings.join(peers.select(*_PORT, *_PEER), on=_PORT, how="left", maintain_order="left")
    return shaped(_compared(_grown(joined)), SPEC)


def _identified(counters: pl.DataFrame, links: pl.DataFrame) -> pl.DataFrame:
    """Give ports that are known by LID only the names that a fabric scan has for them."""
    wanted = ("guid_id", *_NAMES)
    by_lid = (
        links.filter((pl.col("lid") > 0) & pl.col("guid_id").is_not_null())
        .group_by("lid", "port", maintain_order=True)
        .agg(pl.col("guid_id").n_unique().alias("owners"), *(pl.col(name).first() for name in wanted))
        .filter(pl.col("owners") == 1)
        .drop("owners")
    )
    return counters.join(by_lid, on=("lid", "port"), how="left", suffix="_scan", maintain_order="left").with_columns(
        pl.coalesce(pl.col(name), pl.col(f"{name}_scan")).alias(name) for name in wanted
    )


def _readings(counters: pl.DataFrame) -> pl.DataFrame:
    known = counters.filter(pl.col("counter").is_in(list(_COUNTERS)))
    local = pl.concat_str(pl.col("node").fill_null(""), pl.lit(" "), pl.col("port_id"))
    owner = pl.coalesce(pl.col("guid_id"), pl.concat_str(pl.lit("lid "), pl.col("lid")), local)
    known = known.with_columns(owner=owner, telling=pl.col("counter").is_in(list(_ERRORS)) & (pl.col("value") > 0))
    known = known.with_columns(nth=pl.col("value").cum_count().over("source", "owner", "port", "counter"))
    full_names = pl.col("counter").replace_strict(_COUNTERS, return_dtype=pl.String)
    place = [column.name for column in PLACE if column.name != "source"]
    return (
        known.sort("telling", descending=True, maintain_order=True)
        .group_by("source", "owner", "port", "nth", maintain_order=True)
        .agg(
            *(pl.col(name).first() for name in (*place, "guid_id", "lid", *_NAMES)),
            *(pl.col("value").filter(pl.col("counter") == name).max().alias(to) for name, to in _COUNTERS.items()),
            full_names.filter(pl.col("saturated")).alias("saturated"),
            pl.col("guid").first().is_not_null().alias("thresholded"),
            pl.col("counter").unique().sort().str.join(" ").alias("listed"),
        )
        .sort("source", "line", maintain_order=True)
    )


def _grown(readings: pl.DataFrame) -> pl.DataFrame:
    port = ("owner", "port")
    timed = pl.col("time").is_not_null().all().over(port)
    total = pl.sum_horizontal(pl.col(name).cast(pl.Float64) for name in _ERRORS.values())
    age = pl.when(timed).then(pl.col("time").dt.epoch("us").cast(pl.Float64)).otherwise(total)
    ordered = readings.with_columns(timed=timed, age=age).sort("age", "source", "nth", maintain_order=True)
    alike = pl.len().over(*port, "thresholded", "listed").max().over(port)
    return ordered.with_columns(
        (pl.int_range(pl.len()).over(port)).alias("reading"),
        pl.len().over(port).alias("readings"),
        pl.max_horizontal(alike, pl.when("timed").then(pl.col("time").n_unique().over(port))).alias("moments"),
        pl.when("timed").then(pl.lit("time")).otherwise(pl.lit("growth")).alias("order"),
        pl.when("timed").then(pl.col("time").diff().over(port).dt.total_microseconds() / 1e6).alias("interval_s"),
        *(_growth(name, port).alias(f"{name}_delta") for name in _COLUMNS),
    ).sort("source", "line", maintain_order=True)


def _compared(readings: pl.DataFrame) -> pl.DataFrame:
    """Hold each port against the ports of all other links, by the last reading of each."""
    last = readings.filter(pl.col("reading") + 1 == pl.col("readings"))
    link = pl.coalesce(pl.col("link_id"), pl.concat_str("owner", "port"))
    highest = last.group_by(link.alias("link")).agg(pl.col(name).max() for name in _COMPARED)
    return readings.with_columns(
        _exceeding(readings[name], highest[name]).alias(f"{name}_elsewhere") for name in _COMPARED
    )


def _exceeding(values: pl.Series, highest: pl.Series) -> pl.Series:
    """For each value the links that count half as much or more, its own left out."""
    known = highest.drop_nulls().sort()
    below = known.search_sorted((values.fill_null(0) + 1) // 2)
    return (known.len() - 1 - below.cast(pl.Int64)).clip(0)


def _growth(name: str, port: tuple[str, ...]) -> pl.Expr:
    before = pl.col(name).shift().over(port)
    listed = pl.col("thresholded").shift().over(port) & pl.col("thresholded")
    first = pl.int_range(pl.len()).over(port) == 0
    known = pl.when(listed & before.is_null()).then(pl.lit(0, pl.Int64)).otherwise(before)
    return pl.when(~first).then(pl.col(name) - known)
