"""Puts the times of all machines on one axis: what their own logs say of clocks being set, then how they compare."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
import polars as pl

from analyzer.facts.machines import Machines
from analyzer.facts.sightings import sightings
from analyzer.facts.skew import Skew, estimate_skews
from analyzer.model.stamps import StampKind
from analyzer.sources.parameters import parameters

Frames = Mapping[str, pl.DataFrame]

_WALL = f"/(?:{StampKind.UTC}|{StampKind.LOCAL}|{StampKind.YEARLESS})$"
"""Ends the names of clocks that can be set; an uptime cannot."""


class ClockStep(msgspec.Struct, frozen=True):
    """A line that says that the clock was set just before it.

    Attributes:
        source: Source of the line.
        node: Node that wrote it.
        line: Its number.
        time_s: Its time as stamped, UTC epoch seconds.
        step_s: Seconds by which the clock was set forward.
    """

    source: int
    node: str | None
    line: int
    time_s: float
    step_s: float


def aligned(
    frames: Frames, machines: Machines, steps: Sequence[ClockStep]
) -> tuple[dict[str, pl.DataFrame], dict[str, Skew]]:
    """All frames on one time axis, and how far each machine's clock was off.

    Args:
        frames: Events and tables with the times as stamped.
        machines: Names the clock of a row.
        steps: Where clocks were set.
    """
    stepped = {name: _before_steps(frame, machines, steps) for name, frame in frames.items()}
    skews = estimate_skews(sightings(stepped, machines))
    moved = {name: skew for name, skew in skews.items() if skew.wrong}
    return {name: _moved(frame, machines, moved) for name, frame in stepped.items()}, skews


def _before_steps(frame: pl.DataFrame, machines: Machines, steps: Sequence[ClockStep]) -> pl.DataFrame:
    """Add to stamps from before a clock was set what it was set by."""
    if not steps or not frame["time"].is_not_null().any():
        return frame
    added = pl.lit(0.0)
    doubt = pl.lit(0.0)
    wall = pl.col("clock").str.contains(_WALL).fill_null(value=False)
    for step in steps:
        own = wall & _of_machine(frame, machines, machines.of(step.source, step.node))
        here = own & (pl.col("source") == step.source)
        there = own & (pl.col("source") != step.source)
        stamped_s = pl.col("time").dt.epoch("us") / 1e6
        before = (here & (pl.col("line") < step.line)) | (there & (stamped_s < step.time_s))
        twice = there & stamped_s.is_between(step.time_s, step.time_s + max(-step.step_s, 0.0), closed="left")
        added = added + pl.when(before).then(step.step_s).otherwise(0.0)
        doubt = doubt + pl.when(twice).then(abs(step.step_s)).otherwise(0.0)
    return _shifted(frame.with_columns(added.alias("_added"), doubt.alias("_doubt")))


def _of_machine(frame: pl.DataFrame, machines: Machines, machine: str) -> pl.Expr:
    owned = [
        (pl.col("source") == source) & pl.col("node").eq_missing(pl.lit(node, dtype=pl.String))
        for source, node in frame.select("source", "node").unique().iter_rows()
        if machines.of(source, node) == machine
    ]
    return pl.any_horizontal(owned) if owned else pl.lit(value=False)


def _moved(frame: pl.DataFrame, machines: Machines, skews: Mapping[str, Skew]) -> pl.DataFrame:
    """Move times back by what the machines' clocks are ahead."""
    if not skews or not frame["time"].is_not_null().any():
        return frame
    places = frame.select("source", "node").unique().rows()
    off = [skews.get(machines.of(source, node)) for source, node in places]
    if not any(off):
        return frame
    table = pl.DataFrame(
        {
            "source": [source for source, _ in places],
            "node": [node for _, node in places],
            "_added": [-skew.offset_s if skew else 0.0 for skew in off],
            "_doubt": [skew.uncertainty_s if skew else 0.0 for skew in off],
        },
        schema={"source": frame.schema["source"], "node": pl.String, "_added": pl.Float64, "_doubt": pl.Float64},
    )
    return _shifted(frame.join(table, on=["source", "node"], how="left", nulls_equal=True, maintain_order="left"))


def _shifted(frame: pl.DataFrame) -> pl.DataFrame:
    moved = pl.col("time") + pl.duration(microseconds=(pl.col("_added") * 1e6).round().cast(pl.Int64))
    return frame.with_columns(
        moved.cast(frame.schema["time"]).alias("time"), pl.col("uncertainty_s") + pl.col("_doubt")
    ).drop("_added", "_doubt")


def significant(steps: Sequence[ClockStep]) -> list[ClockStep]:
    """The steps that matter, in order of time."""
    return sorted((s for s in steps if abs(s.step_s) >= parameters().clock_step_s), key=lambda s: (s.time_s, s.line))
