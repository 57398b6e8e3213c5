"""Columns that the derived tables of fibres share, and what a whole fibre says in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from analyzer.facts.derived._fibre_runs import PULSE_M_PER_NS, Fibre
from analyzer.model.tables import Column

WAVELENGTHS = (850, 1300, 1310, 1550, 1625)
DELTAS = ((1550, 1310), (1625, 1310), (1625, 1550), (1300, 850))

FIBRE = (
    Column("fibre", "str", "key of the fibre", "fibre"),
    Column("link", "str", "link id", "link"),
    Column("cable", "str", "trunk or cable id", "cable"),
    Column("fibre_id", "str", "fibre id as given"),
    Column("location_a", "str", "where positions count from, as the measurement says"),
    Column("location_b", "str", "the far end, as the measurement says"),
    Column("near_end", "str", "location_a, or words for it where it is not stated"),
    Column("far_end", "str", "location_b, or words for it where it is not stated"),
    Column("port", "str", "switch port by the cable schedule, else by the measurement's own notes", "port"),
    Column("switch", "str", "switch by the cable schedule", "switch"),
    Column("hca_port", "str", "host port by the cable schedule", "port"),
    Column("hca_node", "str", "host by the cable schedule", "node"),
    Column("optic", "str", "optic by the cable schedule"),
    Column("connector", "str", "connector by the cable schedule"),
    Column("is_apc", "bool", "angled polish by the cable schedule"),
    Column("cable_type", "str", "fibre class by the cable schedule"),
    Column("pulse_ns", "float", "longest pulse used"),
    Column("pulse_m", "float", "its length in the fibre, one way"),
    Column("launch_m", "float", "declared launch fibre"),
    Column("range_m", "float", "acquisition range"),
    Column("fibre_type", "int", "ITU-T G number of the fibre type"),
    Column("group_index_least", "float", "lowest group index of its traces"),
    Column("group_index_most", "float", "highest group index of its traces"),
    Column("length_m", "float", "longest length seen to an end event, launch fibre excluded"),
    Column("design_length_m", "float", "length by the cable schedule"),
    Column("length_short_m", "float", "design length minus measured length"),
    Column("has_end_event", "bool", "at least one trace shows the end of the fibre"),
    Column("all_have_end", "bool", "every trace shows the end of the fibre"),
    Column("both_directions", "bool", "measured from both ends"),
    Column("wavelengths", "int", "number of wavelengths measured"),
    *(Column(f"end_{nm}_m", "float", f"end of the fibre at {nm} nm") for nm in WAVELENGTHS),
)

FIBRE_EVENTS = (
    *FIBRE,
    Column("position_m", "float", "distance from the A end of the link"),
    Column("position_b_m", "float", "distance from the B end of the link"),
    Column("measured_m", "float", "position as the instrument shows it in the cited event"),
    Column("section_m", "float", "length of the section before the place"),
    Column("gap_m", "float", "distance to the nearest other place"),
    Column("kind", "str", "reflective, non-reflective, saturated, grouped, echo, out-of-range or unknown"),
    Column("loss_db", "float", "largest loss over the wavelengths, each the mean of both directions where both exist"),
    Column("least_loss_db", "float", "smallest loss over the wavelengths"),
    Column("telling_loss_db", "float", "loss of the cited event alone"),
    Column("trace_loss_db", "float", "step in the samples at the cited event"),
    Column("directions", "int", "directions that measured a loss here"),
    *(Column(f"loss_{nm}_db", "float", f"loss at {nm} nm, mean of both directions") for nm in WAVELENGTHS),
    *(
        Column(f"loss_{nm}_{way}_db", "float", f"loss at {nm} nm, {way.upper()}")
        for nm in WAVELENGTHS
        for way in ("ab", "ba")
    ),
    *(Column(f"reflectance_{nm}_db", "float", f"strongest reflectance at {nm} nm") for nm in WAVELENGTHS),
    *(Column(f"absent_{nm}", "bool", f"measured at {nm} nm past this place without an event") for nm in WAVELENGTHS),
    *(Column(f"slope_{nm}_db_km", "float", f"attenuation of the section before, at {nm} nm") for nm in WAVELENGTHS),
    *(
        Column(
            f"delta_{high}_{low}_db", "float", f"loss at {high} minus {low} nm; an absent event counts as the threshold"
        )
        for high, low in DELTAS
    ),
    Column("losses", "str", "the losses per wavelength in words"),
    Column("slopes", "str", "the attenuation of the section before in words"),
    Column("reflectance_db", "float", "strongest reflectance"),
    Column("reflection", "str", "the strongest reflectance in words"),
    Column("reflectance_is_limit", "bool", "the detector saturated: the reflection is at least this strong"),
    Column("is_start", "bool", "the instrument's own port or launch fibre in some measurement"),
    Column("is_first", "bool", "first place of the link"),
    Column("is_end", "bool", "end of the fibre in some measurement"),
    Column("is_edited", "bool", "added or moved by hand"),
    Column("says_bend", "bool", "the instrument itself calls it a bend"),
    Column("in_launch", "bool", "inside the launch fibre"),
    Column("beyond_end", "bool", "behind the end of the fibre"),
    Column("ghost_of_m", "float", "a stronger reflector whose echo would appear exactly here; null if none"),
    Column("ghost_order", "int", "times of its distance; 0 for an echo between two reflectors"),
    Column("peer_fibres", "int", "measured fibres of the same link, this one included"),
    Column("peer_least_loss_db", "float", "least loss at this place over these fibres"),
    Column("peer_length_m", "float", "longest length of these fibres"),
    Column("expected_length_m", "float", "design length, else the longest of these fibres"),
    Column("missing_m", "float", "expected minus measured length"),
    Column("comment", "str", "comment of the event"),
    Column("evidence", "strs", "every row it rests on, as source:line:event"),
)


def fibre_values(fibre: Fibre) -> dict[str, Any]:
    """Values of the columns in ``FIBRE``."""
    length_m = fibre.length_m()
    indices = [run.trace["group_index"] for run in fibre.runs if run.trace["group_index"] is not None]
    pulse_ns = fibre.largest("pulse_ns")
    design_m = _planned(fibre, "design_length_m")
    short_m = None if length_m is None or design_m is None else round(design_m - length_m, 2)
    return {
        "fibre": fibre.key,
        "link": fibre.first("link") or _planned(fibre, "link"),
        "cable": fibre.first("cable") or _planned(fibre, "cable"),
        **{name: fibre.first(name) for name in ("fibre_id", "location_a", "location_b", "fibre_type")},
        "port": _planned(fibre, "port") or fibre.first("port"),
        "near_end": fibre.first("location_a") or "the near end",
        "far_end": fibre.first("location_b") or "the far end",
        **{name: _planned(fibre, name) for name in _PLANNED},
        "pulse_ns": pulse_ns,
        "pulse_m": None if pulse_ns is None else round(pulse_ns * PULSE_M_PER_NS, 3),
        "launch_m": fibre.largest("launch_m") or 0.0,
        "range_m": fibre.largest("range_m"),
        "group_index_least": min(indices, default=None),
        "group_index_most": max(indices, default=None),
        "length_m": None if length_m is None else round(length_m, 2),
        "design_length_m": design_m,
        "length_short_m": short_m,
        "has_end_event": any(run.trace["has_end_event"] for run in fibre.runs),
        "all_have_end": all(run.trace["has_end_event"] for run in fibre.runs),
        "both_directions": fibre.direction_count() == 2,
        "wavelengths": len({run.wavelength_nm for run in fibre.runs}),
        **_ends(fibre),
    }


_PLANNED = ("switch", "hca_port", "hca_node", "optic", "connector", "is_apc", "cable_type")


def _planned(fibre: Fibre, column: str) -> Any:
    return None if fibre.schedule is None else fibre.schedule[column]


def _ends(fibre: Fibre) -> dict[str, float | None]:
    ends: dict[str, float | None] = {}
    for nm in WAVELENGTHS:
        found = [run.end_m for run in fibre.runs if run.wavelength_nm == nm and run.trace["has_end_event"]]
        ends[f"end_{nm}_m"] = max((round(end, 2) for end in found if end is not None), default=None)
    return ends


def in_words(values: Mapping[int, float | None], unit: str, absent: Iterable[int] = ()) -> str | None:
    """Values per wavelength as ``0.06 dB at 1310 nm, none at 1550 nm``; None without any."""
    missing = set(absent)
    parts = [
        f"{value:.3g} {unit} at {nm} nm" if value is not None else f"none at {nm} nm"
        for nm, value in values.items()
        if value is not None or nm in missing
    ]
    return ", ".join(parts) or None


def reflection(reflectance_db: float | None, *, is_limit: bool) -> str:
    """A reflectance in words; a saturated one is only known to be stronger."""
    if reflectance_db is None:
        return "of unmeasured strength"
    return f"of {'at least ' if is_limit else ''}{reflectance_db:.3g} dB"
