"""Exports of environment sensors: temperature, humidity, pressure and coolant per rack or sensor over time."""

from __future__ import annotations

from typing import Final

from analyzer.model.formats import Dump, Format, Sniff
from analyzer.model.tables import MAX_TEXT, Column, Row, TableSpec
from parsers import _fabric_text, _site
from parsers._fabric_text import Line

FORMAT: Final = Format("environment", "table", frozenset({"site"}), "environment sensors (CSV)")

ENVIRONMENT: Final = TableSpec(
    "environment",
    "One line of an export of environment sensors; readings that no sensor can give are left out",
    (
        Column("rack", "str", "rack or place", "rack"),
        Column("sensor", "str", "sensor", "sensor"),
        Column("position", "str", "height or side of the sensor"),
        Column("sampled_s", "float", "time by the writer's clock, seconds as if it were UTC"),
        Column("inlet_c", "float", "air temperature at the intake"),
        Column("outlet_c", "float", "air temperature at the outlet"),
        Column("temperature_c", "float", "temperature of an unnamed place"),
        Column("humidity_pct", "float", "relative humidity"),
        Column("dew_point_c", "float", "dew point"),
        Column("pressure_pa", "float", "static pressure of the cold aisle"),
        Column("coolant_supply_c", "float", "coolant temperature to the racks"),
        Column("coolant_flow_l_min", "float", "coolant flow"),
        Column("leak", "str", "state of the leak detector as printed"),
    ),
    snapshot=False,
)
TABLES: Final = (ENVIRONMENT,)

_NAMES: Final = {
    "time": frozenset({"time", "timestamp", "date", "datetime", "zeit", "\u65f6\u95f4", "\u6642\u9593"}),
    "rack": frozenset({"rack", "cabinet", "row", "zone", "\u673a\u67dc", "\u6a5f\u6ac3"}),
    "position": frozenset({"position", "pos", "height", "level", "side"}),
    "sensor": frozenset({"sensor", "probe", "point", "device"}),
    "leak": frozenset({"leak", "leakage", "\u6f0f\u6c34"}),
}
_INLET: Final = {"inlet", "intake", "supply", "cold", "front", "ambient", "\u8fdb\u98ce", "\u9032\u98a8"}
_OUTLET: Final = {"outlet", "return", "exhaust", "hot", "rear", "\u56de\u98ce", "\u56de\u98a8"}
_HUMID: Final = {"humidity", "rh", "\u6e7f\u5ea6", "\u6fd5\u5ea6"}
_WET: Final = {"coolant", "water", "liquid", "cdu", "flow", "fluid"}
_PRESS: Final = {"pressure", "pa", "static", "\u9759\u538b", "\u975c\u58d3"}
_DEW: Final = {"dew", "dewpoint"}
_OTHER: Final = frozenset(
    _HUMID | _PRESS | _DEW | _WET | {"power", "kw", "w", "current", "velocity", "set", "setpoint"}
)
_FLOWS: Final = {"m3": 1000.0 / 60.0, "gpm": 3.78541}
_QUANTITIES: Final = (
    _site.Quantity("dew_point_c", frozenset(_DEW)),
    _site.Quantity("humidity_pct", frozenset(_HUMID)),
    _site.Quantity("coolant_flow_l_min", frozenset({"flow"}), frozenset({"air"}), _FLOWS),
    _site.Quantity("coolant_supply_c", frozenset({"coolant supply", "water supply", "liquid supply", "cdu supply",
                                                  "supply water", "supply coolant", "coolant inlet"})),
    _site.Quantity("pressure_pa", frozenset(_PRESS), frozenset(_WET), {"kpa": 1000.0, "inwc": 249.089, "wc": 249.089}),
    _site.Quantity("inlet_c", frozenset(_INLET), _OTHER),
    _site.Quantity("outlet_c", frozenset(_OUTLET), _OTHER),
    _site.Quantity("temperature_c", frozenset({"temp", "temperature", "\u6e29\u5ea6", "\u6eab\u5ea6"}),
                   _OTHER | {"gpu", "max", "slowdown"}),
)  # fmt: skip
_TELLING: Final = frozenset({"inlet_c", "humidity_pct", "dew_point_c", "pressure_pa", "coolant_flow_l_min", "outlet_c"})
_POSSIBLE: Final = {
    "inlet_c": (-20.0, 70.0), "outlet_c": (-20.0, 84.0), "temperature_c": (-20.0, 84.0), "humidity_pct": (0.5, 100.0),
    "dew_point_c": (-60.0, 60.0), "coolant_supply_c": (0.5, 84.0),
}  # fmt: skip


def sniff(head: bytes, path: str) -> Sniff | None:
    """Recognise a header line that names a time or place and a quantity of the environment."""
    del path
    return _site.sniff(head, _header, 88, "names readings of environment sensors")


def parse(data: bytes, path: str) -> Dump:
    """Read ``environment``, one row a line; ``path`` is not used."""
    del path
    return _site.read(data, _header, _row)


def _header(line: Line) -> _site.Header | None:
    found = _site.header(line, _NAMES, _QUANTITIES)
    if found is None:
        return None
    columns = set(found.columns.values())
    return found if columns & _TELLING and columns & {"time", "rack", "sensor"} else None


def _row(line: Line, head: _site.Header, values: dict[str, str | float], unread: _fabric_text.Unread) -> Row:
    sampled_s, stamp_s = _site.stamp(str(values.pop("time", "")), utc=head.utc)
    for column, (low, high) in _POSSIBLE.items():
        value = values.get(column)
        if isinstance(value, float) and not low <= value <= high:
            del values[column]
            unread.add(f"{column} that no sensor can give", line)
    if sampled_s is not None:
        values["sampled_s"] = sampled_s
    return Row("environment", values, line.number, line.text[:MAX_TEXT], stamp_s=stamp_s)
