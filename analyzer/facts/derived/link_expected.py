"""``link_pairs``: both ends of each fabric link in one row, beside what its capability and its peers let expect."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeVar

import polars as pl

from analyzer.facts.derived._shape import shaped
from analyzer.model.tables import PLACE, Column, TableSpec

NEEDS: Final = ("ib_links",)

_SIDES: Final = (
    Column("port_id", "str", "port", "port"),
    Column("guid", "str", "GUID", "guid"),
    Column("lid", "int", "LID"),
    Column("port", "int", "port number"),
    Column("desc", "str", "node description"),
    Column("kind", "str", "ca, switch or router"),
    Column("host", "str", "host", "node"),
    Column("hca", "str", "adapter", "nic"),
    Column("switch", "str", "switch", "switch"),
)

SPEC: Final = TableSpec(
    "link_pairs",
    "A link between two known ports, once per fabric scan; the a end is the host's, if one is",
    (
        Column("link_id", "str", "both port_id in order, joined by ' <-> '", "link"),
        Column("role", "str", "host, switch (between switches), aggregation (a switch's own adapter) or unknown"),
        *(Column(f"a_{side.name}", side.dtype, f"{side.doc} of the a end", side.entity) for side in _SIDES),
        *(Column(f"b_{side.name}", side.dtype, f"{side.doc} of the b end", side.entity) for side in _SIDES),
        Column("ends", "int", "ends that the scan printed, 1 or 2"),
        Column("state", "str", "logical state; of ends that differ the one that is not Active"),
        Column("phys_state", "str", "physical state"),
        Column("width", "int", "active lanes; of ends that differ the fewer"),
        Column("speed_gbps", "float", "rate per lane"),
        Column("could_width", "int", "lanes that both ends support, where more than the active width"),
        Column("could_speed_gbps", "float", "rate per lane that both ends support, where more than the active one"),
        Column("peers", "int", "other links of the same role in the same scan"),
        Column("majority", "bool", "more than half of the peers have one width: width_expected is theirs"),
        Column("speed_majority", "bool", "more than half of the peers have one speed: speed_expected_gbps is theirs"),
        Column("width_expected", "int", "the peers' width; without a majority what both ends support"),
        Column("speed_expected_gbps", "float", "the peers' rate per lane; without a majority what both ends support"),
        Column("alike", "int", "peers with the same width and speed as this link"),
    ),
)

_OWN: Final = {
    "port_id": "port_id", "guid": "guid_id", "lid": "lid", "port": "port", "desc": "node_desc", "kind": "kind",
    "host": "host", "hca": "hca", "switch": "switch",
}  # fmt: skip
_PEER: Final = {side.name: f"peer_{side.name}" for side in _SIDES}
_KEY: Final = ("source", "link_id")
_Value = TypeVar("_Value", int, float)


def derive(frames: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Join the ends of each link and compare it with the links of its role in the same scan.

    Args:
        frames: ``ib_links`` with the place columns.

    Returns:
        One row per scan and link; source, line and text are those of the a end where it was printed. A listing of
        ports with errors only counts for links that no full scan shows, and never gives a majority.
    """
    pairs = _pairs(_oriented(_counting(frames["ib_links"])))
    return shaped(pl.concat([pairs, _expectations(pairs)], how="horizontal"), SPEC)


def _counting(links: pl.DataFrame) -> pl.DataFrame:
    known = links.filter(pl.col("link_id").is_not_null() & pl.col("diff").ne_missing("<"))
    full = known.filter(pl.col("listing") == "full")
    rest = known.filter(pl.col("listing") != "full").join(full.select("link_id").unique(), on="link_id", how="anti")
    return pl.concat([full, rest])


def _oriented(ends: pl.DataFrame) -> pl.DataFrame:
    """Give every printed end the columns of both sides, and ``swapped`` where the a end is its peer."""
    own_first = pl.col("port_id") <= pl.col("peer_port_id")
    is_host, peer_is_host = pl.col("kind").eq_missing("ca"), pl.col("peer_kind").eq_missing("ca")
    ends = ends.with_columns(swapped=~pl.when(is_host != peer_is_host).then(is_host).otherwise(own_first))
    return ends.with_columns(
        *(_pick(_OWN[name], _PEER[name]).alias(f"a_{name}") for name in _OWN),
        *(_pick(_PEER[name], _OWN[name]).alias(f"b_{name}") for name in _OWN),
    )


