"""One row per fibre and place: loss per wavelength and direction, reflectance, and where the fibre should end."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import polars as pl

from analyzer.facts.citations import citations
from analyzer.facts.derived import _fibre_columns as columns
from analyzer.facts.derived._fibre_places import Place, ghost_of, places, reflectors
from analyzer.facts.derived._fibre_runs import Fibre, Point, Run, Values, fibres
from analyzer.facts.store import polars_schema, table_schema
from analyzer.model.tables import PLACE, TableSpec

SPEC = TableSpec("fibre_events", "One spot of one fibre with what all measurements say of it.", columns.FIBRE_EVENTS)
NEEDS = ("otdr_events", "otdr_traces", "cable_schedule")

Found = tuple[Fibre, list[Place]]


def derive(frames: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Build the table from ``otdr_events``, ``otdr_traces`` and, for design lengths and ports, ``cable_schedule``.

    Events of all wavelengths are joined where they lie within pulse length, 0.5 %, two samples or half a metre of each
    other; measurements from the B end are turned round (p' = L - p) when both directions exist. Of several measurements
    at one wavelength and direction the trace file, then the latest one counts.
    """
    measured = [(fibre, places(fibre)) for fibre in fibres(frames)]
    peers = _Peers(measured)
    rows = [row for fibre, found in measured for row in _rows(fibre, found, peers)]
    return pl.DataFrame(rows, schema=polars_schema(table_schema(SPEC)), orient="row")


class _Peers:
    """Places of all measured fibres of the same link."""

    def __init__(self, measured: Sequence[Found]) -> None:
        self._groups: dict[Any, list[_Profile]] = defaultdict(list)
        for fibre, found in measured:
            group = self._groups[self._key(fibre)]
            if len(group) < _MAX_PEERS:
                group.append(_profile(fibre, found))

    @staticmethod
    def _key(fibre: Fibre) -> tuple[Any, ...]:
        link = fibre.first("link")
        return (link,) if link else (fibre.first("cable"), fibre.first("location_a"), fibre.first("location_b"))

    def losses(self, fibre: Fibre, at_m: float) -> list[float]:
        """Worst loss at a place per measured fibre of the link, 0 where a fibre shows no event there."""
        return [profile.loss_near(at_m) for profile in self._groups[self._key(fibre)]]

    def length_m(self, fibre: Fibre) -> float | None:
        """The longest fibre of the link."""
        lengths = [profile.length_m for profile in self._groups[self._key(fibre)]]
        return max((round(length, 2) for length in lengths if length is not None), default=None)


_MAX_PEERS = 64


class _Profile(NamedTuple):
    """Losses along one fibre: positions in order, the worst loss at each, how near is the same place."""

    run: Run
    at_m: list[float]
    loss_db: list[float]
    length_m: float | None

    def loss_near(self, at_m: float) -> float:
        """Worst loss of the places that are the same as ``at_m``."""
        reach = self.run.tolerance_m(at_m)
        low, high = bisect_left(self.at_m, at_m - reach), bisect_right(self.at_m, at_m + reach)
        return max(self.loss_db[low:high], default=0.0)


def _profile(fibre: Fibre, found: Sequence[Place]) -> _Profile:
    losses = [max(_mean_losses(fibre, place).values(), default=0.0) for place in found]
    return _Profile(fibre.runs[0], [place.at_m for place in found], losses, fibre.length_m())


def _rows(fibre: Fibre, found: Sequence[Place], peers: _Peers) -> Iterator[dict[str, Any]]:
    whole = columns.fibre_values(fibre)
    whole |= _expected(whole["length_m"], whole["design_length_m"], peers.length_m(fibre))
    strong = reflectors(found)
    first = next((place for place in found if place.kind() != "echo" and not _in_launch(fibre, place)), None)
    for index, place in enumerate(found):
        previous = found[index - 1].at_m if index else None
        following = found[index + 1].at_m if index + 1 < len(found) else None
        telling = _telling(place)
        yield {
            **{column.name: telling.row[column.name] for column in PLACE},
            **whole,
            **_position(fibre, place, telling, previous, following),
            **_losses(fibre, place),
            **_marks(fibre, place),
            **_echo(place, strong),
            **_beside(peers.losses(fibre, place.at_m)),
            "is_first": place is first,
            "evidence": _evidence(fibre, place, telling),
        }


def _expected(length_m: float | None, design_m: float | None, peer_m: float | None) -> dict[str, float | None]:
    expected_m = peer_m if design_m is None else design_m
    missing_m = None if length_m is None or expected_m is None else round(expected_m - length_m, 2)
    return {"peer_length_m": peer_m, "expected_length_m": expected_m, "missing_m": missing_m}


def _telling(place: Place) -> Point:
    """The event with the largest loss, then the strongest reflection."""
    return max(place.points(), key=lambda p: (abs(p.row["loss_db"] or 0.0), p.row["reflectance_db"] or -99.0))


def _position(
    fibre: Fibre, place: Place, telling: Point, previous: float | None, following: float | None
) -> dict[str, Any]:
    length_m = fibre.length_m()
    gaps = [abs(place.at_m - other) for other in (previous, following) if other is not None]
    return {
        "position_m": round(place.at_m, 2),
        "measured_m": telling.row["position_m"],
        "position_b_m": None if length_m is None else round(length_m - place.at_m, 2),
        "section_m": None if previous is None else round(place.at_m - previous, 2),
        "gap_m": round(min(gaps), 2) if gaps else None,
        "trace_loss_db": telling.row["trace_loss_db"],
        "telling_loss_db": telling.row["loss_db"],
    }


