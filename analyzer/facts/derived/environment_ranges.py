"""``environment_ranges``: how far each reading of the environment went, by rack and sensor."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import polars as pl

from analyzer.facts.derived._shape import shaped
from analyzer.model.tables import PLACE, Column, TableSpec

NEEDS: Final = ("environment",)

_QUANTITIES: Final = (
    "inlet_c", "outlet_c", "temperature_c", "humidity_pct", "dew_point_c", "pressure_pa", "coolant_supply_c",
    "coolant_flow_l_min",
)  # fmt: skip
_TAIL: Final = 0.05
_OWNER: Final = ("source", "rack", "quantity")

SPEC: Final = TableSpec(
    "environment_ranges",
    "The lowest or highest reading of one quantity at one rack in one export; line and time are that reading's",
    (
        Column("rack", "str", "rack or place", "rack"),
        Column("sensor", "str", "sensor that read it", "sensor"),
        Column("position", "str", "height or side of the sensor"),
        Column("quantity", "str", "column of environment"),
        Column("bound", "str", "low or high"),
        Column("extreme", "float", "the lowest or highest reading"),
        Column("typical", "float", "reading that 5 % of all lie beyond"),
        Column("median", "float", "middle reading"),
        Column("samples", "int", "readings"),
        Column("span_s", "float", "seconds from the first to the last reading; null without times"),
    ),
    snapshot=False,
)


def derive(frames: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Reduce the readings of each rack and quantity to their bounds.

    Args:
        frames: ``environment`` with the place columns.

    Returns:
        Two rows per rack and quantity of an export, ``low`` and ``high``.
    """
    places = [column.name for column in PLACE]
    kept = [*places, "rack", "sensor", "position", "sampled_s"]
    readings = frames["environment"].with_columns(rack=pl.coalesce("rack", "sensor"))
    long = readings.unpivot(on=_QUANTITIES, index=kept, variable_name="quantity", value_name="value")
    long = long.filter(pl.col("value").is_not_null())
    return shaped(pl.concat([_bound(long, "low"), _bound(long, "high")]).sort("source", "quantity", "line"), SPEC)


def _bound(long: pl.DataFrame, bound: str) -> pl.DataFrame:
    high = bound == "high"
    first = [pl.col(name).first() for name in long.columns if name not in _OWNER]
    return (
        long.with_columns(
            pl.col("value").quantile(1 - _TAIL if high else _TAIL, "nearest").over(_OWNER).alias("typical"),
            pl.col("value").median().over(_OWNER).alias("median"),
            pl.len().over(_OWNER).alias("samples"),
            (pl.col("sampled_s").max() - pl.col("sampled_s").min()).over(_OWNER).alias("span_s"),
        )
        .sort("value", descending=high, maintain_order=True)
        .group_by(_OWNER, maintain_order=True)
        .agg(
            *first,
            *(pl.col(name).first() for name in ("typical", "median", "samples", "span_s") if name not in long.columns),
        )
        .with_columns(pl.col("value").alias("extreme"), pl.lit(bound).alias("bound"))
    )
