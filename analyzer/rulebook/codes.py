"""Catalogues of error codes: their entries, and what further words of a log line select among details."""

from __future__ import annotations

import csv
import difflib
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from analyzer.rules_folder import table

Entry = Mapping[str, str]
"""One row of a catalogue: value per column."""

_WORD_BITS = 32
_SEPARATORS = re.compile(r"[/.,;() ]+")


class Details(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A catalogue of what further words of a line mean; see ``rules/codes.toml``."""

    catalogue: str
    codes: tuple[int, ...]
    label: str
    words: Literal["masks", "bits"]
    masks: tuple[str, ...] = ()
    status: str = ""


class Layout(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How an entry of one catalogue is shown; see ``rules/codes.toml``."""

    title: str
    facts: dict[str, str] = {}
    opinions: dict[str, str] = {}
    actions: str = ""
    chosen: str = ""
    details: tuple[Details, ...] = ()


def layouts() -> dict[str, Layout]:
    """Layout per catalogue."""
    return table("codes.toml", dict[str, Layout])


def entries(file: str | Path) -> list[Entry]:
    """All rows of a catalogue."""
    with Path(file).open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, restval=""))


def key_of(entry: Entry) -> str:
    """The code: the value of the first column."""
    return next(iter(entry.values()))


def named(rows: Iterable[Entry], code: str) -> list[Entry]:
    """Rows of a code; leading zeros and the letter case do not matter."""
    wanted = _plain(code)
    return [row for row in rows if _plain(key_of(row)) == wanted]


def nearest(rows: Sequence[Entry], code: str, count: int = 3) -> list[str]:
    """The codes closest to one that is not in the catalogue, by number or by spelling."""
    keys = list(dict.fromkeys(key_of(row) for row in rows))
    if code.isdecimal() and all(key.isdecimal() for key in keys):
        closest = sorted(keys, key=lambda key: (abs(int(key) - int(code)), int(key)))[:count]
        return sorted(closest, key=int)
    return difflib.get_close_matches(code, keys, n=count, cutoff=0.3)


def chosen_by_text(rows: Iterable[Entry], text: str) -> list[Entry]:
    """Details named in words: ``SAW_MVB``, ``4``, ``NETIR_LINK_EVT/4``, ``SAW_MVB.0.0x00000002`` or a whole key."""
    rows = list(rows)
    exact = named(rows, text)
    parts = [part for part in _SEPARATORS.split(text) if part]
    return exact or [row for row in rows if parts and all(_has(row, part) for part in parts)]


def chosen_by_words(rows: Iterable[Entry], details: Details, words: Sequence[int]) -> list[Entry]:
    """Details that the words of a log line select.

    Args:
        rows: The catalogue of details.
        details: How words are read.
        words: The words in the order of the line.
    """
    if details.words == "bits":
        return [row for row in rows if _bit_is_set(row, words)]
    return [row for row in rows if _masked(row, details, words)]


def unknown_bits(rows: Iterable[Entry], words: Sequence[int]) -> list[tuple[int, int]]:
    """Bits that are set and that the catalogue does not hold, as word and bit number."""
    known = {(int(row["register"]), int(row["bit"])) for row in rows}
    set_bits = ((number, bit) for number, word in enumerate(words, 1) for bit in range(_WORD_BITS) if word >> bit & 1)
    return [place for place in set_bits if place not in known]


def words_of(texts: Iterable[str]) -> list[int] | None:
    """Hexadecimal or decimal words as a line prints them, brackets and commas included; None if one is no number."""
    parts = [part for text in texts for part in re.split(r"[(),\s]+", text) if part]
    try:
        return [int(part, 0) & 0xFFFFFFFF for part in parts]
    except ValueError:
        return None


def fits(mask: str, word: int) -> bool:
    """Whether a word has the bits of a mask of 0, 1 and ``-``, the most significant first."""
    bits = f"{word:0{_WORD_BITS}b}"
    return len(mask) == _WORD_BITS and all(want in ("-", have) for want, have in zip(mask, bits, strict=True))


def _plain(code: str) -> str:
    return str(int(code)) if code.isdecimal() else code.lower()


def _has(row: Entry, part: str) -> bool:
    if part.isdecimal():
        return row.get("subcode", row.get("bit")) == str(int(part)) or row.get("register") == part
    if part.lower().startswith("0x"):
        status = row.get("error_status", "")
        return bool(status) and words_of([status]) == words_of([part])
    return part.upper() in row.get("unit", "").split("/") or part.lower() == key_of(row).lower()


def _bit_is_set(row: Entry, words: Sequence[int]) -> bool:
    register = int(row["register"])
    return register <= len(words) and bool(words[register - 1] >> int(row["bit"]) & 1)


def _masked(row: Entry, details: Details, words: Sequence[int]) -> bool:
    if not words or not any(fits(row[column], words[0]) for column in details.masks):
        return False
    status = row[details.status]
    if len(words) == 1 or not status:
        return True
    wanted = int(status, 0)
    return bool(words[1] & wanted) if wanted else words[1] == 0
