"""Fields of the blocks of a .sor file, in both versions of the format.

The byte tables come from reverse engineering (pyOTDR, otdrparser and otdrs agree) and were checked on public files.
Times are in 100 ps one way; losses, slopes and reflectances in thousandths of a decibel.
"""

from __future__ import annotations

import msgspec

from analyzer.model.formats import Problem
from parsers._sor_bytes import BlockEndError, Cursor
from parsers._sor_map import Block, Layout

LIGHT_M_S = 299_792_458.0
USUAL_INDEX = 1.468
PULSE_M_PER_NS = 0.102
INDEX_RANGE = (1.30, 1.70)
MAX_EVENTS = 2_000
MAX_PULSES = 64


class General(msgspec.Struct):
    """What was measured (GenParams)."""

    language: str = ""
    cable: str = ""
    fibre_id: str = ""
    fibre_type: int | None = None
    wavelength_nm: int = 0
    location_a: str = ""
    location_b: str = ""
    cable_code: str = ""
    user_offset: int = 0
    operator: str = ""
    comment: str = ""


class Supplier(msgspec.Struct):
    """What it was measured with (SupParams)."""

    supplier: str = ""
    mainframe: str = ""
    mainframe_serial: str = ""
    module: str = ""
    module_serial: str = ""
    software: str = ""


class Fixed(msgspec.Struct):
    """How it was measured (FxdParams)."""

    taken_s: int = 0
    wavelength_nm: float = 0.0
    first_sample: int = 0
    pulses_ns: list[int] = msgspec.field(default_factory=list)
    spacings: list[int] = msgspec.field(default_factory=list)
    points: list[int] = msgspec.field(default_factory=list)
    group_index: float | None = None
    averaging_s: float | None = None
    range_time: int | None = None
    loss_threshold_db: float | None = None
    reflectance_threshold_db: float | None = None
    end_threshold_db: float | None = None

    def metres(self, time: float) -> float:
        """Distance of a time in 100 ps."""
        return time * 1e-10 * LIGHT_M_S / (self.group_index or USUAL_INDEX)

    def near_m(self) -> float:
        """Positions nearer than a pulse, or a metre, cannot be told apart."""
        return max(1.0, max(self.pulses_ns, default=0) * PULSE_M_PER_NS)

    def spacing_m(self) -> float | None:
        """Distance of two samples; the first of several pulse widths counts."""
        return self.metres(self.spacings[0] * 1e-4) if self.spacings else None


class Event(msgspec.Struct, frozen=True):
    """One entry of KeyEvents, as stored."""

    number: int
    time: int
    slope_db_km: float
    loss_db: float
    reflectance_raw: int
    code: str
    comment: str


class Summary(msgspec.Struct, frozen=True):
    """Totals after the events, as stored."""

    total_loss_db: float
    from_time: int
    orl_db: float


def general(data: bytes, layout: Layout, problems: list[Problem]) -> General:
    """Read GenParams as far as it holds."""
    found = General()
    cursor = _cursor(data, layout.blocks.get("GenParams"), problems, "GenParams")
    try:
        _fill_general(found, cursor, layout.version)
    except BlockEndError as short:
        _ends_early(problems, "GenParams", layout, short)
    return found


def _fill_general(found: General, cursor: Cursor, version: int) -> None:
    language = cursor.raw(2)
    if language.isalpha():  # some writers leave two arbitrary bytes here
        found.language = cursor.language = language.decode("ascii", "replace")
    found.cable, found.fibre_id = cursor.string(), cursor.string()
    if version == 2:
        found.fibre_type = cursor.signed(2)
    found.wavelength_nm = cursor.signed(2)
    found.location_a, found.location_b, found.cable_code = cursor.string(), cursor.string(), cursor.string()
    cursor.raw(2)
    found.user_offset = cursor.signed(4)
    if version == 2:
        cursor.signed(4)
    found.operator, found.comment = cursor.string(), cursor.string()


def supplier(data: bytes, layout: Layout, problems: list[Problem]) -> Supplier:
    """Read SupParams as far as it holds."""
    found = Supplier()
    cursor = _cursor(data, layout.blocks.get("SupParams"), problems, "SupParams")
    try:
        for name in Supplier.__struct_fields__:
            setattr(found, name, cursor.string())
    except BlockEndError as short:
        _ends_early(problems, "SupParams", layout, short)
    return found


