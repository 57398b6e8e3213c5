"""What coverage tells of the clock behind one source."""

from __future__ import annotations

from analyzer.facts.machines import shown
from analyzer.facts.skew import Skew
from analyzer.sources.clocks import Clock

ClockFacts = dict[str, str | float | None]


def clock_facts(clock: Clock, skew: Skew | None) -> ClockFacts:
    """Kind, offset, uncertainty and the reasons.

    Args:
        clock: The clock of the source's stamps.
        skew: How far the machine's clock is off, None where nothing tells.
    """
    facts: ClockFacts = {
        "kind": str(clock.kind),
        "why": clock.why,
        "zone_offset_s": clock.zone_offset_s,
        "uncertainty_s": clock.uncertainty_s if clock.known else None,
    }
    if skew is not None and clock.known:
        facts |= {
            "skew_s": round(skew.offset_s, 3),
            "skew_uncertainty_s": round(skew.uncertainty_s, 3),
            "skew_why": _why(skew),
        }
    return facts


def _why(skew: Skew) -> str:
    other = shown(skew.reference) if skew.reference else "the other machines"
    base = f"{skew.events} events that {other} logged too"
    if not skew.wrong:
        return f"in step with {other}: {base}"
    way = "ahead of" if skew.offset_s > 0 else "behind"
    return f"{abs(skew.offset_s):.0f} s {way} {other}, corrected: {base}"