def _mean_losses(fibre: Fibre, place: Place) -> dict[int, float]:
    """Loss per wavelength (0: not stated), the mean of both directions where both looked at the place."""
    by_wavelength: dict[int, list[float]] = defaultdict(list)
    for run in fibre.runs:
        loss = _loss_of(run, place)
        if loss is not None:
            by_wavelength[run.wavelength_nm or 0].append(loss)
    seen = {run.wavelength_nm or 0 for run, point in place.found if point.row["loss_db"] is not None}
    return {nm: round(sum(losses) / len(losses), 3) for nm, losses in by_wavelength.items() if nm in seen}


def _loss_of(run: Run, place: Place) -> float | None:
    """Measured loss; 0 where the run passed the place without noticing an event."""
    point = place.point_of(run)
    if point is not None:
        loss: float | None = point.row["loss_db"]
        return loss
    return 0.0 if run.covers(place.at_m) else None


def _losses(fibre: Fibre, place: Place) -> dict[str, Any]:
    means = _mean_losses(fibre, place)
    values: dict[str, Any] = {f"loss_{nm}_db": means.get(nm) for nm in columns.WAVELENGTHS}
    for run, point in place.found:
        if run.wavelength_nm in columns.WAVELENGTHS:
            values[f"loss_{run.wavelength_nm}_{'ba' if run.mirrored else 'ab'}_db"] = point.row["loss_db"]
            if point.row["slope_db_km"] is not None and not run.mirrored:
                values[f"slope_{run.wavelength_nm}_db_km"] = point.row["slope_db_km"]
    for nm in columns.WAVELENGTHS:
        values[f"reflectance_{nm}_db"] = place.reflectance_db(nm)
        values[f"absent_{nm}"] = _absent(fibre, place, nm)
    for high, low in columns.DELTAS:
        values[f"delta_{high}_{low}_db"] = _delta(fibre, place, means, high, low)
    measured = {run.mirrored for run, point in place.found if point.row["loss_db"] is not None}
    absent = [nm for nm in columns.WAVELENGTHS if values[f"absent_{nm}"]]
    slopes = {nm: values.get(f"slope_{nm}_db_km") for nm in columns.WAVELENGTHS}
    return values | {
        "losses": columns.in_words({nm: means.get(nm) for nm in columns.WAVELENGTHS}, "dB", absent),
        "slopes": columns.in_words(slopes, "dB/km"),
        "loss_db": max(means.values(), default=None),
        "least_loss_db": min(means.values(), default=None),
        "directions": len(measured),
    }


def _absent(fibre: Fibre, place: Place, wavelength_nm: int) -> bool:
    """True if a run at this wavelength passed the place and shows no event there."""
    looked = [run for run in fibre.runs if run.wavelength_nm == wavelength_nm and run.covers(place.at_m)]
    return bool(looked) and all(place.point_of(run) is None for run in looked)


def _delta(fibre: Fibre, place: Place, means: Mapping[int, float], high: int, low: int) -> float | None:
    """Loss at the longer wavelength minus that at the shorter; an absent event counts as the file's threshold."""
    upper, lower = means.get(high), means.get(low)
    if upper is not None and lower is None and _absent(fibre, place, low):
        limits = [run.trace["loss_threshold_db"] for run in fibre.runs if run.wavelength_nm == low]
        lower = max((limit for limit in limits if limit is not None), default=None)
    return None if upper is None or lower is None else round(upper - lower, 3)


def _marks(fibre: Fibre, place: Place) -> dict[str, Any]:
    is_limit = place.marked("reflectance_is_limit")
    return {
        "kind": place.kind(),
        "reflectance_db": place.reflectance_db(),
        "reflection": columns.reflection(place.reflectance_db(), is_limit=is_limit),
        "reflectance_is_limit": is_limit,
        "is_start": place.marked("is_start"),
        "is_end": place.marked("is_end"),
        "is_edited": place.marked("is_edited"),
        "says_bend": place.marked("says_bend"),
        "in_launch": _in_launch(fibre, place),
        "beyond_end": _beyond_end(place),
        "comment": next((point.row["comment"] for point in place.points() if point.row["comment"]), None),
    }


def _in_launch(fibre: Fibre, place: Place) -> bool:
    return place.at_m < -fibre.runs[0].tolerance_m(place.at_m)


def _beyond_end(place: Place) -> bool:
    """True if every event lies behind the end event of its own run."""
    return all(
        run.end_m is not None
        and bool(run.trace["has_end_event"])
        and run.own_m(point.at_m) > run.end_m + run.tolerance_m(point.at_m)
        for run, point in place.found
    )


def _echo(place: Place, strong: Sequence[Any]) -> dict[str, Any]:
    ghost = ghost_of(place, strong)
    return {
        "ghost_of_m": None if ghost is None else round(ghost.source_m, 2),
        "ghost_order": None if ghost is None else ghost.order,
    }


def _beside(losses: Sequence[float]) -> dict[str, Any]:
    return {"peer_fibres": len(losses), "peer_least_loss_db": min(losses, default=None)}


def _evidence(fibre: Fibre, place: Place, telling: Point) -> list[str]:
    """All events of the place, the telling one first, then the schedule's row."""
    ordered = sorted(place.points(), key=lambda point: point is not telling)
    found: list[Values] = [point.row for point in ordered]
    if fibre.schedule is not None:
        found.append(fibre.schedule)
    return citations(found)