def fixed(data: bytes, layout: Layout, problems: list[Problem]) -> Fixed:
    """Read FxdParams as far as it holds."""
    found = Fixed()
    cursor = _cursor(data, layout.blocks.get("FxdParams"), problems, "FxdParams")
    try:
        _fill_acquisition(found, cursor, layout.version, problems)
        _fill_thresholds(found, cursor, layout.version, problems)
    except BlockEndError as short:
        _ends_early(problems, "FxdParams", layout, short)
    return found


def _fill_acquisition(found: Fixed, cursor: Cursor, version: int, problems: list[Problem]) -> None:
    found.taken_s = cursor.unsigned(4)
    cursor.raw(2)
    found.wavelength_nm = cursor.unsigned(2) / 10
    found.first_sample = cursor.signed(4)
    if version == 2:
        cursor.signed(4)
    count = cursor.unsigned(2)
    if not 1 <= count <= MAX_PULSES:
        problems.append(Problem(f"FxdParams claims {count} pulse widths"))
        count = 1
    found.pulses_ns = [cursor.unsigned(2) for _ in range(count)]
    found.spacings = [cursor.unsigned(4) for _ in range(count)]
    found.points = [cursor.unsigned(4) for _ in range(count)]


def _fill_thresholds(found: Fixed, cursor: Cursor, version: int, problems: list[Problem]) -> None:
    index = cursor.unsigned(4) / 100_000
    if INDEX_RANGE[0] <= index <= INDEX_RANGE[1]:
        found.group_index = index
    else:
        problems.append(Problem(f"group index {index:.5f} is impossible, {USUAL_INDEX} assumed"))
    cursor.raw(2 + 4)
    if version == 2:
        found.averaging_s = cursor.unsigned(2) / 10
    found.range_time = cursor.unsigned(4)
    cursor.raw((4 if version == 2 else 0) + 4 + 2 + 2 + 2)
    found.loss_threshold_db = cursor.unsigned(2) / 1000
    found.reflectance_threshold_db = -cursor.unsigned(2) / 1000
    found.end_threshold_db = cursor.unsigned(2) / 1000


def key_events(data: bytes, layout: Layout, problems: list[Problem]) -> tuple[list[Event], Summary | None]:
    """Read KeyEvents as far as it holds; the summary is None when the block is cut."""
    events: list[Event] = []
    cursor = _cursor(data, layout.blocks.get("KeyEvents"), problems, "KeyEvents")
    try:
        count = cursor.unsigned(2)
        if count > MAX_EVENTS:
            problems.append(Problem(f"KeyEvents claims {count} events, the first {MAX_EVENTS} are read"))
        events.extend(_event(cursor, layout.version) for _ in range(min(count, MAX_EVENTS)))
        total, from_time = cursor.signed(4) / 1000, cursor.signed(4)
        cursor.raw(4)
        return events, Summary(total, from_time, cursor.unsigned(2) / 1000)
    except BlockEndError as short:
        _ends_early(problems, "KeyEvents", layout, short)
    return events, None


def _event(cursor: Cursor, version: int) -> Event:
    number, time = cursor.unsigned(2), cursor.signed(4)
    slope, loss, reflectance = cursor.signed(2) / 1000, cursor.signed(2) / 1000, cursor.signed(4)
    code = cursor.fixed(6)
    cursor.raw(2 + (20 if version == 2 else 0))
    return Event(number, time, slope, loss, reflectance, code, cursor.string())


def _cursor(data: bytes, block: Block | None, problems: list[Problem], name: str) -> Cursor:
    """Cursor over a block's fields; over nothing when the block is missing."""
    if block is None:
        return Cursor(data, 0, 0)
    if block.end > len(data):
        problems.append(Problem(f"{name} block is cut short"))
    return Cursor(data, block.body, block.end)


def _ends_early(problems: list[Problem], name: str, layout: Layout, short: BlockEndError) -> None:
    problems.append(Problem(f"{name}: {short}" if name in layout.blocks else f"no {name} block"))
