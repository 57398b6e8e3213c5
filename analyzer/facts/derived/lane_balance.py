"""``lane_balance``: each lane of a module beside the module's other lanes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import polars as pl

from analyzer.facts.derived._shape import shaped
from analyzer.model.tables import Column, TableSpec

NEEDS: Final = ("link_lanes",)

SPEC: Final = TableSpec(
    "lane_balance",
    "A lane in use beside the other lanes of its module",
    (
        Column("device", "str", "RDMA device or network interface", "nic"),
        Column("port_id", "str", "<node description>/<port>", "port"),
        Column("lane", "int", "lane, from 0"),
        Column("rx_power_dbm", "float", "received power"),
        Column("rx_power_low_dbm", "float", "the module's own lower limit"),
        Column("rx_below_best_db", "float", "how far the received power lies below that of the module's best lane"),
        Column("tx_power_dbm", "float", "sent power"),
        Column("tx_power_low_dbm", "float", "the module's own lower limit"),
        Column("tx_below_best_db", "float", "how far the sent power lies below that of the module's best lane"),
        Column("raw_errors", "int", "errors before FEC since the last clear"),
        Column("error_share", "float", "this lane's share of the module's errors before FEC, 0 to 1"),
        Column("lanes", "int", "lanes compared"),
    ),
)

_MODULE: Final = ("source", "segment", "device", "port_id", "line")


def derive(frames: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Compare the lanes of each module.

    Args:
        frames: ``link_lanes`` with the place columns.

    Returns:
        One row per lane in use: lanes that the link does not use (beyond its width) send and receive nothing.
    """
    lanes = frames["link_lanes"].filter(pl.col("width").is_null() | (pl.col("lane") < pl.col("width")))
    rx, tx, errors = (pl.col(name) for name in ("rx_power_dbm", "tx_power_dbm", "raw_errors"))
    total = errors.sum().over(_MODULE)
    compared = lanes.with_columns(
        rx_below_best_db=rx.max().over(_MODULE) - rx,
        tx_below_best_db=tx.max().over(_MODULE) - tx,
        error_share=pl.when(total > 0).then(errors / total),
        lanes=pl.len().over(_MODULE).cast(pl.Int64),
    )
    return shaped(compared, SPEC)