def _pick(straight: str, swapped: str) -> pl.Expr:
    return pl.when(pl.col("swapped")).then(pl.col(swapped)).otherwise(pl.col(straight))


def _pairs(ends: pl.DataFrame) -> pl.DataFrame:
    sides = [f"{end}_{name}" for end in "ab" for name in _OWN]
    place = [column.name for column in PLACE if column.name not in _KEY]
    degraded = pl.col("state").filter(pl.col("state") != "Active").first()
    return (
        ends.sort("source", "swapped", "line", maintain_order=True)
        .group_by(*_KEY, maintain_order=True)
        .agg(
            *(pl.col(name).first() for name in (*place, "listing", "phys_state")),
            *(pl.col(name).drop_nulls().first() for name in sides),
            pl.col("port_id").n_unique().cast(pl.Int64).alias("ends"),
            pl.coalesce(degraded, pl.col("state").first()).alias("state"),
            *(pl.col(name).min() for name in ("width", "speed_gbps")),
            *(pl.col(name).max() for name in ("could_width", "could_speed_gbps")),
        )
        .with_columns(role=_role())
    )


def _role() -> pl.Expr:
    aggregation = pl.concat_str("a_desc", "b_desc", ignore_nulls=True).str.contains("Aggregation Node", literal=True)
    host = pl.col("a_kind").eq_missing("ca")
    between = pl.col("a_kind").eq_missing("switch") & pl.col("b_kind").eq_missing("switch")
    return (
        pl.when(aggregation)
        .then(pl.lit("aggregation"))
        .when(host)
        .then(pl.lit("host"))
        .when(between)
        .then(pl.lit("switch"))
        .otherwise(pl.lit("unknown"))
    )


class _Group:
    """Widths and speeds of the links of one role in one scan."""

    def __init__(self) -> None:
        self.widths: Counter[int | None] = Counter()
        self.speeds: Counter[float | None] = Counter()
        self.both: Counter[tuple[int | None, float | None]] = Counter()

    def add(self, row: Mapping[str, Any]) -> None:
        self.widths[row["width"]] += 1
        self.speeds[row["speed_gbps"]] += 1
        self.both[row["width"], row["speed_gbps"]] += 1


def _expectations(pairs: pl.DataFrame) -> pl.DataFrame:
    names = ("peers", "majority", "speed_majority", "width_expected", "speed_expected_gbps", "alike")
    schema = dict(zip(names, (pl.Int64, pl.Boolean, pl.Boolean, pl.Int64, pl.Float64, pl.Int64), strict=True))
    groups: dict[tuple[int, str], _Group] = {}
    rows = list(_group_rows(pairs))
    for row in rows:
        groups.setdefault((row["source"], row["role"]), _Group()).add(row)
    return pl.DataFrame([_expected(row, groups[row["source"], row["role"]]) for row in rows], schema, orient="row")


def _group_rows(pairs: pl.DataFrame) -> Iterator[dict[str, Any]]:
    wanted = ("source", "role", "listing", "width", "speed_gbps", "could_width", "could_speed_gbps")
    return pairs.select(wanted).iter_rows(named=True)


def _expected(row: Mapping[str, Any], group: _Group) -> tuple[int, bool, bool, int | None, float | None, int]:
    width, speed = row["width"], row["speed_gbps"]
    representative = row["listing"] == "full"
    usual_width = _usual(group.widths, width) if representative else None
    usual_speed = _usual(group.speeds, speed) if representative else None
    return (
        group.both.total() - 1,
        usual_width is not None,
        usual_speed is not None,
        _first(usual_width, row["could_width"], width),
        _first(usual_speed, row["could_speed_gbps"], speed),
        group.both[width, speed] - 1,
    )


def _usual(values: Counter[_Value | None], own: _Value | None) -> _Value | None:
    """The value of more than half of the others."""
    others = values.total() - 1
    for value, count in values.most_common(2):
        if value is not None and 2 * (count - (value == own)) > others:
            return value
    return None


def _first(*values: _Value | None) -> _Value | None:
    return next((value for value in values if value is not None), None)
