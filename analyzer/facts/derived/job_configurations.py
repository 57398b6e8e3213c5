"""``job_configurations``: how long jobs had their nodes before these were ready for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import polars as pl

from analyzer.facts.derived._moments import last_before, moments
from analyzer.facts.derived._shape import shaped
from analyzer.model.tables import Column, TableSpec

NEEDS: Final = ("slurm.job_allocated", "slurm.configuring_done", "slurm.power_up")

SPEC: Final = TableSpec(
    "job_configurations",
    "one row per job that the controller called ready after a time of waiting",
    (
        Column("job", "str", "job", "job"),
        Column("waited_s", "float", "seconds since the job got its nodes; null where the log does not show that"),
        Column("woken_s", "float", "seconds since the controller last woke nodes; null where it woke none"),
    ),
    snapshot=False,
)


def derive(frames: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Look back from the end of each job's configuration.

    Args:
        frames: The events of ``NEEDS``.

    Returns:
        One row per line that ends a configuration, at its place.
    """
    ready = moments(frames["slurm.configuring_done"], keep=("job",))
    allocated = moments(frames["slurm.job_allocated"], keep=("job",))
    woken = moments(frames["slurm.power_up"])
    found = last_before(ready, allocated, ["source", "job"], "waited_s")
    found = last_before(found, woken, ["source"], "woken_s").select("source", "line", "waited_s", "woken_s")
    return shaped(frames["slurm.configuring_done"].join(found, on=["source", "line"]), SPEC)
