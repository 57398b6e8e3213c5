"""How numbers, times, parts and places read on the screens."""

from __future__ import annotations

from analyzer.bundle.display import clean
from analyzer.model.analysis import Diagnosis, Entities, Evidence
from analyzer.report.wording import PARTS_FIRST, many, place

_SHOWN_CHARACTERS = 4000
_NAMES_SHOWN = 6
MUTED = "$foreground 65%"
SEVERITY_WORDS = {"critical": "CRIT", "warning": "WARN", "info": "INFO"}
SEVERITY_STYLES = {"critical": "bold $text-error", "warning": "bold $text-warning", "info": "bold $text-primary"}


def shown(text: str) -> str:
    """A line from an input as it may stand on the screen."""
    cut = text[:_SHOWN_CHARACTERS]
    rest = len(text) - len(cut)
    return clean(cut) + (f"… ({rest:,} more characters)" if rest else "")


def short_place(evidence: Evidence) -> str:
    """The place without the folders."""
    return place(evidence).rpartition("/")[2]


def cut_left(text: str, width: int) -> str:
    """The end of a path that is too long, since its end tells most."""
    if len(text) <= width:
        return text
    return "…" + text[max(0, len(text) - width + 1) :] if width > 1 else "…"


def clock(evidence: Evidence) -> str:
    """Time of day in UTC, blank if unknown."""
    return evidence.time[11:19] if evidence.time else ""


def when(diagnosis: Diagnosis) -> str:
    """When it was seen, how often, and whether it still holds."""
    state = "" if diagnosis.state == "unknown" else f" · {diagnosis.state}"
    times = many(diagnosis.occurrences, "observation")
    first, last = diagnosis.first_seen, diagnosis.last_seen
    if first is None:
        return f"time unknown · {times}{state}"
    begin, end = _moment(first), _moment(last or first)
    span = begin if begin == end else f"{begin} to {end.removeprefix(begin[:11])}"
    return f"{span} UTC · {times}{state}"


def _moment(stamp: str) -> str:
    """A stamp of ISO 8601 to the second."""
    return clean(stamp[:19].replace("T", " "))


def parts(entities: Entities) -> list[tuple[str, str]]:
    """Kinds of parts and their names, the telling kinds first."""
    kinds = [*(k for k in PARTS_FIRST if k in entities), *sorted(k for k in entities if k not in PARTS_FIRST)]
    return [(clean(kind), _names(entities[kind])) for kind in kinds if entities[kind]]


def _names(names: list[str]) -> str:
    more = f" and {len(names) - _NAMES_SHOWN:,} more" if len(names) > _NAMES_SHOWN else ""
    return ", ".join(clean(name) for name in names[:_NAMES_SHOWN]) + more
