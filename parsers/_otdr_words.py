"""Words that OTDR reports use in headers, labels and cells, whatever the vendor."""

from __future__ import annotations

import re
from functools import lru_cache

import msgspec

from parsers import _otdr

METRES = {"m": 1.0, "km": 1000.0, "ft": 0.3048, "kft": 304.8, "kf": 304.8, "mi": 1609.344}

_FIELDS = {
    "number": (
        "no", "#", "event", "evt", "ev", "event no", "event number", "event #", "nr", "num", "number", "event id",
        "index",
    ),
    "position": (
        "location", "loc", "distance", "dist", "position", "pos", "location length", "event location", "event distance",
        "start", "km", "mi", "kf", "entfernung", "ort",
    ),
    "kind": ("type", "event type", "kind", "event kind", "typ", "description"),
    "loss": (
        "loss", "splice loss", "splice", "event loss", "insertion loss", "einfügedämpfung", "einfuegedaempfung", "il",
        "dämpfung",
    ),
    "reflectance": (
        "reflectance", "refl", "reflect", "reflection", "return loss", "rl", "event reflectance", "reflexion",
    ),
    "slope": ("attenuation", "att", "slope", "section att", "section attenuation", "db per"),
    "section": ("section", "span", "section length"),
    "cumulative": ("cumulative", "cumul", "cum", "t loss", "total loss", "cumulative loss", "2point"),
    "wavelength": ("wavelength", "lambda", "wl", "laser", "wellenlänge", "λ"),
    "fibre": ("fiber", "fibre", "fiber id", "fibre id", "fiber no", "fibre no", "fiber number", "fibre number", "faser",
              "fiber name", "fibre name", "strand"),
    "cable": ("cable", "cable id", "trunk", "trunk id", "kabel"),
    "direction": ("direction", "dir", "richtung"),
    "comment": ("comment", "comments", "remark", "remarks", "note", "notes"),
    "verdict": ("status", "result", "pass fail", "p f", "verdict"),
}  # fmt: skip
_MEANING = {word: field for field, words in _FIELDS.items() for word in words}

_LABELS = {
    "cable": ("cable id", "cable", "trunk", "trunk id"),
    "fibre": ("fiber id", "fibre id", "fiber", "fibre", "fiber number", "fibre number", "fiber name", "fibre name"),
    "location_a": ("location a", "origin", "start location", "originating location", "from", "near end"),
    "location_b": ("location b", "end location", "terminal location", "terminating location", "to", "far end"),
    "direction": ("direction", "dir"),
    "model": ("unit model", "otdr", "model", "otdr model", "instrument"),
    "comment": ("comment", "comments", "remark"),
    "wavelength": ("laser", "wavelength", "lambda"),
    "pulse": ("pulse", "pulse width", "pulsewidth"),
    "range": ("range", "distance range"),
    "averaging": ("duration", "acq", "averaging", "averaging time", "acquisition time", "acq time"),
    "index": ("index", "ior", "group index", "refractive index", "index of refraction"),
    "launch": ("launch fiber", "launch fibre", "launch fiber length", "launch fibre length", "launch length",
               "user offset", "launch cable"),
    "total_loss": ("span loss", "total loss", "link loss"),
    "orl": ("span orl", "orl", "link orl", "total orl"),
    "length": ("span length", "fiber length", "fibre length", "fiber end", "fibre end", "link length"),
}  # fmt: skip
_LABEL = {word: field for field, words in _LABELS.items() for word in words}

_CACHED = 4096
"""Cells whose meaning is kept: the same words and numbers return on every row."""
_UNITS = frozenset({*METRES, "db", "nm", "ns", "us", "µs", "μs", "s"})
_PER_KM = re.compile(r"dB ?/ ?(?:km|kft|mi)|db_km", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]+|#|λ", re.UNICODE)
_WAVELENGTH = re.compile(r"(?<![\d.])(\d{3,4})(?:\.\d)? ?nm", re.IGNORECASE)
_NUMBER = re.compile(r"(?P<mark>[<>~≥≤]?) ?(?P<value>[-+−]?\d[\d.,]{0,18}|[-+−]?[.,]\d{1,12}) ?(?P<rest>[^\d]{0,12})")
_LABELLED = re.compile(r"(?P<label>[A-Za-z][A-Za-z. ]{1,30}?)(?: ?[:=] ?| )(?P<value>[<>~]? ?[-+]?\d.{0,40})")


class Head(msgspec.Struct, frozen=True):
    """What a header cell means: the field, the unit of lengths in metres (None: not stated), a wavelength if named."""

    field: str
    unit_m: float | None = None
    wavelength_nm: int | None = None


class Number(msgspec.Struct, frozen=True):
    """A measured value: mark is ``<``, ``>`` or ``~``; saturated for a trailing S; unit as written, lower case."""

    value: float
    mark: str = ""
    saturated: bool = False
    unit: str = ""


