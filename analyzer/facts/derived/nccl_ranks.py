"""``nccl_ranks``: node, process, GPU, adapters and transports of every rank, and how far it came."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import polars as pl

from analyzer.facts.derived._shape import shaped
from analyzer.model.tables import Column, TableSpec

NEEDS: Final = ("nccl_processes", "nccl.ib_devices", "nccl.network_channel", "nccl.local_channel", "rank_progress")

SPEC: Final = TableSpec(
    "nccl_ranks",
    "one row per process of a communicator: its rank, GPU, the adapters and transports its channels use, its progress",
    (
        Column("rank", "int", "rank in the largest communicator of the process", "rank"),
        Column("pid", "int", "process id on its node", "process"),
        Column("comm_id", "str", "identifier of that communicator"),
        Column("nranks", "int", "ranks of that communicator"),
        Column("cuda_device", "int", "device number as the program sees it"),
        Column("bus_id", "str", "PCI address of the GPU as NCCL prints it"),
        Column("nics", "strs", "adapters that its network channels use, as device:port"),
        Column("networks", "strs", "networks that its channels use: IB, Socket or a plugin's name"),
        Column("network_channels", "int", "channels over the network, both directions"),
        Column("gdr_channels", "int", "of these, with GPU memory registered with the adapter (GPUDirect RDMA)"),
        Column("relayed_channels", "int", "of these, through another GPU of the node (PXN)"),
        Column("p2p_channels", "int", "channels between GPUs of the node"),
        Column("shm_channels", "int", "channels through the node's shared memory"),
        Column("enqueued", "int", "last collective the rank called, as its watchdog states"),
        Column("completed", "int", "last collective that finished on it"),
    ),
    snapshot=False,
)

_PROCESS: Final = ["node", "pid"]
_ADAPTER: Final = r"\[(?P<net_index>\d+)\](?P<nic>[^\s/\[\]]+)"


def derive(frames: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Put together what the lines of each process say.

    Args:
        frames: The events and tables of ``NEEDS``.

    Returns:
        One row per row of ``nccl_processes``, at its place.
    """
    ranks = frames["nccl_processes"]
    for part in (_network(frames), _local(frames["nccl.local_channel"])):
        ranks = ranks.join(part, on=_PROCESS, how="left", nulls_equal=True, maintain_order="left")
    progress = frames["rank_progress"].select("rank", "enqueued", "completed").drop_nulls("rank").unique("rank")
    ranks = ranks.drop("completed").join(progress, on="rank", how="left", maintain_order="left")
    return shaped(ranks, SPEC)


def _network(frames: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    channels = frames["nccl.network_channel"].join(
        _adapters(frames["nccl.ib_devices"]), on=[*_PROCESS, "net_index"], how="left", nulls_equal=True
    )
    return channels.group_by(_PROCESS).agg(
        pl.col("nic").drop_nulls().unique().sort().alias("nics"),
        pl.col("network").drop_nulls().unique().sort().alias("networks"),
        pl.len().alias("network_channels"),
        pl.col("gdr").is_not_null().sum().alias("gdr_channels"),
        pl.col("through_rank").is_not_null().sum().alias("relayed_channels"),
    )


def _adapters(listed: pl.DataFrame) -> pl.DataFrame:
    """Name of each adapter by its index in the list that the process printed."""
    entries = listed.unique(_PROCESS, keep="first", maintain_order=True).select(
        *_PROCESS, pl.col("devices").str.extract_all(_ADAPTER)
    )
    single = entries.explode("devices", empty_as_null=True).with_columns(
        pl.col("devices").str.extract_groups(_ADAPTER).alias("entry")
    )
    named = single.unnest("entry").drop("devices").drop_nulls("nic")
    return named.with_columns(pl.col("net_index").cast(pl.Int64)).unique([*_PROCESS, "net_index"], keep="first")


def _local(channels: pl.DataFrame) -> pl.DataFrame:
    counted = ((name, pl.col("transport") == name) for name in ("P2P", "SHM"))
    return channels.group_by(_PROCESS).agg(
        selected.sum().alias(f"{name.lower()}_channels") for name, selected in counted
    )
