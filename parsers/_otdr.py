"""Tables shared by every reader of OTDR results, and the identity of the fibre that was measured."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from analyzer.model.tables import Column, TableSpec

WAVELENGTHS_NM = (850, 1300, 1310, 1383, 1490, 1550, 1625, 1650)
"""Nominal wavelengths that instruments offer."""

_IDENTITY = (
    Column("trace", "int", "number of the measurement inside its file, from 1; joins events with their trace"),
    Column("fibre", "str", "key of the fibre: its id, with the cable id where the id alone is a mere number", "fibre"),
    Column("link", "str", "link id named by the fibre id, cable id, comment or file name", "link"),
    Column("cable", "str", "cable or trunk id as given", "cable"),
    Column("fibre_id", "str", "fibre id as given"),
    Column("location_a", "str", "where the measurement started, as given"),
    Column("location_b", "str", "the far end, as given"),
    Column("wavelength_nm", "int", "nominal wavelength"),
    Column("direction", "str", "AB or BA where the input says so, else null"),
)

TRACES = TableSpec(
    name="otdr_traces",
    doc="One measurement of one fibre: one wavelength, one direction.",
    columns=(
        *_IDENTITY,
        Column("port", "str", "switch port named by the cable code or comment, as switch/port", "port"),
        Column("pulse_ns", "float", "pulse width; the longest where several were used"),
        Column("range_m", "float", "acquisition range"),
        Column("group_index", "float", "group index that turned time into distance"),
        Column("averaging_s", "float", "averaging time"),
        Column("launch_m", "float", "user offset: length of the launch fibre, 0 if none is declared"),
        Column("origin_m", "float", "where the link begins on the scale of the events: behind the launch fibre"),
        Column("end_m", "float", "position of the end event on the scale of the events"),
        Column("length_m", "float", "end minus origin"),
        Column("total_loss_db", "float", "total loss as the instrument states it"),
        Column("orl_db", "float", "optical return loss as the instrument states it"),
        Column("events", "int", "number of events"),
        Column("has_end_event", "bool", "an event is marked as the end of the fibre"),
        Column("supplier", "str", "maker of the instrument"),
        Column("model", "str", "instrument or module"),
        Column("comment", "str", "comment of the operator"),
        Column("taken_s", "float", "time of the measurement in Unix seconds; the zone is not stated"),
        Column("fibre_type", "int", "ITU-T G number of the fibre type (652, 657, 651 ...)"),
        Column("loss_threshold_db", "float", "events with less loss were left out by the instrument"),
        Column("reflectance_threshold_db", "float", "weaker reflections were left out by the instrument"),
        Column("end_threshold_db", "float", "loss from which the instrument calls an event the end"),
        Column("spacing_m", "float", "distance between two samples"),
        Column("trace_end_m", "float", "position of the last sample"),
        Column("samples", "int", "samples that are there"),
        Column("trace_digest", "str", "digest of the samples: equal for copies of one measurement"),
        Column("checksum", "str", "matches, absent or unknown; a mismatch proves nothing"),
        Column("other_blocks", "strs", "vendor blocks as name:bytes"),
        Column("complete", "bool", "false when the file is cut short or has broken blocks"),
    ),
)

EVENTS = TableSpec(
    name="otdr_events",
    doc="One event of one measurement: a connector, splice, bend, end or reflection.",
    columns=(
        *_IDENTITY,
        Column("number", "int", "number that the instrument gave the event"),
        Column("kind", "str", "reflective, non-reflective, saturated, grouped, echo, out-of-range or unknown"),
        Column("position_m", "float", "distance as the instrument shows it; null if the stored value is garbage"),
        Column("loss_db", "float", "loss, negative for an apparent gain; null if not measured"),
        Column("reflectance_db", "float", "reflectance (negative); null if not measured"),
        Column("reflectance_is_limit", "bool", "the detector saturated: the reflection is at least this strong"),
        Column("slope_db_km", "float", "attenuation of the section before the event"),
        Column("trace_loss_db", "float", "step at this place in the stored samples; null without samples"),
        Column("is_start", "bool", "the event is the instrument's own port or belongs to the launch fibre"),
        Column("is_end", "bool", "the event is marked as the end of the fibre"),
        Column("is_edited", "bool", "added or moved by hand"),
        Column("says_bend", "bool", "the instrument itself calls it a bend"),
        Column("verdict", "str", "pass or fail as the report says by its own limits"),
        Column("comment", "str", "comment of the event"),
    ),
)

_PACKED = re.compile(r"\.(?:gz|bz2|xz|zst)$", re.IGNORECASE)
_EMPTY = frozenset({"", "0", "-", "--", "---", "n/a", "none", "unknown"})
_FILE_SUFFIX = re.compile(
    r"(?:[_\-. ](?:850|1300|1310|1383|1490|1550|1625|1650|AB|BA|A-B|B-A|report|events|[0-9]{1,4}ns))+$", re.IGNORECASE
)
_FIBRE_PART = re.compile(r"^(?P<link>.{2,}?)[-_/. ]F(?:IB(?:ER|RE)?)?[-_ ]?\d{1,4}$", re.IGNORECASE)
_LINK_WORD = re.compile(r"\b(?:LK|LINK|LNK|CKT|CIR)[-_]?\d{1,8}\b", re.IGNORECASE)
_SWITCH_PORT = re.compile(
    r"\b(?P<switch>(?:leaf|spine|switch|sw|tor|core|edge|agg)[\w-]{0,40}?\d)(?:/| ?: ?| port | p)"
    r"(?P<port>\d{1,3}(?:/\d{1,2}){0,2})\b",
    re.IGNORECASE,
)
_DIRECTION = re.compile(r"(?:^|[_\-. ])(A-?>?B|B-?>?A)(?=$|[_\-. ])", re.IGNORECASE)
_WAVELENGTH = re.compile(r"(?<!\d)(850|1300|1310|1383|1490|1550|1625|1650)(?!\d)")


def stem(path: str) -> str:
    """File name of ``path`` without folder and extension."""
    name = _PACKED.sub("", path.replace("!", "/").rsplit("/", 1)[-1])
    head, dot, _ = name.rpartition(".")
    return head if dot and head else name


def given(text: str | None) -> str | None:
    """The text, or None where it is one of the ways to leave a field empty."""
    value = (text or "").strip()
    return None if value.lower() in _EMPTY else value


def fibre_key(fibre_id: str | None, cable: str | None, path: str) -> str:
    """Name of the fibre that all its measurements share, whatever file they are in."""
    if fibre_id is None:
        return _FILE_SUFFIX.sub("", stem(path)) or stem(path)
    names_itself = len(fibre_id) >= 4 and any(c.isalpha() for c in fibre_id) and any(c.isdigit() for c in fibre_id)
    return fibre_id if names_itself or cable is None else f"{cable}/{fibre_id}"


def link_id(fibre: str, *others: str | None) -> str | None:
    """Link that a fibre key names (``LK-0317-F03``: ``LK-0317``), else the first link-like word in ``others``."""
    match = _FIBRE_PART.match(fibre)
    if match:
        return match["link"]
    words = (_LINK_WORD.search(text) for text in (fibre, *others) if text)
    return next((word[0] for word in words if word), None)


def switch_port(*texts: str | None) -> str | None:
    """First switch port that a text names (``leaf03/17``, ``leaf-02 port 4``), as ``switch/port``."""
    found = (_SWITCH_PORT.search(text) for text in texts if text)
    match = next((match for match in found if match), None)
    return f"{match['switch']}/{match['port']}" if match else None


def direction(text: str | None) -> str | None:
    """``AB`` or ``BA`` where a file name or a field says so."""
    match = _DIRECTION.search(text or "")
    return re.sub(r"[^AB]", "", match[1].upper()) if match else None


def wavelength(text: str) -> int | None:
    """The last nominal wavelength named in a file name."""
    found = _WAVELENGTH.findall(text)
    return int(found[-1]) if found else None


def nominal_nm(measured_nm: float) -> int | None:
    """The nominal wavelength nearest to a measured one, None if none lies within 30 nm."""
    nearest = min(WAVELENGTHS_NM, key=lambda nominal: abs(nominal - measured_nm))
    return nearest if abs(nearest - measured_nm) <= 30 else None


def origin_m(launch_m: float, positions: Sequence[float], from_m: float | None, near_m: float) -> float:
    """Where the link begins on the scale of the events.

    Some instruments count from their own port, others from the end of the launch fibre; no field says which.

    Args:
        launch_m: Declared launch fibre.
        positions: Positions of the events.
        from_m: Start of the span that the total loss covers, if the file states it.
        near_m: Positions closer than this are the same.

    Returns:
        ``launch_m`` when the events count from the instrument, 0 when they count from the launch fibre's end.
    """
    if launch_m <= 0 or any(position < -near_m for position in positions) or (from_m is not None and from_m < -near_m):
        return 0.0
    starts = [*positions, *([] if from_m is None else [from_m])]
    return launch_m if any(abs(start - launch_m) <= near_m for start in starts) else 0.0


def event_text(number: int, values: Mapping[str, Any]) -> str:
    """One line for people about one event of a trace file."""
    position_m, loss_db, reflectance_db = values["position_m"], values["loss_db"], values["reflectance_db"]
    place = "at an impossible position" if position_m is None else f"at {position_m:.2f} m"
    kind = values["kind"] + (" end of fibre" if values["is_end"] else "")
    loss = "loss not measured" if loss_db is None else f"loss {loss_db:.3f} dB"
    mark = ">" if values["reflectance_is_limit"] else ""
    reflectance = "" if reflectance_db is None else f", reflectance {mark}{reflectance_db:.1f} dB"
    return f"event {number} {place}: {kind}, {loss}{reflectance}, {values['wavelength_nm']} nm"