@lru_cache(_CACHED)
def head(cell: str) -> Head | None:
    """Meaning of a header cell, None if it is none that is known."""
    if len(cell) > 60:
        return None
    words = [word.lower() for word in _WORD.findall(_PER_KM.sub(" per ", cell))]
    plain: list[str] = []
    unit, wavelength_nm = None, None
    for word in words:
        digits = word.removesuffix("nm")
        if digits.isdecimal() and len(digits) in (3, 4) and _otdr.nominal_nm(float(digits)):
            wavelength_nm = _otdr.nominal_nm(float(digits))
        elif word in METRES and (plain or len(words) > 1):
            unit = METRES[word]
        elif word not in _UNITS or (word in METRES and not plain):
            plain.append(word)
    if words and not plain and "nm" in words and wavelength_nm is None:
        return Head("wavelength")
    field = "slope" if plain[-1:] == ["per"] else _MEANING.get(" ".join(plain))
    if field == "position" and plain[0] in METRES:
        unit = METRES[plain[0]]
    return Head(field, unit, wavelength_nm) if field else None


@lru_cache(_CACHED)
def label(cell: str) -> tuple[str, str] | None:
    """Field named by a label and the unit in its brackets; None for other words."""
    if len(cell) > 60:
        return None
    words = [word.lower() for word in _WORD.findall(cell)]
    units = [word for word in words if word in _UNITS]
    plain = [word for word in words if word not in _UNITS and not word.isdecimal()]
    field = _LABEL.get(" ".join(plain))
    return (field, units[0] if units else "") if field else None


def labelled(cell: str) -> tuple[str, str] | None:
    """Label and value of one cell such as ``Pulse 5 ns`` or ``Fiber End 119.99 m``."""
    match = _LABELLED.fullmatch(cell.strip()) if len(cell) <= 90 else None
    return (match["label"], match["value"]) if match else None


@lru_cache(_CACHED)
def number(cell: str) -> Number | None:
    """The number in a cell: decimal point or comma, thousands separators, marks and units; None for anything else."""
    text = cell.strip().strip("*").strip()
    match = _NUMBER.fullmatch(text) if len(text) <= 40 else None
    if match is None:
        return None
    try:
        value = float(_plain(match["value"].replace("−", "-")))
    except ValueError:
        return None
    rest = match["rest"].strip()
    return Number(value, match["mark"], rest in ("S", "s"), rest.lower())


def _plain(digits: str) -> str:
    """Digits with a decimal point only: the last separator is the decimal one unless a lone comma groups by three."""
    comma, point = digits.rfind(","), digits.rfind(".")
    if comma < 0:
        return digits
    if point > comma:
        return digits.replace(",", "")
    if point >= 0 or digits.count(",") > 1:
        return digits.replace(".", "").replace(",", ".", 1) if digits.count(",") == 1 else digits.replace(",", "")
    return digits.replace(",", ".")


def length_m(cell: str, unit_m: float | None) -> float | None:
    """A length in metres: the unit in the cell wins over the header's, metres where neither names one."""
    found = number(cell)
    if found is None:
        return None
    return round(found.value * METRES.get(found.unit, unit_m or 1.0), 4)


def wavelengths(text: str) -> list[int]:
    """Nominal wavelengths written with their unit in a line."""
    found = (_otdr.nominal_nm(float(digits)) for digits in _WAVELENGTH.findall(text[:2_000]))
    return [nm for nm in found if nm]


class Kind(msgspec.Struct, frozen=True):
    """What an event's type means."""

    kind: str | None = None
    is_start: bool = False
    is_end: bool = False
    says_bend: bool = False
    is_section: bool = False


@lru_cache(_CACHED)
def kind(cell: str) -> Kind | None:
    """Meaning of a type cell; None if the words are unknown."""
    text = re.sub(r"[^a-z]+", " ", cell[:60].lower()).strip()
    if text in ("section", "span", "fiber section", "fibre section"):
        return Kind(is_section=True)
    is_end = bool(re.search(r"\bend\b|\beof\b|\bfibre end|\bfiber end", text)) or text == "e"
    if "ghost" in text or "echo" in text:
        return None if "source" in text else Kind("echo")
    shape = _shape(text)
    if shape is None and not is_end and not re.search(r"\blaunch|\bstart\b", text):
        return None
    starts = bool(re.search(r"\blaunch|\bstart\b", text))
    return Kind(shape, is_start=starts, is_end=is_end, says_bend="bend" in text)


def _shape(text: str) -> str | None:
    if re.search(r"non ?reflect|splice|gainer|bend|\bloss\b|splitter|fusion", text) or text in ("n", "nr"):
        return "non-reflective"
    if re.search(r"saturat", text):
        return "saturated"
    if re.search(r"group|merg|multiple|hidden", text):
        return "grouped"
    return "reflective" if re.search(r"reflect|connector|fresnel|\bopen\b", text) or text == "r" else None
