"""Places along a fibre: events of several measurements that are one spot."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence

import msgspec

from analyzer.facts.derived._fibre_runs import Fibre, Point, Run

_NEAREST = 3
_GHOST_ORDERS = (2, 3, 4, 5)
_MAX_REFLECTORS = 20
_REFLECTIVE = ("reflective", "saturated")


class Place(msgspec.Struct):
    """One spot of a fibre with every event that belongs to it."""

    at_m: float
    found: list[tuple[Run, Point]]

    def points(self) -> list[Point]:
        """Its events."""
        return [point for _, point in self.found]

    def point_of(self, run: Run) -> Point | None:
        """The event of one run at this place."""
        return next((point for own, point in self.found if own is run), None)

    def marked(self, column: str) -> bool:
        """True if any of its events has the mark."""
        return any(bool(point.row[column]) for point in self.points())

    def kind(self) -> str:
        """The most telling kind of its events."""
        kinds = {point.row["kind"] for point in self.points()}
        order = ("saturated", "reflective", "grouped", "non-reflective", "echo", "out-of-range")
        return next((kind for kind in order if kind in kinds), "unknown")

    def reflectance_db(self, wavelength_nm: int | None = None) -> float | None:
        """The strongest reflectance, of one wavelength if given."""
        values = (
            point.row["reflectance_db"]
            for run, point in self.found
            if wavelength_nm is None or run.wavelength_nm == wavelength_nm
        )
        return max((value for value in values if value is not None), default=None)


class Ghost(msgspec.Struct, frozen=True):
    """Which reflector a place may be an echo of, and by which path.

    Attributes:
        source_m: Position of the reflector on the link.
        order: Times of its distance; 0 for an echo between two reflectors.
    """

    source_m: float
    order: int


def places(fibre: Fibre) -> list[Place]:
    """Group the events of all runs; two events of one run never share a place."""
    found: list[Place] = []
    for run in sorted(fibre.runs, key=lambda run: (run.mirrored, -len(run.points))):
        found.extend(_matched(run, found))
        found.sort(key=lambda place: place.at_m)
    return found


def _matched(run: Run, known: Sequence[Place]) -> list[Place]:
    """Put the run's events into known places, nearest pairs first; the rest become new places."""
    taken_places: set[int] = set()
    taken_points: set[int] = set()
    for _, index, place in sorted(_pairs(run, known)):
        if index not in taken_points and place not in taken_places:
            taken_points.add(index)
            taken_places.add(place)
            known[place].found.append((run, run.points[index]))
    rest = (point for index, point in enumerate(run.points) if index not in taken_points)
    return [Place(point.at_m, [(run, point)]) for point in rest]


def _pairs(run: Run, known: Sequence[Place]) -> Iterator[tuple[tuple[bool, float], int, int]]:
    positions = [place.at_m for place in known]
    for index, point in enumerate(run.points):
        tolerance = run.tolerance_m(point.row["position_m"])
        middle = bisect_left(positions, point.at_m)
        for place in range(max(0, middle - _NEAREST), min(len(known), middle + _NEAREST)):
            reach = max(tolerance, known[place].found[0][0].tolerance_m(known[place].at_m))
            distance = abs(positions[place] - point.at_m)
            if distance <= reach:
                yield (_is_reflective(point) != _is_reflective(known[place].found[0][1]), distance), index, place


def _is_reflective(point: Point) -> bool:
    return point.row["kind"] in _REFLECTIVE


class Reflector(msgspec.Struct, frozen=True):
    """A place that may throw echoes: position on the link, from the instrument, and its reflectance."""

    at_m: float
    raw_m: float
    level_db: float


def reflectors(among: Sequence[Place]) -> list[Reflector]:
    """The strongest reflectors of a fibre, strongest first."""
    found = []
    for place in among:
        run, point = place.found[0]
        level = place.reflectance_db()
        if level is not None and not run.mirrored and run.from_port_m(point) > run.tolerance_m(0.0):
            found.append(Reflector(place.at_m, run.from_port_m(point), level))
    return sorted(found, key=lambda reflector: -reflector.level_db)[:_MAX_REFLECTORS]


def ghost_of(place: Place, strong: Sequence[Reflector]) -> Ghost | None:
    """The strongest reflector whose echo would appear here: at a multiple of its distance or behind a pair of them."""
    level = place.reflectance_db()
    run, point = place.found[0]
    if level is None or run.mirrored:
        return None
    raw_m = run.from_port_m(point)
    tolerance = run.tolerance_m(raw_m)
    nearer = [source for source in strong if source.at_m < place.at_m and source.level_db > level]
    for source in nearer:
        for order in _GHOST_ORDERS:
            if abs(order * source.raw_m - raw_m) <= tolerance:
                return Ghost(source.at_m, order)
    for far in nearer:
        if any(near.raw_m < far.raw_m and abs(2 * far.raw_m - near.raw_m - raw_m) <= tolerance for near in nearer):
            return Ghost(far.at_m, 0)
    return None
