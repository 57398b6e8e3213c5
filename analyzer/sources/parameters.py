"""What the analysis assumes where no rule states it (``rules/analysis.toml``, with the reasons)."""

from __future__ import annotations

import functools

import msgspec

from analyzer.rules_folder import table


class Parameters(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of ``rules/analysis.toml``; see the comments there."""

    incident_gap_s: float
    job_lead_s: float
    unstamped_line_s: float
    copy_apart_s: float
    clock_events: int
    clock_apart_s: float
    clock_step_s: float
    clocks_unknown_s: float
    boot_event: str
    own_address_events: tuple[str, ...]
    error_line: str


@functools.cache
def parameters() -> Parameters:
    """The shipped parameters."""
    return table("analysis.toml", Parameters)
